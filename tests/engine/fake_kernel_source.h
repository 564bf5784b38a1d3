// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etlformat/hooks.h"
#include "core/etw/engine/kernel_source.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// A kernel that does what the test says: events appear when the test emits them.
///
/// Threading: as KernelSource; the test emits while the engine's control thread has nothing to do.
class FakeKernelSource final : public etw::engine::KernelSource {
public:
    FakeKernelSource(const Clock& clock, std::uint32_t processors) : m_clock(clock), m_processors(processors) {}

    [[nodiscard]] etw::Capabilities capabilities() const override {
        etw::Capabilities capabilities;
        capabilities.platform = "Test 1.0";
        capabilities.isElevated = true;
        capabilities.numberOfProcessors = m_processors;
        capabilities.kernelGroups.set(etlformat::group::kProfile);
        return capabilities;
    }
    [[nodiscard]] etlformat::TraceIdentity identity() const override {
        etlformat::TraceIdentity identity;
        identity.numberOfProcessors = m_processors;
        identity.cpuSpeedInMhz = 3000;
        identity.bootTime = m_clock.wallTime() - 36'000'000'000;
        return identity;
    }
    [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest& request,
                                                                        etw::engine::KernelSink& sink) override {
        if (!request.groups.has(etlformat::group::kProfile)) {
            return fail(ErrorCode::KernelEventsRefused, "test: no group that is served");
        }
        m_requests.push_back(request);
        auto run = std::make_unique<Run>(*this, sink);
        m_run = run.get();
        if (!request.isRing) {
            m_run.load()->rundown();
        }
        return run;
    }

    /// A SampledProfile event now, on `processor`. Whether it was recorded.
    bool emit(std::uint32_t processor) { return m_run.load()->sample(processor, m_clock.ticks()); }
    bool emitAt(std::uint32_t processor, Ticks time) { return m_run.load()->sample(processor, time); }
    /// Reports events that the kernel lost.
    void lose(etw::LossCause cause, std::uint64_t events) { m_run.load()->sink().lost(cause, events, m_clock.ticks()); }
    /// A stack of the processor's last event, which was refused.
    void refuseStack(std::uint32_t processor) { m_run.load()->sink().refused(processor, m_clock.ticks()); }
    [[nodiscard]] Ticks oldest() { return m_run.load()->sink().oldest(); }
    /// From now on every call on the run waits until answer().
    void stall() { m_isStalled = true; }
    void answer() {
        m_isStalled = false;
        m_isStalled.notify_all();
    }
    /// The source ends by itself.
    void breakDown() { m_failure = Error{ErrorCode::OutOfMemory, "test", 0}; }
    [[nodiscard]] bool isRunning() const { return m_run != nullptr; }
    /// Of the start and of every change.
    [[nodiscard]] const std::vector<etw::engine::KernelRequest>& requests() const { return m_requests; }
    [[nodiscard]] const std::vector<std::string>& calls() const { return m_calls; } ///< of pause() and resume()

private:
    class Run final : public etw::engine::KernelRun {
    public:
        Run(FakeKernelSource& source, etw::engine::KernelSink& sink) : m_source(source), m_sink(sink) {}
        ~Run() override { m_source.m_run = nullptr; }
        void drain() override { m_source.waitForAnswer(); }
        void rundown() override {
            m_source.waitForAnswer();
            etlformat::PerfinfoHeader head;
            head.version = 2;
            head.size = sizeof head;
            head.hookId = etlformat::hook::kRundownComplete;
            write(0, head, {}, m_source.m_clock.ticks());
        }
        void mark(const std::string& text) override {
            etlformat::PerfinfoHeader head;
            std::vector<std::byte> payload(text.size() + 3);
            std::memcpy(payload.data(), text.data(), text.size());
            head.size = static_cast<std::uint16_t>(sizeof head + payload.size());
            head.hookId = etlformat::hook::kMark;
            write(0, head, payload, m_source.m_clock.ticks());
        }
        Status pause() override { return note("pause"); }
        Status resume() override { return note("resume"); }
        Status reconfigure(const etw::engine::KernelRequest& request) override {
            if (!request.groups.has(etlformat::group::kProfile)) {
                return fail(ErrorCode::KernelEventsRefused, "test: no group that is served");
            }
            m_source.m_requests.push_back(request);
            return {};
        }
        void stop() override { rundown(); }
        [[nodiscard]] std::optional<Error> failure() const override { return m_source.m_failure; }
        [[nodiscard]] std::vector<etw::Limitation> limitations() const override {
            return {{etw::LimitationCode::ShortStacks, {}, 1}};
        }
        bool sample(std::uint32_t processor, Ticks time) {
            struct Payload {
                std::uint64_t instructionPointer = 0x401000;
                std::uint32_t threadId = 1234;
                std::uint16_t count = 1;
                std::uint16_t reserved = 0;
            } payload;
            etlformat::PerfinfoHeader head;
            head.version = 2;
            head.size = sizeof head + sizeof payload;
            head.hookId = etlformat::hook::kSampledProfile;
            return write(processor, head, std::as_bytes(std::span(&payload, 1)), time);
        }
        [[nodiscard]] etw::engine::KernelSink& sink() { return m_sink; }

    private:
        Status note(const char* call) {
            m_source.m_calls.emplace_back(call);
            return {};
        }
        bool write(std::uint32_t processor, etlformat::PerfinfoHeader head, std::span<const std::byte> payload,
                   Ticks time) {
            head.systemTime = time;
            // In two parts, as real sources do.
            const std::size_t half = payload.size() / 2;
            return m_sink.write(processor, time, std::as_bytes(std::span(&head, 1)), payload.first(half),
                                payload.subspan(half));
        }
        FakeKernelSource& m_source;
        etw::engine::KernelSink& m_sink;
    };

    void waitForAnswer() const { m_isStalled.wait(true); }

    const Clock& m_clock;
    std::uint32_t m_processors;
    std::atomic<bool> m_isStalled{false};
    std::atomic<Run*> m_run{nullptr};
    std::optional<Error> m_failure;
    std::vector<etw::engine::KernelRequest> m_requests;
    std::vector<std::string> m_calls;
};

} // namespace tracedeck::test

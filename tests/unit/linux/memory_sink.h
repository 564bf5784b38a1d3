// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/kernel_source.h"

#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace tracedeck::test {

/// An event as a source wrote it.
struct SinkEvent {
    std::uint32_t processor = 0;
    Ticks time = 0;
    std::uint16_t hook = 0;
    std::uint16_t version = 0;
    bool hasThread = false; ///< SYSTEM header
    std::uint32_t processId = 0;
    std::uint32_t threadId = 0;
    std::vector<std::byte> payload;

    template <class T>
    [[nodiscard]] T at(std::size_t offset) const {
        T value{};
        if (offset + sizeof(T) <= payload.size()) {
            std::memcpy(&value, payload.data() + offset, sizeof(T));
        }
        return value;
    }
    /// Zero-terminated bytes.
    [[nodiscard]] std::string text(std::size_t offset) const {
        std::string found;
        for (; offset < payload.size() && payload[offset] != std::byte{0}; ++offset) {
            found += static_cast<char>(payload[offset]);
        }
        return found;
    }
    /// Zero-terminated UTF-16 of ASCII alone.
    [[nodiscard]] std::string wideText(std::size_t offset) const {
        std::string found;
        for (; offset + 1 < payload.size() && at<char16_t>(offset) != 0; offset += 2) {
            found += static_cast<char>(at<char16_t>(offset));
        }
        return found;
    }
    /// Behind fixed part and SID of a Process event.
    [[nodiscard]] std::size_t processNameOffset() const {
        const std::size_t sid = 36;
        return at<std::uint32_t>(sid) == 0 ? sid + 4 : sid + 16 + 8 + 4 * std::size_t{at<std::uint8_t>(sid + 17)};
    }
    [[nodiscard]] std::string processName() const { return text(processNameOffset()); }
    [[nodiscard]] std::string commandLine() const { return wideText(processNameOffset() + processName().size() + 1); }
    [[nodiscard]] std::string imageName() const { return wideText(56); }
};

/// Keeps everything, and notes what a sink would have to refuse: times that decrease on a processor, headers that do
/// not fit.
class MemorySink final : public etw::engine::KernelSink {
public:
    bool write(std::uint32_t processor, Ticks time, std::span<const std::byte> head, std::span<const std::byte> payload,
               std::span<const std::byte> more = {}) noexcept override {
        SinkEvent event;
        event.processor = processor;
        event.time = time;
        event.hasThread = head.size() == sizeof(etlformat::SystemHeader);
        std::uint16_t size = 0;
        Ticks headerTime = 0;
        std::memcpy(&event.version, head.data(), 2);
        std::memcpy(&size, head.data() + 4, 2);
        std::memcpy(&event.hook, head.data() + 6, 2);
        if (refusals > 0 || event.hook == refuseHook) {
            refusals -= refusals > 0 ? 1 : 0;
            losses.push_back({refusalCause, 1, time});
            return false;
        }
        std::memcpy(&headerTime, head.data() + (event.hasThread ? 16 : 8), 8);
        if (event.hasThread) {
            std::memcpy(&event.threadId, head.data() + 8, 4);
            std::memcpy(&event.processId, head.data() + 12, 4);
        }
        Ticks& last = m_last[processor];
        disorders += time < last || headerTime != time ? 1U : 0U;
        misfits += size != head.size() + payload.size() + more.size() ? 1U : 0U;
        last = time;
        event.payload.assign(payload.begin(), payload.end());
        event.payload.insert(event.payload.end(), more.begin(), more.end());
        events.push_back(std::move(event));
        return true;
    }
    void refused(std::uint32_t, Ticks time) noexcept override { losses.push_back({refusalCause, 1, time}); }
    void lost(etw::LossCause cause, std::uint64_t count, Ticks first) noexcept override {
        losses.push_back({cause, count, first});
    }
    [[nodiscard]] Ticks oldest() const noexcept override { return oldestTime; }

    [[nodiscard]] std::vector<SinkEvent> ofHook(std::uint16_t hook) const {
        std::vector<SinkEvent> found;
        for (const SinkEvent& event : events) {
            if (event.hook == hook) {
                found.push_back(event);
            }
        }
        return found;
    }
    [[nodiscard]] std::uint64_t lostEvents() const {
        std::uint64_t sum = 0;
        for (const etw::LossCount& loss : losses) {
            sum += loss.events;
        }
        return sum;
    }

    std::vector<SinkEvent> events;
    std::vector<etw::LossCount> losses;
    Ticks oldestTime = 0;
    etw::LossCause refusalCause = etw::LossCause::NoFreeBuffer;
    int refusals = 0;             ///< events that it has no room for, from now on
    std::uint16_t refuseHook = 0; ///< events that it never has room for
    std::uint64_t disorders = 0;
    std::uint64_t misfits = 0;

private:
    std::map<std::uint32_t, Ticks> m_last;
};

} // namespace tracedeck::test

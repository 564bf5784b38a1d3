// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/ordered_events.h"
#include "core/etl/summary.h"
#include "core/etw/engine/call_stack.h"
#include "tests/engine/engine_fixture.h"

#include <algorithm>
#include <cstring>
#include <thread>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::summarize;

namespace {

std::uint64_t countOf(const etl::Summary& summary, const std::string& name) {
    for (const auto& one : summary.names) {
        if (one.name == name) {
            return one.events;
        }
    }
    return 0;
}

/// Two threads write `count` events each while the kernel emits as many samples.
void makeEvents(FakeKernelSource& kernel, etw::EventWriter& writer, std::uint32_t count) {
    const auto write = [&] {
        for (std::uint32_t i = 0; i < count; ++i) {
            writer.write({"Event", 4, 0, 1, {{"value", i}, {"text", std::string(i % 50, 'x')}}});
        }
    };
    std::thread other(write);
    for (std::uint32_t i = 0; i < count; ++i) {
        kernel.emit(i % 3);
    }
    write();
    other.join();
}

etl::Summary mustSummarize(const std::string& path) {
    auto summary = summarize(systemFiles(), path);
    REQUIRE(summary.has_value());
    return std::move(*summary);
}

void checkMerged(const std::string& path, const etl::MergeResult& merged) {
    const CheckerVerdict verdict = runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    const etl::Summary summary = mustSummarize(path);
    CHECK(summary.header.eventsLost == merged.eventsLost);
    CHECK((summary.verdict() == etl::Summary::Verdict::Good) == (merged.eventsLost == 0));
    CHECK(summary.first == merged.first);
    CHECK(summary.last == merged.last);
}

} // namespace

TEST_CASE("Files of two sessions of the engine become one", "[etl][merge][engine]") {
    const bool isRing = GENERATE(false, true);
    CAPTURE(isRing);
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 3);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    const auto writer = engine.registerProvider("Some-Provider");
    Calls calls(engine);
    etw::SessionConfig kernelConfig = systemConfig(isRing ? ringConfig() : fileConfig(folder.file("kernel.etl")));
    kernelConfig.name = "kernel";
    kernelConfig.maximumBuffers = isRing ? 8 : 64;
    etw::SessionConfig eventConfig = isRing ? ringConfig() : fileConfig(folder.file("events.etl"));
    eventConfig.name = "events";
    eventConfig.bufferSizeKib = 128;
    const auto kernelSession = calls.start(kernelConfig);
    const auto eventSession = calls.start(eventConfig);
    calls.enable(eventSession.id, writer->providerId());
    makeEvents(kernel, *writer, 30000);
    const auto kernelStats = calls.stop(kernelSession.id, isRing ? folder.file("kernel.etl") : std::string());
    const auto eventStats = calls.stop(eventSession.id, isRing ? folder.file("events.etl") : std::string());

    for (const char* name : {"kernel.etl", "events.etl"}) {
        CAPTURE(name);
        const etl::Summary raw = mustSummarize(folder.file(name));
        for (const auto& finding : raw.findings) {
            CAPTURE(finding.detail);
            CHECK(finding.code == etl::Finding::Code::EventsLost);
        }
    }
    etl::MergeRequest request;
    request.inputs = {folder.file("kernel.etl"), folder.file("events.etl")};
    request.output = folder.file("merged.etl");
    request.sessionName = "both";
    const auto merged = etl::merge(systemFiles(), request);
    REQUIRE(merged.has_value());
    CHECK(merged->events == kernelStats.eventsRecorded + eventStats.eventsRecorded);
    CHECK(merged->eventsOutOfOrder == 0);
    CHECK(merged->buffersDamaged == 0);
    CHECK(merged->eventsLost == kernelStats.eventsLost + eventStats.eventsLost);
    checkMerged(request.output, *merged);
    const etl::Summary summary = mustSummarize(request.output);
    CHECK(countOf(summary, "Some-Provider/Event") == eventStats.eventsRecorded);
    CHECK(countOf(summary, "PerfInfo/SampledProfile") + countOf(summary, "EventTrace/RundownComplete") ==
          kernelStats.eventsRecorded);
    CHECK(summary.header.logFileMode == 0x02000001);
}

TEST_CASE("A file of the engine that was never closed is merged up to its last flush", "[etl][merge][engine]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    const auto session = calls.start(systemConfig(fileConfig(folder.file("open.etl"))));
    for (std::uint32_t i = 0; i < 5000; ++i) {
        REQUIRE(kernel.emit(i % 2));
    }
    const auto flushed = calls.flush(session.id);
    const etl::Summary open = mustSummarize(folder.file("open.etl"));
    CHECK(open.verdict() == etl::Summary::Verdict::Incomplete);
    CHECK(open.findings.front().code == etl::Finding::Code::NotClosed);
    etl::MergeRequest request;
    request.inputs = {folder.file("open.etl")};
    request.output = folder.file("merged.etl");
    request.sessionName = "open";
    const auto merged = etl::merge(systemFiles(), request);
    REQUIRE(merged.has_value());
    CHECK(merged->events == flushed.eventsRecorded);
    checkMerged(request.output, *merged);
    calls.stop(session.id);
}

namespace {

struct Chain {
    etw::ManifestWriter& writer;
    std::vector<std::uint64_t> returnAddresses; ///< outermost first

    void note(void* address) { returnAddresses.push_back(reinterpret_cast<std::uint64_t>(address)); }
};
[[gnu::noinline]] void innermost(Chain& chain) {
    chain.note(__builtin_return_address(0));
    chain.writer.write({{7, 0, 0, 4, 0, 0, 0}, {}, {}, {}});
    asm volatile("" ::: "memory"); // none of these calls is the last thing that its function does
}
[[gnu::noinline]] void middle(Chain& chain) {
    chain.note(__builtin_return_address(0));
    innermost(chain);
    asm volatile("" ::: "memory");
}
[[gnu::noinline]] void outermost(Chain& chain) {
    chain.note(__builtin_return_address(0));
    middle(chain);
    asm volatile("" ::: "memory");
}

/// The addresses of the first stack in a file, by the reader that everything else is read with.
std::vector<std::uint64_t> firstStackOf(const std::string& path) {
    auto events = etl::OrderedEvents::open(systemFiles(), path);
    REQUIRE(events.has_value());
    std::vector<std::uint64_t> stack;
    etl::OrderedEvent event;
    for (auto more = events->next(event); stack.empty() && more && *more; more = events->next(event)) {
        const auto end = etl::forEachExtendedItem(event.view, [&](std::uint16_t type, std::span<const std::byte> data) {
            if (type == static_cast<std::uint16_t>(etlformat::ExtendedType::StackTrace64)) {
                stack.resize(data.size() / sizeof(std::uint64_t));
                std::memcpy(stack.data(), data.data(), stack.size() * sizeof(std::uint64_t));
            }
        });
        CHECK(end.isSound);
    }
    REQUIRE_FALSE(stack.empty());
    CHECK(stack.front() == 0); // match id
    stack.erase(stack.begin());
    return stack;
}

} // namespace

TEST_CASE("The calls that led to an event are in the file, innermost first", "[etl][engine][stack]") {
    if (!etw::engine::kCanWalkStacks) {
        WARN("SKIPPED: stacks cannot be walked on this platform");
        return;
    }
    const TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine({&clock, &systemFiles(), nullptr});
    constexpr Guid kProvider = Guid::of(0x31415926, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
    const auto writer = engine.registerManifest(kProvider, nullptr);
    Calls calls(engine);
    const auto id = calls.start(fileConfig(folder.file("stack.etl"))).id;
    REQUIRE(etw::await<void>([&](auto done) {
        engine.enable(id, {kProvider, "", 0xFF, 0, 0, true}, std::move(done));
    }));
    Chain chain{*writer, {}};
    outermost(chain);
    CHECK(calls.stop(id).limitations.empty());
    checkedEtl(folder.file("stack.etl"));
    const auto stack = firstStackOf(folder.file("stack.etl"));
    REQUIRE(stack.size() >= 4);
    // The first is in innermost(), behind the call that wrote; then come what the three functions returned to.
    const auto begin = reinterpret_cast<std::uint64_t>(&innermost);
    CHECK(stack[0] > begin);
    CHECK(stack[0] < begin + 4096);
    std::reverse(chain.returnAddresses.begin(), chain.returnAddresses.end());
    CHECK(std::vector<std::uint64_t>(stack.begin() + 1, stack.begin() + 4) == chain.returnAddresses);
    // A merge keeps it.
    etl::MergeRequest request;
    request.inputs = {folder.file("stack.etl")};
    request.output = folder.file("merged.etl");
    REQUIRE(etl::merge(systemFiles(), request).has_value());
    CHECK(firstStackOf(request.output) == stack);
}

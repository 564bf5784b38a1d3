// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "tests/engine/engine_fixture.h"

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

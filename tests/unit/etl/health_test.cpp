// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/health.h"

#include "core/base/own_provider.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/trace_logging.h"
#include "tests/support/catch.h"
#include "tests/unit/etl/memory_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <functional>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::HealthIssue;
using etl::HealthReport;
using Code = etl::HealthIssue::Code;
using Verdict = etl::HealthReport::Verdict;
namespace hook = etlformat::hook;

namespace {

const Guid kTalker = guidFromProviderName("Talker");
const Guid kMute = guidFromProviderName("Mute");

/// A recording with everything that its plan asked for.
etl::Summary goodSummary() {
    etl::Summary summary;
    summary.events = 2000;
    summary.spanSeconds = 4;
    summary.stacks = 1500;
    summary.hooks = {{hook::kProcessDcStart, 5, 0},
                     {hook::kCSwitch, 1000, 900},
                     {hook::kSampledProfile, 500, 480},
                     {hook::kImageDcStart, 40, 0}};
    summary.samplesPerProcessor = {250, 250};
    summary.imageIdentities = 40;
    summary.providers = {{kTalker, 7}};
    summary.recorder = {
        {"RecordingStarted.Keywords", "CSwitch\nLoader\nProcessThread\nSampledProfile\n"},
        {"RecordingStarted.Stacks", "CSwitch\nSampledProfile\n"},
        {"RecordingStarted.Providers",
         toString(kTalker) + " Talker\n" + toString(guidFromProviderName(kOwnProviderName)) + " Tracedeck-Recorder\n"},
        {"RecordingStopped.Reason", "User"}};
    return summary;
}

const HealthIssue* find(const HealthReport& report, Code code) {
    const auto found = std::find_if(report.issues.begin(), report.issues.end(),
                                    [&](const HealthIssue& issue) { return issue.code == code; });
    return found != report.issues.end() ? &*found : nullptr;
}

etl::Finding finding(etl::Finding::Severity severity, etl::Finding::Code code) {
    return {severity, code, 4096, 3, "what is wrong", 500, 70};
}

} // namespace

TEST_CASE("A recording with all that was asked for is good to send", "[etl][health]") {
    const HealthReport report = etl::judgeHealth(goodSummary());
    CHECK(report.issues.empty());
    CHECK(report.verdict() == Verdict::GoodToSend);
    CHECK(report.samples == 500);
    CHECK(report.samplesWithStack == 480);
    CHECK(report.switches == 1000);
    CHECK(report.switchesWithStack == 900);
    CHECK(report.images == 40);
    CHECK(report.hasPlan);
    CHECK(report.providersEnabled == 1); // the recorder's own is nobody's wish
    CHECK(report.providersSilent == 0);
    CHECK(report.keywordsEnabled == 4);
    CHECK(report.keywordsSilent == 0);
}

TEST_CASE("Each thing that can be wrong has one code and decides the verdict", "[etl][health]") {
    struct Row {
        Code code;
        Verdict verdict;
        std::function<void(etl::Summary&)> spoil;
        std::function<void(const HealthIssue&)> check;
    };
    using F = etl::Finding;
    const auto nothing = [](const HealthIssue&) {};
    const auto withFinding = [](F::Severity severity, F::Code code) {
        return [=](etl::Summary& summary) { summary.findings = {finding(severity, code)}; };
    };
    const auto eraseHook = [](etl::Summary& summary, std::uint16_t id) {
        summary.hooks.erase(std::remove_if(summary.hooks.begin(), summary.hooks.end(),
                                           [&](const auto& one) { return one.hookId == id; }),
                            summary.hooks.end());
    };
    const std::vector<Row> rows{
        {Code::Damaged, Verdict::Damaged, withFinding(F::Severity::Error, F::Code::DamagedBuffer),
         [](const HealthIssue& issue) {
             CHECK(issue.count == 3);
             CHECK(issue.bytes == 500);
             CHECK(issue.events == 70);
             CHECK(issue.detail.find("4096") != std::string::npos);
         }},
        {Code::OutOfOrder, Verdict::Damaged, withFinding(F::Severity::Error, F::Code::TimeDisorder), nothing},
        {Code::ProcessorOutOfRange, Verdict::Damaged, withFinding(F::Severity::Error, F::Code::ProcessorOutOfRange),
         nothing},
        {Code::Truncated, Verdict::Incomplete, withFinding(F::Severity::Warning, F::Code::Truncated), nothing},
        {Code::NotClosed, Verdict::Incomplete, withFinding(F::Severity::Warning, F::Code::NotClosed), nothing},
        {Code::PartsMissing, Verdict::Incomplete, withFinding(F::Severity::Warning, F::Code::SequenceGap), nothing},
        {Code::CountMismatch, Verdict::Incomplete, withFinding(F::Severity::Warning, F::Code::CountMismatch), nothing},
        {Code::NoEvents, Verdict::Incomplete, withFinding(F::Severity::Warning, F::Code::NoEvents), nothing},
        {Code::StacksWithoutEvent, Verdict::GoodToSend, withFinding(F::Severity::Note, F::Code::StackWithoutEvent),
         [](const HealthIssue& issue) { CHECK(issue.of == 1500); }},
        {Code::EventsLost, Verdict::Incomplete,
         [](etl::Summary& summary) {
             summary.header.eventsLost = 11;
             summary.header.buffersLost = 2;
             summary.findings = {finding(F::Severity::Warning, F::Code::EventsLost)};
         },
         [](const HealthIssue& issue) {
             CHECK(issue.events == 11);
             CHECK(issue.count == 2);
         }},
        {Code::SessionLostEvents, Verdict::Incomplete,
         [](etl::Summary& summary) {
             summary.losses = {{"System", "NoFreeBuffer", 9, 1234}};
         },
         [](const HealthIssue& issue) {
             CHECK(issue.object == "System");
             CHECK(issue.cause == "NoFreeBuffer");
             CHECK(issue.events == 9);
             CHECK(issue.time == 1234);
         }},
        {Code::StoppedEarly, Verdict::Incomplete,
         [](etl::Summary& summary) { summary.recorder["RecordingStopped.Reason"] = "DiskFull"; },
         [](const HealthIssue& issue) { CHECK(issue.cause == "DiskFull"); }},
        {Code::StoppedEarly, Verdict::Incomplete,
         [](etl::Summary& summary) { summary.recorder["RecordingStopped.Reason"] = "RecorderEnded"; }, nothing},
        {Code::OldestOverwritten, Verdict::GoodToSend,
         [](etl::Summary& summary) { summary.recorder["RecordingStopped.EventsOverwritten"] = "1204"; },
         [](const HealthIssue& issue) { CHECK(issue.events == 1204); }},
        {Code::ProviderSilent, Verdict::GoodToSend,
         [](etl::Summary& summary) {
             summary.recorder["RecordingStarted.Providers"] += toString(kMute) + " Mute\nno id at all\n";
         },
         [](const HealthIssue& issue) { CHECK(issue.object == "Mute"); }},
        {Code::KeywordSilent, Verdict::GoodToSend,
         [](etl::Summary& summary) { summary.recorder["RecordingStarted.Keywords"] += "DiskIO\nIdealProcessor\n"; },
         [](const HealthIssue& issue) { CHECK(issue.object == "DiskIO"); }},
        {Code::KeywordSilent, Verdict::Incomplete, [&](etl::Summary& summary) { eraseHook(summary, hook::kCSwitch); },
         [](const HealthIssue& issue) { CHECK(issue.object == "CSwitch"); }},
        {Code::NoStacks, Verdict::Incomplete,
         [](etl::Summary& summary) {
             summary.stacks = 0;
             for (auto& one : summary.hooks) {
                 one.withStack = 0;
             }
         },
         nothing},
        {Code::FewStacks, Verdict::GoodToSend, [](etl::Summary& summary) { summary.hooks[1].withStack = 100; },
         [](const HealthIssue& issue) {
             CHECK(issue.count == 580);
             CHECK(issue.of == 1500);
         }},
        {Code::NoImages, Verdict::Incomplete, [&](etl::Summary& summary) { eraseHook(summary, hook::kImageDcStart); },
         nothing},
        {Code::NoImageIdentity, Verdict::GoodToSend, [](etl::Summary& summary) { summary.imageIdentities = 0; },
         [](const HealthIssue& issue) { CHECK(issue.count == 40); }},
        {Code::ProcessorWithoutSamples, Verdict::GoodToSend,
         [](etl::Summary& summary) {
             summary.samplesPerProcessor = {0, 500, 0};
         },
         [](const HealthIssue& issue) {
             CHECK(issue.object == "0, 2");
             CHECK(issue.count == 2);
             CHECK(issue.of == 3);
         }},
        {Code::Limited, Verdict::GoodToSend,
         [](etl::Summary& summary) {
             summary.recorder["RecordingStopped.Limitations"] = "ProcUnreadable 12 some of /proc\nNotElevated\n";
         },
         [](const HealthIssue& issue) {
             CHECK(issue.cause == "ProcUnreadable");
             CHECK(issue.count == 12);
             CHECK(issue.object == "some of /proc");
         }},
        {Code::NotByUs, Verdict::GoodToSend, [](etl::Summary& summary) { summary.recorder.clear(); }, nothing},
    };
    for (const Row& row : rows) {
        CAPTURE(toString(row.code));
        etl::Summary summary = goodSummary();
        row.spoil(summary);
        const HealthReport report = etl::judgeHealth(summary);
        CHECK(report.verdict() == row.verdict);
        const HealthIssue* const issue = find(report, row.code);
        REQUIRE(issue != nullptr);
        row.check(*issue);
        CHECK(std::is_sorted(report.issues.begin(), report.issues.end(),
                             [](const auto& a, const auto& b) { return a.severity > b.severity; }));
    }
}

TEST_CASE("Few samples say nothing about a processor without any", "[etl][health]") {
    etl::Summary summary = goodSummary();
    summary.samplesPerProcessor = {0, 99};
    summary.hooks[2] = {hook::kSampledProfile, 99, 99};
    CHECK(find(etl::judgeHealth(summary), Code::ProcessorWithoutSamples) == nullptr);
}

TEST_CASE("What health is judged by comes from one reading of the file", "[etl][health]") {
    constexpr Ticks kStart = 1'000'000;
    const Guid own = guidFromProviderName(kOwnProviderName);
    const std::string ownName(kOwnProviderName);
    const auto said = [&](const char* event, Ticks time, auto... fields) {
        etlformat::TraceLoggingEvent one;
        one.name = event;
        one.fields = {fields...};
        return etlformat::encode(one, own, ownName, time, 1, 2);
    };
    using Field = std::pair<std::string, etlformat::TraceLoggingEvent::Value>;
    const auto loss = [&](Ticks time, std::uint64_t events, FileTime first) {
        return said("Loss", time, Field{"Session", std::string("System")}, Field{"Cause", std::string("TooLate")},
                    Field{"Events", events}, Field{"Time", etlformat::TraceLoggingEvent::FileTimeValue{first}});
    };
    RawFile raw;
    raw.add(0, contextSwitch(kStart + 10)).add(0, stackWalk(kStart + 11, kStart + 10));
    raw.add(0, stackWalk(kStart + 12, kStart + 10)); // the user's part
    raw.add(0, sampledProfile(kStart + 20)).add(0, contextSwitch(kStart + 30));
    raw.add(0, said("Mark", kStart + 40))
        .add(0, perfinfoEvent(hook::kMark, 0, kStart + 41, etlformat::encodeMark("m")));
    raw.add(0, loss(kStart + 50, 3, 900)).add(0, loss(kStart + 51, 4, 800));
    raw.add(0, said("RecordingStopped", kStart + 60, Field{"Providers", toString(kMute) + " Mute\n"}));
    raw.add(1, classicEvent(Guid::of(0xb3e675d7, 0x2554, 0x4f18, {0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde}), 36,
                            kStart + 5));
    MemoryFiles files(raw.bytes());
    const auto summary = etl::summarize(files, "memory.etl");
    REQUIRE(summary.has_value());
    CHECK(summary->marks == 2);
    CHECK(summary->imageIdentities == 1);
    REQUIRE(summary->losses.size() == 1);
    CHECK(summary->losses[0].events == 7);
    CHECK(summary->losses[0].first == 800);
    REQUIRE(summary->processors.size() == 2);
    CHECK(summary->processors[0].events == 10);
    CHECK(summary->processors[0].samples == 1);
    CHECK(summary->processors[0].first == kStart + 10);
    CHECK(summary->processors[0].last == kStart + 60);
    const HealthReport report = etl::judgeHealth(*summary);
    CHECK(report.switches == 2);
    CHECK(report.switchesWithStack == 1);
    CHECK(report.samplesWithStack == 0);
    CHECK(report.providersSilent == 1);
    CHECK(report.verdict() == Verdict::Incomplete);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"
#include "core/profile/system_keywords.h"
#include "tests/support/catch.h"
#include "tests/unit/plan/fake_machine.h"

#include <string>

using namespace tracedeck;
using plan::CostHistory;
using plan::RecordingPlan;

namespace {

RecordingPlan planOf(const std::string& keywords, const std::string& stacks = {},
                     plan::LoggingMode mode = plan::LoggingMode::Memory) {
    test::Pieces pieces;
    pieces.keywords = keywords;
    pieces.stacks = stacks;
    const profile::Document document = pieces.document();
    const auto plan = plan::compose({{&document, "P", std::nullopt}},
                                    {plan::DetailLevel::Verbose, mode, std::nullopt, mib(200)}, test::windowsMachine());
    REQUIRE(plan);
    return *plan;
}

constexpr const char* kSamples = R"(<Keyword Value="SampledProfile"/>)";

} // namespace

TEST_CASE("More is recorded where more is asked for", "[plan][cost]") {
    const etw::Capabilities machine = test::windowsMachine();
    const double samples = plan::estimate(planOf(kSamples), machine).bytesPerSecond;
    const double stacks =
        plan::estimate(planOf(kSamples, R"(<Stack Value="SampledProfile"/>)"), machine).bytesPerSecond;
    const double both =
        plan::estimate(planOf(R"(<Keyword Value="SampledProfile"/><Keyword Value="CSwitch"/>)"), machine)
            .bytesPerSecond;
    // 1000 samples a second on each of four processors.
    CHECK(samples >= 4 * 1000 * 32);
    CHECK(stacks >= samples + 4 * 1000 * 100);
    CHECK(both > samples);
    etw::Capabilities larger = machine;
    larger.numberOfProcessors = 8;
    CHECK(plan::estimate(planOf(kSamples), larger).bytesPerSecond > samples);
    CHECK(plan::estimate(planOf(kSamples), machine).processors > 0);
    CHECK(plan::estimate(planOf(kSamples), machine).processors < 1);
}

TEST_CASE("A ring holds what fits into its buffers; a file has no end", "[plan][cost]") {
    const etw::Capabilities machine = test::windowsMachine();
    const RecordingPlan ring = planOf(kSamples);
    const plan::Cost cost = plan::estimate(ring, machine);
    REQUIRE(cost.held);
    CHECK(cost.memory == ring.bufferMemory());
    CHECK(cost.held->count() * cost.bytesPerSecond == Approx(static_cast<double>(cost.memory.count)));
    CHECK_FALSE(plan::estimate(planOf(kSamples, {}, plan::LoggingMode::File), machine).held);
}

TEST_CASE("Past recordings of the same profiles are believed, those of others set the scale", "[plan][cost]") {
    const etw::Capabilities machine = test::windowsMachine();
    const RecordingPlan plan = planOf(kSamples);
    RecordingPlan other = planOf(R"(<Keyword Value="CSwitch"/>)");
    other.profiles = {"Q.Verbose.Memory"};
    const double before = plan::estimate(other, machine).bytesPerSecond;
    CostHistory history;
    CHECK(history.factor() == 1);
    const double expected = plan::estimate(plan, machine).bytesPerSecond;
    history.add(plan, machine, 4 * expected);
    CHECK(plan::estimate(plan, machine, history).bytesPerSecond == Approx(4 * expected));
    CHECK(plan::estimate(plan, machine, history).isMeasured);
    CHECK(plan::estimate(other, machine, history).bytesPerSecond == Approx(4 * before));
    CHECK_FALSE(plan::estimate(other, machine, history).isMeasured);
    // The same profiles in a file are the same events.
    RecordingPlan inFile = planOf(kSamples, {}, plan::LoggingMode::File);
    CHECK(plan::estimate(inFile, machine, history).bytesPerSecond == Approx(4 * expected));
    // The mean of several.
    history.add(plan, machine, 2 * expected);
    CHECK(history.measured(plan) == Approx(3 * expected));
    history.add(plan, machine, 0);
    history.add(plan, machine, std::numeric_limits<double>::infinity());
    CHECK(history.measured(plan) == Approx(3 * expected));
}

TEST_CASE("The history survives as text, and damaged text does no harm", "[plan][cost]") {
    const etw::Capabilities machine = test::windowsMachine();
    const RecordingPlan plan = planOf(kSamples);
    CostHistory history;
    history.add(plan, machine, 12345678);
    const CostHistory again = CostHistory::fromText(history.toText());
    CHECK(again.toText() == history.toText());
    CHECK(again.measured(plan) == Approx(12345678).epsilon(1e-5));
    CHECK(again.factor() == Approx(history.factor()).epsilon(1e-5));
    for (const char* text : {"", "something else\nP.Verbose\t1\t1\n", "tracedeck costs 1\nP.Verbose\tnan\t1\n",
                             "tracedeck costs 1\nP.Verbose\t-5\t1\n", "tracedeck costs 1\nP.Verbose\t5\n",
                             "tracedeck costs 1\nP.Verbose\t1e999\t1\n\t0\t0"}) {
        CAPTURE(text);
        CHECK_FALSE(CostHistory::fromText(text).measured(plan));
        CHECK(CostHistory::fromText(text).factor() == 1);
    }
}

TEST_CASE("Every keyword and stack of the table of costs is one that profiles can name", "[plan][cost]") {
    const auto names = plan::costTableNames();
    CHECK(names.size() > 30);
    for (const auto& [keyword, stack] : names) {
        INFO(keyword << " " << stack);
        CHECK(profile::findSystemKeyword(keyword) != nullptr);
        CHECK((stack.empty() || profile::findSystemStack(stack) != nullptr));
    }
}

TEST_CASE("Each stack of the table costs something", "[plan][cost]") {
    const etw::Capabilities machine = test::windowsMachine();
    for (const auto& [keyword, stack] : plan::costTableNames()) {
        if (stack.empty()) {
            continue;
        }
        INFO(keyword << " " << stack);
        const std::string keywords = "<Keyword Value=\"" + std::string(keyword) + "\"/>";
        const std::string stacks = "<Stack Value=\"" + std::string(stack) + "\"/>";
        CHECK(plan::estimate(planOf(keywords, stacks), machine).bytesPerSecond >
              plan::estimate(planOf(keywords), machine).bytesPerSecond);
    }
}

TEST_CASE("The cost is part of the plan's JSON where it is asked for", "[plan][cost][json]") {
    const etw::Capabilities machine = test::windowsMachine();
    const RecordingPlan plan = planOf(kSamples);
    CHECK(plan::toJson(plan).find("\"cost\"") == std::string::npos);
    plan::Cost cost = plan::estimate(plan, machine);
    cost.bytesPerSecond = 1234567.5;
    cost.processors = 0.0125;
    cost.held = std::chrono::duration<double>(17.25);
    const std::string memory = std::to_string(plan.bufferMemory().count);
    CHECK(plan::toJson(plan, &cost)
              .find("  \"cost\": {\n    \"memoryBytes\": " + memory +
                    ",\n    \"bytesPerSecond\": 1234567,\n    \"processors\": 0.0125,\n"
                    "    \"heldSeconds\": 17.25,\n    \"isMeasured\": false\n  },\n") != std::string::npos);
    cost.held.reset();
    CHECK(plan::toJson(plan, &cost).find("\"heldSeconds\": null") != std::string::npos);
}

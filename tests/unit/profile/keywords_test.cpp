// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etlformat/hooks.h"
#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include "tests/support/catch.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

using namespace tracedeck;

TEST_CASE("Keywords turn on the groups that the kernel's own headers name", "[profile][keywords]") {
    struct Row {
        const char* keyword;
        std::vector<std::uint32_t> groups;
    };
    const auto row =
        GENERATE(Row{"ProcessThread", {etlformat::group::kProcess, etlformat::group::kThread}},
                 Row{"Loader", {etlformat::group::kLoader}}, Row{"CSwitch", {etlformat::group::kContextSwitch}},
                 Row{"ReadyThread", {etlformat::group::kDispatcher}},
                 Row{"SampledProfile", {etlformat::group::kProfile}}, Row{"DiskIO", {0x100, 0x200}},
                 Row{"Power", {0x80008000}}, Row{"CpuConfig", {0x40010000}}, Row{"ThreadPriority", {0x20002000}},
                 Row{"ContiguousMemorygeneration", {0x20100000}}, Row{"ClusterOff", {0xE0000001}});
    const profile::SystemKeyword* keyword = profile::findSystemKeyword(row.keyword);
    REQUIRE(keyword != nullptr);
    CHECK(std::vector(keyword->groups.begin(), keyword->groups.end()) == row.groups);
}

TEST_CASE("Names of keywords and stacks are exact", "[profile][keywords]") {
    CHECK(profile::findSystemKeyword("cswitch") == nullptr);
    CHECK(profile::findSystemKeyword("ContiguousMemoryGeneration") == nullptr); // that is the stack's name
    CHECK(profile::findSystemStack("ContiguousMemoryGeneration") != nullptr);
    CHECK(profile::findSystemKeyword("") == nullptr);
    CHECK(profile::systemKeywords().size() == 69);
    CHECK(profile::systemStacks().size() == 191);
}

TEST_CASE("Stacks know the hook of their event and the group that turns it on", "[profile][keywords]") {
    CHECK(profile::findSystemStack("CSwitch")->hookId == etlformat::hook::kCSwitch);
    CHECK(profile::findSystemStack("CSwitch")->group == etlformat::group::kContextSwitch);
    CHECK(profile::findSystemStack("SampledProfile")->hookId == etlformat::hook::kSampledProfile);
    CHECK(profile::findSystemStack("ReadyThread")->hookId == etlformat::hook::kReadyThread);
    CHECK(profile::findSystemStack("ThreadPoolTimerSet")->hookId == 0x1C2A);
    CHECK(profile::findSystemStack("KernelWaitSync")->hookId == 0); // no published event
    CHECK(profile::stackName(etlformat::hook::kCSwitch) == "CSwitch");
    CHECK(profile::stackName(0x0330) == "WakeChargeUser"); // the newer of two names
    CHECK(profile::stackName(0).empty());
    CHECK(profile::stackName(0xFFFF).empty());
}

TEST_CASE("Every group of a stack belongs to a keyword", "[profile][keywords]") {
    std::set<std::uint32_t> groups;
    for (const profile::SystemKeyword& keyword : profile::systemKeywords()) {
        groups.insert(keyword.groups.begin(), keyword.groups.end());
    }
    for (const profile::SystemStack& stack : profile::systemStacks()) {
        INFO(stack.name);
        CHECK((stack.group == 0 || groups.contains(stack.group)));
    }
}

TEST_CASE("The nearest word is suggested, and none where none is near", "[profile][keywords]") {
    const std::vector<std::string_view> known{"SampledProfile", "CSwitch", "CompactCSwitch", "DPC", "DPCQueue"};
    CHECK(profile::nearest("SampledProfle", known) == "SampledProfile");
    CHECK(profile::nearest("sampledprofile", known) == "SampledProfile");
    CHECK(profile::nearest("CSwich", known) == "CSwitch");
    CHECK(profile::nearest("DCP", known).empty()); // two of three letters are wrong
    CHECK(profile::nearest("Registry", known).empty());
    CHECK(profile::nearest("", known).empty());
    CHECK(profile::nearest(std::string(100'000, 'x'), known).empty());
    CHECK(profile::nearest("word", {}).empty());
}

TEST_CASE("Values of the schema's simple types are read exactly", "[profile][values]") {
    using namespace profile;
    CHECK(parseBoolean(" true ") == true);
    CHECK(parseBoolean("0") == false);
    CHECK_FALSE(parseBoolean("True"));
    CHECK_FALSE(parseBoolean(""));
    CHECK(parseUnsigned("4294967295", UINT32_MAX) == 4294967295U);
    CHECK_FALSE(parseUnsigned("4294967296", UINT32_MAX));
    CHECK_FALSE(parseUnsigned("18446744073709551616", UINT64_MAX));
    CHECK(parseUnsigned("18446744073709551615", UINT64_MAX) == UINT64_MAX);
    CHECK_FALSE(parseUnsigned("3", 2));
    CHECK_FALSE(parseUnsigned("-1", 10));
    CHECK_FALSE(parseUnsigned("", 10));
    CHECK(parseDecimal("1.25") == 1.25);
    CHECK(parseDecimal(".5") == 0.5);
    CHECK(parseDecimal("20") == 20.0);
    CHECK_FALSE(parseDecimal("1.4.1"));
    CHECK_FALSE(parseDecimal("1e9"));
    CHECK_FALSE(parseDecimal("."));
    CHECK(parseEventKeyword("0x8000000000000000") == 0x8000000000000000U);
    CHECK(parseEventKeyword("4C14FCCBD") == 0x4C14FCCBDU);
    CHECK_FALSE(parseEventKeyword("0x"));
    CHECK_FALSE(parseEventKeyword("0x11112222333344445"));
    CHECK_FALSE(parseHex("20", 8, HexPrefix::Required));
    CHECK(isId("TraceLogging/Microsoft.Windows.Audio"));
    CHECK_FALSE(isId("a b"));
    CHECK_FALSE(isId(""));
}

TEST_CASE("The nearest words are given however far they are", "[profile][keywords]") {
    constexpr std::string_view kWords[] = {"Delta", "Alpha", "Gamma", "Beta"};
    CHECK(profile::nearestOnes("Alpah", kWords, 2) == std::vector<std::string_view>{"Alpha", "Delta"});
    CHECK(profile::nearestOnes("Alpha", kWords, 9).size() == 4);
    CHECK(profile::nearestOnes(std::string(1000, 'x'), kWords, 1).size() == 1);
}

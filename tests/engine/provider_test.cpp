// SPDX-License-Identifier: GPL-3.0-or-later
//
// Providers of every kind: what they write, what passes to whom, and what they are told.
#include "core/etw/engine/current_thread.h"
#include "tests/engine/engine_fixture.h"

#include <array>
#include <atomic>
#include <cstring>
#include <fstream>
#include <iterator>

using namespace tracedeck;
using namespace tracedeck::test;
using etw::EnableNotice;
using etw::EventFilter;

namespace {

constexpr Guid kManifest = Guid::of(0x11111111, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kClassic = Guid::of(0x22222222, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kClass = Guid::of(0x33333333, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kOne = Guid::of(0x44444444, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kTwo = Guid::of(0x55555555, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});

struct Traced {
    etw::SessionId start(const std::string& name = "ring") {
        auto config = ringConfig();
        config.name = name;
        return calls.start(config).id;
    }
    Status enable(etw::SessionId id, const etw::ProviderConfig& provider) {
        return etw::await<void>([&](auto done) { engine.enable(id, provider, std::move(done)); });
    }
    Status disable(etw::SessionId id, const Guid& provider) {
        return etw::await<void>([&](auto done) { engine.disable(id, provider, std::move(done)); });
    }
    Status capture(etw::SessionId id, const Guid& provider, std::uint64_t keywords) {
        return etw::await<void>([&](auto done) { engine.captureState(id, provider, keywords, std::move(done)); });
    }
    std::uint64_t recorded(etw::SessionId id) { return calls.query(id).eventsProduced; }

    TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine{{&clock, &systemFiles(), nullptr}};
    Calls calls{engine};
};

etw::ProviderConfig configOf(const Guid& provider, std::uint8_t level = 0xFF, std::uint64_t any = 0) {
    etw::ProviderConfig config;
    config.provider = provider;
    config.level = level;
    config.matchAnyKeyword = any;
    return config;
}

etw::ManifestEvent eventOf(std::uint16_t id, std::uint64_t keyword = 0, std::uint8_t level = 4) {
    etw::ManifestEvent event;
    event.descriptor.id = id;
    event.descriptor.level = level;
    event.descriptor.keyword = keyword;
    return event;
}

/// The event headers of a file, byte for byte: what is between the buffer header and the end of the events.
std::vector<std::byte> firstDataBuffer(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::vector<char> all{std::istreambuf_iterator<char>(file), {}};
    etlformat::BufferHeader header;
    std::memcpy(&header, all.data(), sizeof header);
    const std::size_t second = header.bufferSize;
    REQUIRE(all.size() >= 2 * second);
    std::memcpy(&header, all.data() + second, sizeof header);
    const auto bytes =
        std::as_bytes(std::span(all)).subspan(second + sizeof header, header.savedOffset - sizeof header);
    return {bytes.begin(), bytes.end()};
}

template <class T>
T at(const std::vector<std::byte>& bytes, std::size_t offset) {
    T value;
    REQUIRE(offset + sizeof value <= bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

} // namespace

TEST_CASE("A manifest event lies in the file as etl-format says", "[engine][provider]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto id = traced.start();
    REQUIRE(traced.enable(id, configOf(kManifest)));
    const std::uint32_t number = 0xAABBCCDD;
    const std::array<std::byte, 3> tail{std::byte{1}, std::byte{2}, std::byte{3}};
    const std::array<std::span<const std::byte>, 3> parts{std::as_bytes(std::span(&number, 1)), {}, tail};
    etw::ManifestEvent event;
    event.descriptor = {0x0102, 3, 4, 5, 6, 0x0708, 0x8000000000000001};
    event.payload = parts;
    writer->write(event);
    event.activity = kOne;
    event.relatedActivity = kTwo;
    writer->write(event);
    traced.calls.stop(id, traced.folder.file("m.etl"));
    CHECK(checkedEtl(traced.folder.file("m.etl")).dataEvents() == 2);
    const auto bytes = firstDataBuffer(traced.folder.file("m.etl"));
    CHECK(at<std::uint16_t>(bytes, 0x00) == 0x50 + 7);
    CHECK(at<std::uint16_t>(bytes, 0x02) == 0xC013);
    CHECK(at<std::uint32_t>(bytes, 0x04) == 0); // flags, property
    CHECK(at<std::uint32_t>(bytes, 0x08) == etw::engine::currentThreadId());
    CHECK(at<std::uint32_t>(bytes, 0x0C) == etw::engine::currentProcessId());
    CHECK(at<Guid>(bytes, 0x18) == kManifest);
    CHECK(at<std::uint16_t>(bytes, 0x28) == 0x0102);
    CHECK(at<std::uint8_t>(bytes, 0x2A) == 3); // version
    CHECK(at<std::uint8_t>(bytes, 0x2B) == 4); // channel
    CHECK(at<std::uint8_t>(bytes, 0x2C) == 5); // level
    CHECK(at<std::uint8_t>(bytes, 0x2D) == 6); // opcode
    CHECK(at<std::uint16_t>(bytes, 0x2E) == 0x0708);
    CHECK(at<std::uint64_t>(bytes, 0x30) == 0x8000000000000001);
    CHECK(at<Guid>(bytes, 0x40).isNull());
    CHECK(at<std::uint32_t>(bytes, 0x50) == number);
    CHECK(at<std::byte>(bytes, 0x56) == std::byte{3});
    CHECK(at<std::byte>(bytes, 0x57) == std::byte{0}); // padding
    const std::size_t second = 0x58;
    CHECK(at<std::uint16_t>(bytes, second) == 0x50 + 0x18 + 7);
    CHECK(at<std::uint16_t>(bytes, second + 0x04) == 1); // extended
    CHECK(at<Guid>(bytes, second + 0x40) == kOne);
    CHECK(at<std::uint16_t>(bytes, second + 0x50) == 0x18); // item: whole size, type, no other, size of the data
    CHECK(at<std::uint16_t>(bytes, second + 0x52) == 1);
    CHECK(at<std::uint16_t>(bytes, second + 0x54) == 0);
    CHECK(at<std::uint16_t>(bytes, second + 0x56) == 16);
    CHECK(at<Guid>(bytes, second + 0x58) == kTwo);
    CHECK(at<std::uint32_t>(bytes, second + 0x68) == number);
}

TEST_CASE("Classic events have the headers of TraceEvent and TraceEventInstance", "[engine][provider]") {
    Traced traced;
    const auto writer = traced.engine.registerClassic(kClassic, nullptr);
    const auto id = traced.start();
    REQUIRE(traced.enable(id, configOf(kClassic, 4, 0xFFFFFFFF)));
    const auto payload =
        GENERATE(std::size_t{0}, std::size_t{5}, std::size_t{8}, std::size_t{13}, std::size_t{16}, std::size_t{40});
    std::vector<std::byte> data;
    for (std::size_t i = 0; i < payload; ++i) {
        data.push_back(static_cast<std::byte>(i + 1));
    }
    writer->write({kClass, 7, 0x0203, 4, 1, data, {}});
    writer->write({kClass, 8, 0, 0, 0, data, etw::ClassicEvent::Instance{10, 11, kTwo}});
    writer->write({kClass, 9, 0, 5, 1, data, {}}); // too verbose
    traced.calls.stop(id, traced.folder.file("c.etl"));
    CHECK(checkedEtl(traced.folder.file("c.etl")).dataEvents() == 2);
    const auto bytes = firstDataBuffer(traced.folder.file("c.etl"));
    CHECK(at<std::uint16_t>(bytes, 0x00) == 0x30 + payload);
    CHECK(at<std::uint16_t>(bytes, 0x02) == 0xC014);
    CHECK(at<std::uint8_t>(bytes, 0x04) == 7);
    CHECK(at<std::uint8_t>(bytes, 0x05) == 4);
    CHECK(at<std::uint16_t>(bytes, 0x06) == 0x0203);
    CHECK(at<Guid>(bytes, 0x18) == kClass);
    CHECK(std::equal(data.begin(), data.end(), bytes.begin() + 0x30));
    const std::size_t second = etlformat::alignEvent(0x30 + payload);
    CHECK(at<std::uint16_t>(bytes, second) == 0x48 + payload);
    CHECK(at<std::uint16_t>(bytes, second + 0x02) == 0xC015);
    CHECK(at<std::uint32_t>(bytes, second + 0x30) == 10);
    CHECK(at<std::uint32_t>(bytes, second + 0x34) == 11);
    CHECK(at<Guid>(bytes, second + 0x38) == kTwo);
    CHECK(std::equal(data.begin(), data.end(), bytes.begin() + static_cast<std::ptrdiff_t>(second) + 0x48));
}

TEST_CASE("Event ids pass or are kept out", "[engine][filter]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto selfDescribing = traced.engine.registerProvider("Filtered");
    const auto id = traced.start();
    const bool isIn = GENERATE(true, false);
    EventFilter filter;
    filter.isFilterIn = isIn;
    filter.ids = {9, 3};
    auto config = configOf(kManifest);
    config.filters = {filter};
    REQUIRE(traced.enable(id, config));
    for (const std::uint16_t each : {std::uint16_t{2}, std::uint16_t{3}, std::uint16_t{9}, std::uint16_t{10}}) {
        writer->write(eventOf(each));
    }
    CHECK(traced.recorded(id) == 2);
    config.provider = selfDescribing->providerId();
    REQUIRE(traced.enable(id, config));
    selfDescribing->write({"Event", 4, 0, 0, {}}); // has no id: the filter does not concern it
    CHECK(traced.recorded(id) == 3);
    REQUIRE(traced.enable(id, configOf(kManifest))); // replaces the filters too
    writer->write(eventOf(2));
    writer->write(eventOf(3));
    CHECK(traced.recorded(id) == 5);
}

TEST_CASE("Event names pass or are kept out, with level and keyword", "[engine][filter]") {
    Traced traced;
    const auto writer = traced.engine.registerProvider("Filtered");
    const auto id = traced.start();
    const bool isIn = GENERATE(true, false);
    EventFilter filter;
    filter.kind = EventFilter::Kind::EventName;
    filter.isFilterIn = isIn;
    filter.level = 4;
    filter.keyword = 0x2;
    filter.names = {"Wanted", "Also"};
    auto config = configOf(writer->providerId());
    config.filters = {filter};
    REQUIRE(traced.enable(id, config));
    writer->write({"Wanted", 4, 0, 2, {}});
    writer->write({"Also", 1, 0, 6, {}});
    CHECK(traced.recorded(id) == (isIn ? 2U : 0U));
    writer->write({"Wanted", 5, 0, 2, {}}); // not meant: above the level
    writer->write({"Wanted", 4, 0, 1, {}}); // another keyword
    writer->write({"Other", 4, 0, 2, {}});
    CHECK(traced.recorded(id) == (isIn ? 2U : 3U));
}

TEST_CASE("Filters of programs and processes keep this one in or out", "[engine][filter]") {
    Traced traced;
    const auto writer = traced.engine.registerProvider("Filtered");
    const auto id = traced.start();
    struct Row {
        const char* what;
        EventFilter::Kind kind;
        std::vector<std::string> names;
        std::vector<std::uint32_t> ids;
        bool passes;
    };
    std::string loud = etw::engine::currentProgram();
    REQUIRE(loud == "engine_test");
    loud[0] = 'E';
    const std::uint32_t self = etw::engine::currentProcessId();
    const std::vector<Row> rows = {
        {"this program", EventFilter::Kind::ExecutableName, {"other.exe", "engine_test"}, {}, true},
        {"without regard to case", EventFilter::Kind::ExecutableName, {loud}, {}, true},
        {"others", EventFilter::Kind::ExecutableName, {"other.exe", "engine"}, {}, false},
        {"this process", EventFilter::Kind::ProcessId, {}, {1, self}, true},
        {"other processes", EventFilter::Kind::ProcessId, {}, {1, 2}, false},
    };
    std::uint64_t expected = 0;
    for (const Row& row : rows) {
        INFO(row.what);
        EventFilter filter;
        filter.kind = row.kind;
        filter.names = row.names;
        filter.processIds = row.ids;
        auto config = configOf(writer->providerId());
        config.filters = {filter};
        REQUIRE(traced.enable(id, config));
        CHECK(writer->isEnabled(4, 0) == row.passes);
        writer->write({"Event", 4, 0, 0, {}});
        expected += row.passes ? 1U : 0U;
        CHECK(traced.recorded(id) == expected);
        REQUIRE(traced.disable(id, writer->providerId()));
    }
}

TEST_CASE("Bad filters are refused with ETW's code and change nothing", "[engine][filter]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto id = traced.start();
    REQUIRE(traced.enable(id, configOf(kManifest)));
    const auto filterOf = [](EventFilter::Kind kind) {
        EventFilter filter;
        filter.kind = kind;
        filter.ids = {1};
        filter.names = {"a"};
        filter.processIds = {1};
        return filter;
    };
    using Kind = EventFilter::Kind;
    std::vector<std::pair<const char*, EventFilter>> bad;
    const auto spoil = [&](const char* what, Kind kind, auto change) {
        EventFilter filter = filterOf(kind);
        change(filter);
        bad.emplace_back(what, filter);
    };
    spoil("no ids", Kind::EventId, [](EventFilter& f) { f.ids.clear(); });
    spoil("65 ids", Kind::EventId, [](EventFilter& f) { f.ids.assign(65, 1); });
    spoil("no names", Kind::EventName, [](EventFilter& f) { f.names.clear(); });
    spoil("an empty name", Kind::EventName, [](EventFilter& f) { f.names = {""}; });
    spoil("no programs", Kind::ExecutableName, [](EventFilter& f) { f.names.clear(); });
    spoil("programs of 1,026 bytes", Kind::ExecutableName, [](EventFilter& f) { f.names = {std::string(512, 'a')}; });
    spoil("programs kept out", Kind::ExecutableName, [](EventFilter& f) { f.isFilterIn = false; });
    spoil("no processes", Kind::ProcessId, [](EventFilter& f) { f.processIds.clear(); });
    spoil("nine processes", Kind::ProcessId, [](EventFilter& f) { f.processIds.assign(9, 1); });
    spoil("stacks without stacks", Kind::StackEventId, [](EventFilter&) {});
    spoil("stacks by name without stacks", Kind::StackEventName, [](EventFilter&) {});
    spoil("stacks by level without stacks", Kind::StackKeywordLevel, [](EventFilter&) {});
    const auto check = [&](const etw::ProviderConfig& config) {
        const auto refused = traced.enable(id, config);
        REQUIRE_FALSE(refused);
        CHECK(refused.error().code == ErrorCode::SessionBadParameters);
        CHECK(refused.error().native == etw::win32::kInvalidParameter);
    };
    for (const auto& [what, filter] : bad) {
        INFO(what);
        auto config = configOf(kManifest);
        config.filters = {filter};
        check(config);
    }
    auto twice = configOf(kManifest);
    twice.filters = {filterOf(Kind::EventId), filterOf(Kind::EventId)};
    check(twice);
    writer->write(eventOf(77));
    CHECK(traced.recorded(id) == 1);
    // What is just within the limits.
    auto good = configOf(kManifest);
    good.captureStack = true;
    good.filters = {filterOf(Kind::EventId), filterOf(Kind::StackEventId), filterOf(Kind::ExecutableName)};
    good.filters[0].ids.assign(64, 1);
    good.filters[2].names = {std::string(511, 'a')};
    CHECK(traced.enable(id, good));
}

TEST_CASE("Properties: events without keywords can be left out, more data is a stated limitation", "[engine][filter]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto id = traced.start();
    auto config = configOf(kManifest, 0xFF, 1);
    config.enableProperties = 0x10 | 0x200;
    REQUIRE(traced.enable(id, config));
    writer->write(eventOf(1, 0));
    writer->write(eventOf(1, 1));
    CHECK(traced.recorded(id) == 1);
    CHECK(traced.calls.query(id).limitations.empty());
    config.enableProperties = 0x8; // PSM_KEY
    REQUIRE(traced.enable(id, config));
    CHECK(traced.calls.query(id).limitations ==
          std::vector<etw::Limitation>{{etw::LimitationCode::FeatureNotServed, "EnableProperties", 0}});
}

TEST_CASE("A provider is told what its sessions want together", "[engine][provider]") {
    Traced traced;
    std::vector<EnableNotice> told;
    const auto writer =
        traced.engine.registerManifest(kManifest, [&](const EnableNotice& notice) { told.push_back(notice); });
    using Code = EnableNotice::Code;
    const auto one = traced.start("one");
    const auto two = traced.start("two");
    CHECK_FALSE(writer->isEnabled(1, 0));
    auto config = configOf(kManifest, 3, 0x1);
    config.matchAllKeyword = 0x30;
    REQUIRE(traced.enable(one, config));
    CHECK(told.back() == EnableNotice{Code::Enable, 3, 0x1, 0x30});
    CHECK(writer->isEnabled(3, 1));
    CHECK_FALSE(writer->isEnabled(4, 1));
    CHECK_FALSE(writer->isEnabled(3, 2));
    CHECK(writer->isEnabled(3, 0));
    config = configOf(kManifest, 5, 0x6);
    config.matchAllKeyword = 0x10;
    REQUIRE(traced.enable(two, config));
    CHECK(told.back() == EnableNotice{Code::Enable, 5, 0x7, 0x10});
    REQUIRE(traced.enable(two, configOf(kManifest, 0, 0)));
    CHECK(told.back() == EnableNotice{Code::Enable, 0xFF, ~std::uint64_t{0}, 0});
    REQUIRE(traced.disable(two, kManifest));
    CHECK(told.back() == EnableNotice{Code::Enable, 3, 0x1, 0x30});
    // One that registers later is told at once.
    std::vector<EnableNotice> late;
    const auto second =
        traced.engine.registerManifest(kManifest, [&](const EnableNotice& notice) { late.push_back(notice); });
    CHECK(late == std::vector<EnableNotice>{{Code::Enable, 3, 0x1, 0x30}});
    traced.calls.stop(one);
    CHECK(told.back() == EnableNotice{Code::Disable, 0, 0, 0});
    CHECK(late.back() == EnableNotice{Code::Disable, 0, 0, 0});
    CHECK_FALSE(writer->isEnabled(0, 0));
}

TEST_CASE("A captured state is in the session when the request returns", "[engine][provider]") {
    Traced traced;
    std::unique_ptr<etw::ManifestWriter> writer;
    std::vector<EnableNotice> told;
    writer = traced.engine.registerManifest(kManifest, [&](const EnableNotice& notice) {
        told.push_back(notice);
        if (notice.code == EnableNotice::Code::CaptureState) {
            writer->write(eventOf(100, notice.matchAnyKeyword));
            writer->write(eventOf(101, notice.matchAnyKeyword));
        }
    });
    const auto id = traced.start();
    const auto early = traced.capture(id, kManifest, 4);
    REQUIRE_FALSE(early);
    CHECK(early.error().native == etw::win32::kInvalidParameter); // not enabled
    const auto unknown = traced.capture(id, kOne, 4);
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().code == ErrorCode::ProviderUnknown);
    CHECK(unknown.error().native == etw::win32::kGuidNotFound);
    REQUIRE(traced.enable(id, configOf(kManifest, 5, 0x4)));
    REQUIRE(traced.capture(id, kManifest, 0x4));
    CHECK(told.back() == EnableNotice{EnableNotice::Code::CaptureState, 5, 0x4, 0});
    CHECK(traced.recorded(id) == 2);
    REQUIRE(traced.capture(id, kManifest, 0x8)); // told; the session does not want these keywords
    CHECK(traced.recorded(id) == 2);
}

TEST_CASE("Eight sessions can enable a provider, one a classic provider", "[engine][provider]") {
    Traced traced;
    const auto manifest = traced.engine.registerManifest(kManifest, nullptr);
    const auto classic = traced.engine.registerClassic(kClassic, nullptr);
    std::vector<etw::SessionId> sessions;
    for (int i = 0; i < 9; ++i) {
        sessions.push_back(traced.start("s" + std::to_string(i)));
    }
    for (int i = 0; i < 8; ++i) {
        REQUIRE(traced.enable(sessions[static_cast<std::size_t>(i)], configOf(kManifest)));
    }
    const auto ninth = traced.enable(sessions[8], configOf(kManifest));
    REQUIRE_FALSE(ninth);
    CHECK(ninth.error().code == ErrorCode::SessionLimit);
    CHECK(ninth.error().native == etw::win32::kNoSystemResources);
    CHECK(traced.enable(sessions[0], configOf(kManifest, 3))); // again is no other session
    REQUIRE(traced.enable(sessions[0], configOf(kClassic)));
    classic->write({kClass, 1, 0, 0, 0, {}, {}});
    REQUIRE(traced.enable(sessions[1], configOf(kClassic)));
    classic->write({kClass, 1, 0, 0, 0, {}, {}});
    CHECK(traced.recorded(sessions[0]) == 1);
    CHECK(traced.recorded(sessions[1]) == 1);
    CHECK(traced.disable(sessions[0], kClassic)); // is not its any more; no error
    classic->write({kClass, 1, 0, 0, 0, {}, {}});
    CHECK(traced.recorded(sessions[1]) == 2);
}

TEST_CASE("Nothing is produced for a paused session", "[engine][pause]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto id = traced.start();
    REQUIRE(traced.enable(id, configOf(kManifest)));
    const auto pause = [&] { return etw::await<void>([&](auto done) { traced.engine.pause(id, std::move(done)); }); };
    const auto resume = [&] { return etw::await<void>([&](auto done) { traced.engine.resume(id, std::move(done)); }); };
    const auto isWrongState = [](const Status& status) {
        return !status && status.error().code == ErrorCode::WrongState;
    };
    CHECK(isWrongState(resume()));
    writer->write(eventOf(1));
    REQUIRE(pause());
    CHECK(isWrongState(pause()));
    const std::vector<std::byte> huge(70000);
    const std::array<std::span<const std::byte>, 1> parts{huge};
    auto tooLarge = eventOf(1);
    tooLarge.payload = parts;
    writer->write(tooLarge); // would be lost
    writer->write(eventOf(1));
    auto stats = traced.calls.query(id);
    CHECK(stats.isPaused);
    CHECK(stats.eventsProduced == 1);
    CHECK(stats.eventsLost == 0);
    traced.calls.flush(id, traced.folder.file("paused.etl"));
    CHECK(checkedEtl(traced.folder.file("paused.etl")).dataEvents() == 1);
    REQUIRE(resume());
    writer->write(eventOf(1));
    stats = traced.calls.query(id);
    CHECK_FALSE(stats.isPaused);
    CHECK(stats.eventsProduced == 2);
    REQUIRE(pause());
    traced.calls.stop(id, traced.folder.file("stopped.etl"));
    CHECK(checkedEtl(traced.folder.file("stopped.etl")).dataEvents() == 2);
}

TEST_CASE("A system logger passes pauses and other groups on to its source", "[engine][pause]") {
    const TemporaryFolder folder;
    SystemClock clock;
    FakeKernelSource kernel(clock, 2);
    etw::engine::Engine engine({&clock, &systemFiles(), &kernel});
    Calls calls(engine);
    auto config = systemConfig(fileConfig(folder.file("k.etl")));
    const auto id = calls.start(config).id;
    REQUIRE(etw::await<void>([&](auto done) { engine.pause(id, std::move(done)); }));
    REQUIRE(etw::await<void>([&](auto done) { engine.resume(id, std::move(done)); }));
    CHECK(kernel.calls() == std::vector<std::string>{"pause", "resume"});
    config.kernelGroups.set(etlformat::group::kProcess);
    config.stackHooks = {etlformat::hook::kSampledProfile};
    config.profileInterval = std::chrono::milliseconds(2);
    REQUIRE(calls.tryUpdate(id, config));
    REQUIRE(kernel.requests().size() == 2);
    CHECK(kernel.requests()[1].groups == config.kernelGroups);
    CHECK(kernel.requests()[1].stackHooks == config.stackHooks);
    CHECK(kernel.requests()[1].profileInterval == config.profileInterval);
    auto refused = config;
    refused.kernelGroups = {};
    const auto none = calls.tryUpdate(id, refused);
    REQUIRE_FALSE(none);
    CHECK(none.error().code == ErrorCode::KernelEventsRefused);
    refused = config;
    refused.stackHooks.assign(257, 1);
    CHECK_FALSE(calls.tryUpdate(id, refused));
    config.kernelGroups = {};
    config.kernelGroups.set(etlformat::group::kProfile);
    REQUIRE(calls.tryUpdate(id, config));
    kernel.emit(0);
    calls.stop(id);
    // The header tells all that the file may hold: the group that was taken back as well.
    checkedEtl(folder.file("k.etl"));
    std::ifstream file(folder.file("k.etl"), std::ios::binary);
    std::vector<char> header(65536);
    REQUIRE(file.read(header.data(), static_cast<std::streamsize>(header.size())));
    std::uint16_t size = 0;
    std::memcpy(&size, header.data() + etlformat::kBufferHeaderSize + 4, sizeof size);
    std::array<std::uint32_t, 8> masks{};
    std::memcpy(masks.data(),
                header.data() + etlformat::kBufferHeaderSize + etlformat::alignEvent(size) +
                    sizeof(etlformat::SystemHeader),
                sizeof masks);
    CHECK(masks[0] == 1);
    CHECK(masks[1] == 2);
}

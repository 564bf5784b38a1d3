// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a session's properties add to events, which stacks its filters let through, and how long it waits for providers.
#include "core/etlformat/kernel_events.h"
#include "core/etw/engine/call_stack.h"
#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/event_items.h"
#include "tests/engine/engine_fixture.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <future>
#include <set>

using namespace tracedeck;
using namespace tracedeck::test;
using etw::EnableNotice;
using etw::EventFilter;
using etw::engine::kCanWalkStacks;
namespace property = etw::engine::enable_property;

namespace {

constexpr Guid kManifest = Guid::of(0x11111111, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
constexpr Guid kOne = Guid::of(0x44444444, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});

constexpr Guid kTwo = Guid::of(0x55555555, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});

struct Item {
    std::uint16_t type = 0;
    std::vector<std::byte> data;
};
using Items = std::vector<Item>;

/// The extended items of an event (RawEvent::payload), read to the letter: sizes, linkage, padding.
Items itemsOf(const std::vector<std::byte>& bytes) {
    Items items;
    std::size_t at = 0;
    bool isMore = true;
    while (isMore) {
        etlformat::ExtendedItem item;
        REQUIRE(at + sizeof item <= bytes.size());
        std::memcpy(&item, bytes.data() + at, sizeof item);
        REQUIRE(at + item.totalSize <= bytes.size());
        CHECK(item.totalSize == etlformat::alignEvent(sizeof item + item.dataSize));
        CHECK(item.linkage <= 1);
        const auto data = bytes.begin() + static_cast<std::ptrdiff_t>(at + sizeof item);
        items.push_back({item.type, {data, data + item.dataSize}});
        isMore = item.linkage == 1;
        at += item.totalSize;
    }
    return items;
}

template <class T>
T valueOf(const Item& item) {
    T value;
    REQUIRE(item.data.size() == sizeof value);
    std::memcpy(&value, item.data.data(), sizeof value);
    return value;
}

std::vector<std::uint64_t> stackOf(const Items& items) {
    constexpr std::uint16_t kStack64 = 6;
    for (const Item& item : items) {
        if (item.type == kStack64) {
            REQUIRE(item.data.size() % 8 == 0);
            std::vector<std::uint64_t> words(item.data.size() / 8);
            std::memcpy(words.data(), item.data.data(), item.data.size());
            CHECK(words.front() == 0); // match id
            return {words.begin() + 1, words.end()};
        }
    }
    return {};
}

struct Traced {
    etw::SessionId start(const std::string& name = "ring") {
        auto config = ringConfig();
        config.name = name;
        return calls.start(config).id;
    }
    Status enable(etw::SessionId id, const etw::ProviderConfig& provider) {
        return etw::await<void>([&](auto done) { engine.enable(id, provider, std::move(done)); });
    }
    Status capture(etw::SessionId id, const Guid& provider, const etw::CaptureState& state) {
        return etw::await<void>([&](auto done) { engine.captureStateWithin(id, provider, state, std::move(done)); });
    }
    /// The events of the session, which ends, in the order in which one thread wrote them.
    std::vector<RawEvent> stop(etw::SessionId id) {
        const std::string path = folder.file(std::to_string(id.value) + ".etl");
        calls.stop(id, path);
        const RawEtl etl = checkedEtl(path);
        std::vector<RawEvent> events;
        for (std::size_t i = 1; i < etl.buffers.size(); ++i) {
            events.insert(events.end(), etl.buffers[i].events.begin(), etl.buffers[i].events.end());
        }
        std::stable_sort(events.begin(), events.end(),
                         [](const RawEvent& a, const RawEvent& b) { return a.time < b.time; });
        return events;
    }

    TemporaryFolder folder;
    SystemClock clock;
    etw::engine::Engine engine{{&clock, &systemFiles(), nullptr}};
    Calls calls{engine};
};

etw::ProviderConfig configOf(const Guid& provider, std::uint32_t properties = 0) {
    etw::ProviderConfig config;
    config.provider = provider;
    config.name = "Some-Provider";
    config.enableProperties = properties;
    return config;
}

etw::ManifestEvent eventOf(std::uint16_t id, std::uint64_t keyword = 0, std::uint8_t level = 4) {
    etw::ManifestEvent event;
    event.descriptor.id = id;
    event.descriptor.level = level;
    event.descriptor.keyword = keyword;
    return event;
}

/// What the limitations say that this platform has no stacks.
bool canWalk() {
    if (!kCanWalkStacks) {
        WARN("SKIPPED: stacks cannot be walked on this platform");
    }
    return kCanWalkStacks;
}

/// Notes what each of its calls returns to, and calls `deepest` in the last one.
template <class Deepest>
[[gnu::noinline]] void callDeep(int depth, std::vector<std::uint64_t>& returnAddresses, Deepest& deepest) {
    returnAddresses.push_back(reinterpret_cast<std::uint64_t>(__builtin_return_address(0)));
    if (depth == 0) {
        deepest();
    } else {
        callDeep(depth - 1, returnAddresses, deepest);
    }
    asm volatile("" ::: "memory"); // something is left to do here: neither call is the function's last
}

/// A process of this program that does nothing until it is killed.
struct OtherProcess {
    OtherProcess() : id(::fork()) {
        if (id == 0) {
            ::alarm(60); // should nobody be left to kill it
            ::pause();
            ::_exit(0);
        }
        REQUIRE(id > 0);
    }
    ~OtherProcess() {
        ::kill(id, SIGKILL);
        ::waitpid(id, nullptr, 0);
    }
    OtherProcess(const OtherProcess&) = delete;
    OtherProcess& operator=(const OtherProcess&) = delete;
    const pid_t id;
};

struct Walk {
    [[gnu::noinline]] void operator()() {
        frames = etw::engine::walkStack(__builtin_frame_address(0), found);
        asm volatile("" ::: "memory");
    }
    std::array<std::uint64_t, etw::engine::kMostFrames> found{};
    std::size_t frames = 0;
};

} // namespace

TEST_CASE("A walk finds each caller in order and stops at the limit", "[engine][stack]") {
    if (!canWalk()) {
        return;
    }
    const int depth = GENERATE(0, 3, 500);
    std::vector<std::uint64_t> expected;
    Walk walk;
    callDeep(depth, expected, walk);
    REQUIRE(expected.size() == static_cast<std::size_t>(depth) + 1);
    std::reverse(expected.begin(), expected.end());
    // The first is in the deepest function; then come what the functions return to.
    REQUIRE(walk.frames >= 1);
    const std::size_t common = std::min(walk.frames - 1, expected.size());
    CHECK(common == std::min(expected.size(), etw::engine::kMostFrames - 1));
    CHECK(std::equal(expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(common), walk.found.begin() + 1));
}

TEST_CASE("A walk stays on the stack, whatever the frame pointers say", "[engine][stack]") {
    if (!canWalk()) {
        return;
    }
    const auto framesOf = [](std::uint64_t caller) {
        std::array<std::uint64_t, 4> lie{caller, 0x12345678, 0, 0};
        std::array<std::uint64_t, etw::engine::kMostFrames> found{};
        return etw::engine::walkStack(lie.data(), found);
    };
    CHECK(framesOf(0) == 1);
    CHECK(framesOf(8) == 1);                                                               // below
    CHECK(framesOf(~std::uint64_t{0} - 7) == 1);                                           // above everything
    CHECK(framesOf(reinterpret_cast<std::uint64_t>(__builtin_frame_address(0)) + 1) == 1); // not aligned
    const auto heap = std::make_unique<std::array<std::uint64_t, 4>>();
    (*heap)[0] = reinterpret_cast<std::uint64_t>(heap.get()) + 16;
    (*heap)[1] = 0x12345678;
    CHECK(framesOf(reinterpret_cast<std::uint64_t>(heap.get())) == 1);
    // A frame that points to itself or downwards ends the walk.
    std::array<std::uint64_t, 4> loop{0, 0x1234567, 0, 0x1234567};
    loop[0] = reinterpret_cast<std::uint64_t>(&loop[2]);
    loop[2] = reinterpret_cast<std::uint64_t>(loop.data());
    std::array<std::uint64_t, etw::engine::kMostFrames> found{};
    CHECK(etw::engine::walkStack(loop.data(), found) == 2);
}

TEST_CASE("A thread's first stack is walked without allocation in a signal handler on a stack of its own",
          "[engine][stack]") {
    if (!canWalk()) {
        return;
    }
    static std::atomic<std::size_t> s_frames{0};
    std::thread([] {
        std::vector<std::byte> memory(64 * 1024);
        stack_t stack{};
        stack.ss_sp = memory.data();
        stack.ss_size = memory.size();
        struct sigaction action {};
        action.sa_flags = SA_ONSTACK;
        action.sa_handler = [](int) {
            std::array<std::uint64_t, etw::engine::kMostFrames> found{};
            s_frames = etw::engine::walkStack(__builtin_frame_address(0), found);
        };
        if (::sigaltstack(&stack, nullptr) == 0 && ::sigaction(SIGUSR2, &action, nullptr) == 0) {
            ::raise(SIGUSR2);
        }
        std::vector<std::uint64_t> expected;
        Walk walk; // the stack of the thread itself is found, too, although that of the handler came first
        callDeep(5, expected, walk);
        s_frames = s_frames > 0 ? walk.frames : 0;
        stack.ss_flags = SS_DISABLE;
        ::sigaltstack(&stack, nullptr);
    }).join();
    CHECK(s_frames >= 6);
}

TEST_CASE("Events get the stacks that filters of ids, of levels and keywords, let through", "[engine][stack][filter]") {
    if (!canWalk()) {
        return;
    }
    using Kind = EventFilter::Kind;
    struct Row {
        const char* what;
        Kind kind;
        bool isIn;
        std::vector<std::uint16_t> ids;
        std::uint8_t level;
        std::uint64_t keyword;
        std::set<std::uint16_t> withStack;
    };
    // Events: 1 (level 2, keyword 1), 2 (level 4, keyword 2), 3 (level 4, none).
    const std::vector<Row> rows = {
        {"ids", Kind::StackEventId, true, {3, 1}, 0, 0, {1, 3}},
        {"all but ids", Kind::StackEventId, false, {3, 1}, 0, 0, {2}},
        {"level", Kind::StackKeywordLevel, true, {}, 3, 0, {1}},
        {"keyword", Kind::StackKeywordLevel, true, {}, 0, 2, {2}},
        {"level and keyword", Kind::StackKeywordLevel, true, {}, 3, 2, {}},
        {"all but those", Kind::StackKeywordLevel, false, {}, 3, 1, {2, 3}},
        {"everything", Kind::StackKeywordLevel, true, {}, 0, 0, {1, 2, 3}},
    };
    for (const Row& row : rows) {
        INFO(row.what);
        Traced traced;
        const auto writer = traced.engine.registerManifest(kManifest, nullptr);
        const auto id = traced.start();
        EventFilter filter;
        filter.kind = row.kind;
        filter.isFilterIn = row.isIn;
        filter.ids = row.ids;
        filter.level = row.level;
        filter.keyword = row.keyword;
        auto config = configOf(kManifest);
        config.captureStack = true;
        config.filters = {filter};
        REQUIRE(traced.enable(id, config));
        CHECK(traced.calls.query(id).limitations.empty());
        writer->write(eventOf(1, 1, 2));
        writer->write(eventOf(2, 2, 4));
        writer->write(eventOf(3, 0, 4));
        const auto events = traced.stop(id);
        REQUIRE(events.size() == 3);
        for (std::uint16_t i = 0; i < 3; ++i) {
            const bool hasStack = !events[i].payload.empty() && !stackOf(itemsOf(events[i].payload)).empty();
            CHECK(hasStack == row.withStack.contains(static_cast<std::uint16_t>(i + 1)));
        }
    }
}

TEST_CASE("Names decide which self-describing events get a stack, all kinds of filters together",
          "[engine][stack][filter]") {
    if (!canWalk()) {
        return;
    }
    Traced traced;
    const auto writer = traced.engine.registerProvider("Named");
    const auto id = traced.start();
    auto config = configOf(writer->providerId());
    config.captureStack = true;
    EventFilter names;
    names.kind = EventFilter::Kind::StackEventName;
    names.names = {"Wanted", "Also"};
    names.keyword = 2;
    EventFilter levels;
    levels.kind = EventFilter::Kind::StackKeywordLevel;
    levels.level = 4;
    EventFilter ids; // of events that have one
    ids.kind = EventFilter::Kind::StackEventId;
    ids.ids = {77};
    config.filters = {names, levels, ids};
    REQUIRE(traced.enable(id, config));
    writer->write({"Wanted", 4, 0, 2, {{"a", std::uint32_t{1}}}});
    writer->write({"Other", 4, 0, 2, {{"a", std::uint32_t{1}}}});
    writer->write({"Also", 5, 0, 2, {{"a", std::uint32_t{1}}}}); // above the level
    writer->write({"Also", 4, 0, 1, {{"a", std::uint32_t{1}}}}); // another keyword
    const auto events = traced.stop(id);
    REQUIRE(events.size() == 4);
    const bool expected[] = {true, false, false, false};
    for (std::size_t i = 0; i < events.size(); ++i) {
        const Items items = itemsOf(events[i].payload);
        REQUIRE(items.size() >= 2);
        CHECK(items[0].type == 0x0C);
        CHECK(items[1].type == 0x0B);
        CHECK(!stackOf(items).empty() == expected[i]);
    }
}

TEST_CASE("Properties put their data behind the header, in items that are linked", "[engine][properties]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto one = traced.start("one");
    const auto two = traced.start("two");
    const etw::engine::Process self = etw::engine::Process::self();
    std::uint32_t properties = property::kEventKey;
    properties |= self.sid.empty() ? 0U : property::kSid;
    properties |= self.startKey ? property::kProcessStartKey : 0U;
    properties |= self.sessionId ? property::kTerminalSessionId : 0U;
    REQUIRE(traced.enable(one, configOf(kManifest, properties)));
    REQUIRE(traced.enable(two, configOf(kManifest, property::kEventKey)));
    CHECK(traced.calls.query(one).limitations.empty());
    auto event = eventOf(1);
    event.relatedActivity = kOne;
    const std::uint32_t number = 0x01020304;
    const std::array<std::span<const std::byte>, 1> parts{std::as_bytes(std::span(&number, 1))};
    event.payload = parts;
    writer->write(event);
    writer->write(event);
    const auto first = traced.stop(one);
    const auto second = traced.stop(two);
    REQUIRE(first.size() == 2);
    REQUIRE(second.size() == 2);
    std::set<std::uint64_t> keys;
    for (std::size_t i = 0; i < 2; ++i) {
        const Items items = itemsOf(first[i].payload);
        std::set<std::uint16_t> types;
        std::uint64_t key = 0;
        for (const Item& item : items) {
            types.insert(item.type);
            if (item.type == 0x02) {
                CHECK(item.data == etlformat::encodeSid(etlformat::sidOfUnixUser(::geteuid())));
            } else if (item.type == 0x03) {
                CHECK(valueOf<std::uint32_t>(item) == self.sessionId);
            } else if (item.type == 0x0D) {
                CHECK(valueOf<std::uint64_t>(item) == self.startKey);
                CHECK((valueOf<std::uint64_t>(item) & 0x3FFFFF) == static_cast<std::uint64_t>(::getpid()));
            } else if (item.type == 0x0A) {
                key = valueOf<std::uint64_t>(item);
            }
        }
        CHECK(items.front().type == 0x01);
        CHECK(valueOf<Guid>(items.front()) == kOne);
        CHECK(types.size() == items.size());
        CHECK(types.contains(0x02) == !self.sid.empty());
        CHECK(types.contains(0x03) == self.sessionId.has_value());
        CHECK(types.contains(0x0D) == self.startKey.has_value());
        // The same event has one key whatever the session.
        const Items others = itemsOf(second[i].payload);
        REQUIRE(others.size() == 2);
        CHECK(others[1].type == 0x0A);
        CHECK(valueOf<std::uint64_t>(others[1]) == key);
        CHECK(key != 0);
        keys.insert(key);
        std::uint32_t last = 0;
        std::memcpy(&last, first[i].payload.data() + first[i].payload.size() - sizeof last, sizeof last);
        CHECK(last == number);
    }
    CHECK(keys.size() == 2);
#ifdef __linux__
    CHECK_FALSE(self.sid.empty());
    CHECK(self.startKey.has_value());
#endif
}

TEST_CASE("What no event can have is said when it is asked for", "[engine][properties]") {
    Traced traced;
    const auto manifest = traced.engine.registerManifest(kManifest, nullptr);
    const auto classic = traced.engine.registerClassic(kOne, nullptr);
    const auto other = traced.engine.registerProviderOf(1, "Other");
    const etw::Limitation properties{etw::LimitationCode::FeatureNotServed, "EnableProperties", 0};
    const etw::Limitation stacks{etw::LimitationCode::StackNotServed, "Some-Provider", 0};
    const auto limitationsOf = [&](const etw::ProviderConfig& config) {
        const auto id = traced.start();
        REQUIRE(traced.enable(id, config));
        auto limitations = traced.calls.stop(id).limitations;
        return limitations;
    };
    using Limitations = std::vector<etw::Limitation>;
    CHECK(limitationsOf(configOf(kManifest, 0x10 | 0x40 | 0x100 | 0x200)).empty());
    for (const std::uint32_t unserved : {0x8U, 0x20U, 0x400U, 0x800U, 0x1000U}) {
        CHECK(limitationsOf(configOf(kManifest, unserved)) == Limitations{properties});
    }
    const bool hasLogin = etw::engine::Process::self().sessionId.has_value();
    CHECK(limitationsOf(configOf(kManifest, 0x2)).empty() == hasLogin);
    CHECK(limitationsOf(configOf(kOne, 0x100)) == Limitations{properties});
    auto withStack = configOf(kOne);
    withStack.captureStack = true;
    CHECK(limitationsOf(withStack) == Limitations{stacks});
    withStack.provider = other->providerId();
    CHECK(limitationsOf(withStack) == Limitations{stacks});
    withStack.provider = kManifest;
    CHECK(limitationsOf(withStack) == (kCanWalkStacks ? Limitations{} : Limitations{stacks}));
}

TEST_CASE("Events without keywords pass unless they are to be ignored", "[engine][properties]") {
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    struct Row {
        std::uint32_t properties;
        std::uint64_t expected;
    };
    for (const Row& row : {Row{0, 2}, Row{property::kEnableKeyword0, 2}, Row{property::kIgnoreKeyword0, 1}}) {
        const auto id = traced.start();
        auto config = configOf(kManifest, row.properties);
        config.matchAnyKeyword = 1;
        REQUIRE(traced.enable(id, config));
        writer->write(eventOf(1, 0));
        writer->write(eventOf(1, 1));
        writer->write(eventOf(1, 2));
        CHECK(traced.calls.stop(id).eventsProduced == row.expected);
    }
}

TEST_CASE("A stack that makes an event too large loses it, as ETW does", "[engine][stack]") {
    if (!canWalk()) {
        return;
    }
    Traced traced;
    const auto writer = traced.engine.registerManifest(kManifest, nullptr);
    const auto id = traced.start();
    auto config = configOf(kManifest);
    const std::vector<std::byte> payload(etlformat::kLargestEvent - sizeof(etlformat::EventHeader) - 1024);
    const std::array<std::span<const std::byte>, 1> parts{payload};
    auto event = eventOf(1);
    event.payload = parts;
    auto bufferConfig = ringConfig();
    bufferConfig.name = "large";
    bufferConfig.bufferSizeKib = 128;
    const auto large = traced.calls.start(bufferConfig).id;
    REQUIRE(traced.enable(large, config));
    writer->write(event);
    CHECK(traced.calls.query(large).eventsLost == 0);
    config.captureStack = true;
    REQUIRE(traced.enable(large, config));
    std::vector<std::uint64_t> ignored;
    auto write = [&] { writer->write(event); };
    callDeep(200, ignored, write);
    const auto stats = traced.calls.query(large);
    CHECK(stats.eventsProduced == 2);
    REQUIRE(stats.losses.size() == 1);
    CHECK(stats.losses.front().cause == etw::LossCause::EventTooLarge);
    traced.calls.stop(id);
}

TEST_CASE("Filters of processes go by the process that a provider belongs to", "[engine][filter]") {
    Traced traced;
    const OtherProcess child;
    const auto other = static_cast<std::uint32_t>(child.id);
    {
        const auto writer = traced.engine.registerProviderOf(other, "Handed-Over");
        const auto own = traced.engine.registerProvider("Handed-Over"); // of the same id, of this process
        const auto recorded = [&](EventFilter::Kind kind, std::uint32_t process, const std::string& program) {
            const auto id = traced.start();
            auto config = configOf(writer->providerId());
            EventFilter filter;
            filter.kind = kind;
            filter.processIds = {process};
            if (!program.empty()) {
                filter.names = {program};
            }
            config.filters = {filter};
            REQUIRE(traced.enable(id, config));
            writer->write({"Other", 4, 0, 0, {}});
            writer->write({"Other", 4, 0, 0, {}});
            own->write({"Own", 4, 0, 0, {}});
            return traced.calls.stop(id).eventsProduced;
        };
        CHECK(recorded(EventFilter::Kind::ProcessId, other, {}) == 2);
        CHECK(recorded(EventFilter::Kind::ProcessId, etw::engine::currentProcessId(), {}) == 1);
        CHECK(recorded(EventFilter::Kind::ProcessId, 0xFFFFFFF, {}) == 0);
        CHECK(recorded(EventFilter::Kind::ExecutableName, 0, "engine_test") == 3); // forked: the same program
        CHECK(recorded(EventFilter::Kind::ExecutableName, 0, "another") == 0);
    }
}

TEST_CASE("Who enables a provider waits for it no longer than asked, and it is enabled all the same",
          "[engine][timeout]") {
    Traced traced;
    std::promise<void> proceed;
    const std::shared_future<void> mayProceed = proceed.get_future().share();
    std::atomic<int> begun{0};
    std::atomic<int> ended{0};
    std::unique_ptr<etw::ManifestWriter> writer;
    writer = traced.engine.registerManifest(kManifest, [&](const EnableNotice& notice) {
        ++begun;
        mayProceed.wait();
        if (notice.code == EnableNotice::Code::CaptureState) {
            writer->write(eventOf(9));
        }
        ++ended;
    });
    const auto quick = traced.engine.registerManifest(kOne, nullptr);
    const auto id = traced.start();
    auto config = configOf(kManifest);
    config.timeout = std::chrono::milliseconds(0); // nobody waits
    CHECK(traced.enable(id, config));
    CHECK(waitUntil([&] { return begun == 1; }));
    CHECK(ended == 0);
    writer->write(eventOf(1));
    CHECK(traced.calls.query(id).eventsProduced == 1); // the session is served meanwhile
    config.timeout = std::chrono::milliseconds(20);
    const Status late = traced.enable(id, config);
    REQUIRE_FALSE(late);
    CHECK(late.error().code == ErrorCode::TimedOut);
    CHECK(late.error().native == 1460);
    writer->write(eventOf(2));
    CHECK(traced.calls.query(id).eventsProduced == 2);
    CHECK(traced.enable(id, configOf(kOne))); // a provider that is told nothing keeps nobody waiting
    const Status state = traced.capture(id, kManifest, {0, std::chrono::seconds(1)});
    REQUIRE_FALSE(state);
    CHECK(state.error().native == 1460);
    CHECK(traced.calls.query(id).eventsProduced == 2);
    proceed.set_value();
    CHECK(waitUntil([&] { return ended == 3; })); // each notice comes, in the end
    CHECK(traced.calls.query(id).eventsProduced == 3);
    CHECK(traced.capture(id, kManifest, {0, std::chrono::seconds(0)}));
    CHECK(traced.calls.query(id).eventsProduced == 4);
}

TEST_CASE("A provider goes only when it is not being told anything, and is told nothing afterwards",
          "[engine][timeout]") {
    Traced traced;
    std::promise<void> proceed;
    const std::shared_future<void> mayProceed = proceed.get_future().share();
    std::atomic<int> begun{0};
    std::atomic<bool> isInside{false};
    auto writer = traced.engine.registerManifest(kManifest, [&](const EnableNotice&) {
        ++begun;
        isInside = true;
        mayProceed.wait();
        isInside = false;
    });
    const auto id = traced.start();
    auto config = configOf(kManifest);
    config.timeout = std::chrono::milliseconds(0);
    REQUIRE(traced.enable(id, config));
    REQUIRE(traced.enable(id, config)); // waits in the queue
    REQUIRE(waitUntil([&] { return begun == 1; }));
    const auto another = traced.engine.registerManifest(kOne, nullptr); // others come and go meanwhile
    std::thread letGo([&] { proceed.set_value(); });
    writer.reset();
    CHECK_FALSE(isInside);
    const int told = begun;
    letGo.join();
    // Whatever was in the queue has had its turn when a later one has.
    const auto later = traced.engine.registerManifest(kTwo, [](const EnableNotice&) {});
    REQUIRE(traced.enable(id, configOf(kTwo)));
    CHECK(begun == told);
}

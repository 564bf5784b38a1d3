// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/controller.h"
#include "core/etw/wait.h"
#include "tests/support/catch.h"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

/// What every controller must do, whatever is behind it: the cases, to be run by one TEST_CASE each.
namespace tracedeck::test::conformance {

/// A controller and what a test needs to see it work.
struct Subject {
    etw::Controller& controller;
    Guid provider;                                                     ///< a registered provider
    std::function<void()> writeEvent;                                  ///< writes one event of it: level 4, keyword 1
    std::function<std::string(const std::string& name)> file;          ///< path of a file that does not exist
    std::function<std::uint64_t(const std::string& path)> countEvents; ///< data events in a file; -1: unreadable
    /// Of that event, which is self-describing; empty: it is none, and filters by name are not tried.
    std::string eventName{};
};

using namespace etw;

inline Result<StartedSession> start(Controller& c, SessionConfig config) {
    return await<StartedSession>([&](auto done) { c.start(std::move(config), std::move(done)); });
}
inline Result<SessionStats> query(Controller& c, SessionId id) {
    return await<SessionStats>([&](auto done) { c.query(id, std::move(done)); });
}
inline Result<SessionStats> update(Controller& c, SessionId id, SessionConfig config) {
    return await<SessionStats>([&](auto done) { c.update(id, std::move(config), std::move(done)); });
}
inline Result<SessionStats> flush(Controller& c, SessionId id, std::string file = {}) {
    return await<SessionStats>([&](auto done) { c.flush(id, std::move(file), std::move(done)); });
}
inline Result<SessionStats> stop(Controller& c, SessionId id, std::string file = {}) {
    return await<SessionStats>([&](auto done) { c.stop(id, std::move(file), std::move(done)); });
}
inline Result<void> enable(Controller& c, SessionId id, ProviderConfig provider) {
    return await<void>([&](auto done) { c.enable(id, std::move(provider), std::move(done)); });
}
inline Result<void> disable(Controller& c, SessionId id, Guid provider) {
    return await<void>([&](auto done) { c.disable(id, provider, std::move(done)); });
}
inline Result<void> captureState(Controller& c, SessionId id, Guid provider, std::uint64_t keywords) {
    return await<void>([&](auto done) { c.captureState(id, provider, keywords, std::move(done)); });
}
inline Result<void> pause(Controller& c, SessionId id) {
    return await<void>([&](auto done) { c.pause(id, std::move(done)); });
}
inline Result<void> resume(Controller& c, SessionId id) {
    return await<void>([&](auto done) { c.resume(id, std::move(done)); });
}
inline Result<std::vector<SessionInfo>> list(Controller& c) {
    return await<std::vector<SessionInfo>>([&](auto done) { c.list(std::move(done)); });
}

inline SessionConfig fileSession(const Subject& s, const std::string& name) {
    SessionConfig config;
    config.name = name;
    config.logFileName = s.file(name + ".etl");
    return config;
}
inline SessionConfig ringSession(const std::string& name) {
    SessionConfig config;
    config.name = name;
    config.logFileMode = etlformat::mode::kBuffering;
    return config;
}
inline void checkRefused(const Result<StartedSession>& outcome, ErrorCode code, std::uint32_t native) {
    REQUIRE_FALSE(outcome.has_value());
    INFO(outcome.error().detail);
    CHECK(outcome.error().code == code);
    CHECK(outcome.error().native == native);
    CHECK_FALSE(outcome.error().detail.empty());
}
template <class T>
void checkUnknown(const Result<T>& outcome) {
    REQUIRE_FALSE(outcome.has_value());
    CHECK(outcome.error().code == ErrorCode::SessionUnknown);
    CHECK(outcome.error().native == win32::kInstanceNotFound);
}

inline void startsASession(const Subject& s) {
    SessionConfig config = fileSession(s, "start");
    config.bufferSizeKib = 16;
    config.minimumBuffers = 1; // raised
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    CHECK(started->id.value != 0);
    CHECK(started->stats.bufferSizeKib >= 16);
    CHECK(started->stats.minimumBuffers >= 2);
    CHECK(started->stats.numberOfBuffers >= started->stats.minimumBuffers);
    CHECK(started->stats.maximumBuffers >= started->stats.minimumBuffers + 20);
    const auto sessions = list(s.controller);
    REQUIRE(sessions.has_value());
    const auto found = std::find_if(sessions->begin(), sessions->end(),
                                    [&](const SessionInfo& info) { return info.id == started->id; });
    REQUIRE(found != sessions->end());
    CHECK(found->name == "start");
    CHECK(found->logFileName == config.logFileName);
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void refusesANameThatIsTaken(const Subject& s) {
    const auto first = start(s.controller, fileSession(s, "Taken"));
    REQUIRE(first.has_value());
    SessionConfig again = ringSession("tAKEN");
    checkRefused(start(s.controller, again), ErrorCode::SessionNameTaken, win32::kAlreadyExists);
    REQUIRE(stop(s.controller, first->id).has_value());
    const auto second = start(s.controller, again);
    REQUIRE(second.has_value());
    CHECK(second->id != first->id);
    REQUIRE(stop(s.controller, second->id).has_value());
}

inline void refusesBadParameters(const Subject& s) {
    namespace mode = etlformat::mode;
    struct Case {
        const char* what;
        std::function<void(SessionConfig&)> spoil;
        std::uint32_t native;
    };
    const std::vector<Case> cases = {
        {"buffer too small", [](auto& c) { c.bufferSizeKib = 3; }, win32::kInvalidParameter},
        {"buffer too large", [](auto& c) { c.bufferSizeKib = 16385; }, win32::kInvalidParameter},
        {"no name", [](auto& c) { c.name.clear(); }, win32::kInvalidName},
        {"name too long", [](auto& c) { c.name = std::string(1025, 'n'); }, win32::kInvalidName},
        {"no file", [](auto& c) { c.logFileName.clear(); }, win32::kBadPathname},
        {"ring with a file", [](auto& c) { c.logFileMode = mode::kBuffering; }, win32::kInvalidParameter},
        {"sequential ring",
         [](auto& c) {
             c.logFileMode = mode::kBuffering | mode::kSequential;
             c.logFileName.clear();
         },
         win32::kInvalidParameter},
        {"sequential and circular", [](auto& c) { c.logFileMode = mode::kSequential | mode::kCircular; },
         win32::kInvalidParameter},
        {"too many stacks",
         [](auto& c) {
             c.logFileMode = mode::kSystemLogger | mode::kSequential;
             c.stackHooks.assign(257, 0x0F2E);
         },
         win32::kInvalidParameter},
    };
    for (const Case& each : cases) {
        INFO(each.what);
        SessionConfig config = fileSession(s, "bad");
        each.spoil(config);
        checkRefused(start(s.controller, config), ErrorCode::SessionBadParameters, each.native);
    }
    // Nothing is left behind.
    const auto sessions = list(s.controller);
    REQUIRE(sessions.has_value());
    CHECK(sessions->empty());
    CHECK(s.countEvents(s.file("bad.etl")) == static_cast<std::uint64_t>(-1));
}

inline void enablesAProviderByLevelAndKeyword(const Subject& s) {
    const auto started = start(s.controller, ringSession("enable"));
    REQUIRE(started.has_value());
    const auto recorded = [&] {
        const auto stats = query(s.controller, started->id);
        REQUIRE(stats.has_value());
        return stats->eventsRecorded;
    };
    s.writeEvent();
    CHECK(recorded() == 0);
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 4, 1, 0, false}).has_value());
    s.writeEvent();
    CHECK(recorded() == 1);
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 3, 1, 0, false}).has_value());
    s.writeEvent(); // too verbose
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 2, 0, false}).has_value());
    s.writeEvent(); // another keyword
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 1, 3, false}).has_value());
    s.writeEvent(); // not all keywords
    CHECK(recorded() == 1);
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 0xFF, 0, 0, false}).has_value());
    s.writeEvent();
    CHECK(recorded() == 2);
    REQUIRE(disable(s.controller, started->id, s.provider).has_value());
    s.writeEvent();
    CHECK(recorded() == 2);
    const Guid nobody = Guid::of(0x12345678, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
    const auto refused = enable(s.controller, started->id, {nobody, "", 5, 0, 0, false});
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::ProviderUnknown);
    CHECK(refused.error().native == win32::kGuidNotFound);
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void tellsStatistics(const Subject& s) {
    const auto started = start(s.controller, fileSession(s, "query"));
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    for (int i = 0; i < 10; ++i) {
        s.writeEvent();
    }
    const auto stats = query(s.controller, started->id);
    REQUIRE(stats.has_value());
    CHECK(stats->eventsProduced == 10);
    CHECK(stats->eventsRecorded == 10);
    CHECK(stats->eventsLost == 0);
    CHECK(stats->eventsOverwritten == 0);
    CHECK(stats->losses.empty());
    CHECK(stats->bytesProduced > 0);
    CHECK(stats->numberOfBuffers >= stats->freeBuffers);
    CHECK(stats->bufferFill() >= 0.0);
    CHECK(stats->bufferFill() <= 1.0);
    CHECK_FALSE(stats->writeError.has_value());
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void flushesWhatWasRecorded(const Subject& s) {
    SessionConfig config = fileSession(s, "flush");
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    REQUIRE(flush(s.controller, started->id).has_value());
    CHECK(s.countEvents(config.logFileName) == 1);
    s.writeEvent();
    REQUIRE(stop(s.controller, started->id).has_value());
    CHECK(s.countEvents(config.logFileName) == 2);

    const auto ring = start(s.controller, ringSession("flush ring"));
    REQUIRE(ring.has_value());
    const auto nameless = flush(s.controller, ring->id);
    REQUIRE_FALSE(nameless.has_value());
    CHECK(nameless.error().native == win32::kBadPathname);
    REQUIRE(enable(s.controller, ring->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    REQUIRE(flush(s.controller, ring->id, s.file("ring1.etl")).has_value());
    s.writeEvent();
    REQUIRE(flush(s.controller, ring->id, s.file("ring2.etl")).has_value());
    CHECK(s.countEvents(s.file("ring1.etl")) == 1);
    CHECK(s.countEvents(s.file("ring2.etl")) == 2); // the ring goes on
    REQUIRE(stop(s.controller, ring->id).has_value());
}

inline void stopsASession(const Subject& s) {
    const SessionConfig config = fileSession(s, "stop");
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    const auto last = stop(s.controller, started->id);
    REQUIRE(last.has_value());
    CHECK(last->eventsRecorded == 1);
    CHECK(last->buffersWritten == 2);
    CHECK(last->fileSize.count == 2 * kib(last->bufferSizeKib).count);
    CHECK(s.countEvents(config.logFileName) == 1);
    s.writeEvent(); // goes nowhere
    checkUnknown(query(s.controller, started->id));

    const auto ring = start(s.controller, ringSession("stop ring"));
    REQUIRE(ring.has_value());
    REQUIRE(enable(s.controller, ring->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    const auto exists = stop(s.controller, ring->id, config.logFileName);
    REQUIRE_FALSE(exists.has_value()); // and the recording is still there
    CHECK(exists.error().code == ErrorCode::FileExists);
    REQUIRE(stop(s.controller, ring->id, s.file("stopped.etl")).has_value());
    CHECK(s.countEvents(s.file("stopped.etl")) == 1);
}

/// A ring that cannot be written is not thrown away: it stands still until it is written elsewhere or dropped.
inline void keepsARingThatCannotBeWritten(const Subject& s) {
    const auto started = start(s.controller, ringSession("kept"));
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    for (int attempt = 0; attempt < 2; ++attempt) {
        const auto refused = stop(s.controller, started->id, s.file("missing/kept.etl"));
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().code == ErrorCode::FolderNotFound);
        s.writeEvent(); // too late for it
        CHECK(query(s.controller, started->id).has_value());
    }
    checkRefused(start(s.controller, ringSession("KEPT")), ErrorCode::SessionNameTaken, win32::kAlreadyExists);
    const std::string path = s.file("kept.etl");
    REQUIRE(stop(s.controller, started->id, path).has_value());
    CHECK(s.countEvents(path) == 1);
    checkUnknown(query(s.controller, started->id));

    const auto dropped = start(s.controller, ringSession("kept"));
    REQUIRE(dropped.has_value());
    REQUIRE_FALSE(stop(s.controller, dropped->id, path).has_value()); // it exists, and stays as it is
    CHECK(s.countEvents(path) == 1);
    REQUIRE(stop(s.controller, dropped->id).has_value());
    checkUnknown(query(s.controller, dropped->id));
}

inline void knowsNoSessionByAWrongId(const Subject& s) {
    const auto started = start(s.controller, ringSession("gone"));
    REQUIRE(started.has_value());
    REQUIRE(stop(s.controller, started->id).has_value());
    for (const SessionId id : {SessionId{0}, started->id, SessionId{0xFFFFFFFFFFFFFFFF}}) {
        checkUnknown(query(s.controller, id));
        checkUnknown(update(s.controller, id, ringSession("gone")));
        checkUnknown(flush(s.controller, id, s.file("gone.etl")));
        checkUnknown(stop(s.controller, id));
        checkUnknown(enable(s.controller, id, {s.provider, "", 5, 0, 0, false}));
        checkUnknown(disable(s.controller, id, s.provider));
        checkUnknown(await<void>([&](auto done) { s.controller.mark(id, "mark", std::move(done)); }));
        checkUnknown(captureState(s.controller, id, s.provider, 1));
        checkUnknown(pause(s.controller, id));
        checkUnknown(resume(s.controller, id));
    }
}

inline void updatesBuffersAndTimer(const Subject& s) {
    SessionConfig config = fileSession(s, "update");
    config.maximumBuffers = 100;
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    config.maximumBuffers = started->stats.maximumBuffers + 50;
    config.flushTimer = std::chrono::seconds(2);
    const auto grown = update(s.controller, started->id, config);
    REQUIRE(grown.has_value());
    CHECK(grown->maximumBuffers == config.maximumBuffers);
    const auto refuses = [&](const SessionConfig& changed) {
        const auto outcome = update(s.controller, started->id, changed);
        return !outcome && outcome.error().code == ErrorCode::SessionBadParameters &&
               outcome.error().native == win32::kInvalidParameter;
    };
    SessionConfig changed = config;
    changed.maximumBuffers = 30;
    CHECK(refuses(changed));
    changed = config;
    changed.bufferSizeKib = 128;
    CHECK(refuses(changed));
    changed = config;
    changed.logFileMode |= etlformat::mode::kBuffering;
    CHECK(refuses(changed));
    const std::vector<std::function<void(SessionConfig&)>> spoils = {
        [](SessionConfig& c) { c.minimumBuffers = 99; },
        [](SessionConfig& c) { c.minimumFreeDisk = mib(1); },
        [](SessionConfig& c) { c.profileInterval = std::chrono::milliseconds(2); },
        [](SessionConfig& c) {
            c.guid = Guid::of(9, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
        },
        [](SessionConfig& c) { c.name = "renamed"; },
        [](SessionConfig& c) { c.maximumFileSizeMib = 5; },
        [](SessionConfig& c) { c.kernelGroups.set(etlformat::group::kProfile); },
        [](SessionConfig& c) { c.stackHooks = {0x0F2E}; },
    };
    for (std::size_t i = 0; i < spoils.size(); ++i) {
        INFO("change " << i);
        changed = config;
        spoils[i](changed);
        CHECK(refuses(changed));
    }
    changed = config;
    changed.minimumBuffers = started->stats.minimumBuffers; // as start() made it
    CHECK(update(s.controller, started->id, changed).has_value());
    // Held to what start() would make of it.
    SessionConfig large = fileSession(s, "large");
    large.maximumBuffers = 0xFFFFFFF0;
    const auto other = start(s.controller, large);
    REQUIRE(other.has_value());
    SessionConfig more = config;
    more.maximumBuffers = large.maximumBuffers;
    const auto held = update(s.controller, started->id, more);
    REQUIRE(held.has_value());
    CHECK(held->maximumBuffers <= other->stats.maximumBuffers + other->stats.maximumBuffers / 4); // as of now
    config.maximumBuffers = held->maximumBuffers;
    REQUIRE(stop(s.controller, other->id).has_value());
    CHECK(query(s.controller, started->id)->maximumBuffers == config.maximumBuffers);
    REQUIRE(stop(s.controller, started->id).has_value());
}

template <class T>
void checkError(const Result<T>& outcome, ErrorCode code, std::uint32_t native) {
    REQUIRE_FALSE(outcome.has_value());
    INFO(outcome.error().detail);
    CHECK(outcome.error().code == code);
    CHECK(outcome.error().native == native);
}

inline void pausesAndResumes(const Subject& s) {
    const SessionConfig config = fileSession(s, "paused");
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    CHECK_FALSE(started->stats.isPaused);
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    checkError(resume(s.controller, started->id), ErrorCode::WrongState, win32::kInvalidParameter);
    REQUIRE(pause(s.controller, started->id).has_value());
    checkError(pause(s.controller, started->id), ErrorCode::WrongState, win32::kInvalidParameter);
    s.writeEvent();
    auto stats = flush(s.controller, started->id);
    REQUIRE(stats.has_value());
    CHECK(stats->isPaused);
    CHECK(stats->eventsProduced == 1);
    CHECK(stats->eventsLost == 0);
    CHECK(s.countEvents(config.logFileName) == 1);
    // What is enabled meanwhile counts from the resumption on.
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 3, 0, 0, false}).has_value());
    REQUIRE(resume(s.controller, started->id).has_value());
    s.writeEvent();
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 4, 0, 0, false}).has_value());
    s.writeEvent();
    REQUIRE(pause(s.controller, started->id).has_value());
    s.writeEvent();
    const auto last = stop(s.controller, started->id);
    REQUIRE(last.has_value());
    CHECK(last->eventsProduced == 2);
    CHECK(s.countEvents(config.logFileName) == 2);
}

inline void capturesStateOfEnabledProviders(const Subject& s) {
    const auto started = start(s.controller, ringSession("state"));
    REQUIRE(started.has_value());
    checkError(captureState(s.controller, started->id, s.provider, 1), ErrorCode::SessionBadParameters,
               win32::kInvalidParameter);
    const Guid nobody = Guid::of(0x12345678, 1, 2, {3, 4, 5, 6, 7, 8, 9, 10});
    checkError(captureState(s.controller, started->id, nobody, 1), ErrorCode::ProviderUnknown, win32::kGuidNotFound);
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    CHECK(captureState(s.controller, started->id, s.provider, 1).has_value());
    REQUIRE_FALSE(stop(s.controller, started->id, s.file("missing/state.etl")).has_value()); // keeps the ring
    checkError(captureState(s.controller, started->id, s.provider, 1), ErrorCode::WrongState, win32::kInvalidParameter);
    checkError(pause(s.controller, started->id), ErrorCode::WrongState, win32::kInvalidParameter);
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void filtersEventsByName(const Subject& s) {
    if (s.eventName.empty()) {
        return;
    }
    const auto started = start(s.controller, ringSession("filters"));
    REQUIRE(started.has_value());
    struct Row {
        std::string name;
        bool isIn;
        std::uint8_t level;
        std::uint64_t keyword;
        bool passes;
    };
    const std::vector<Row> rows = {
        {s.eventName, true, 0, 0, true},        {s.eventName, false, 0, 0, false},
        {s.eventName + "x", true, 0, 0, false}, {s.eventName + "x", false, 0, 0, true},
        {s.eventName, true, 4, 1, true},        {s.eventName, true, 3, 1, false},
        {s.eventName, true, 4, 2, false},
    };
    std::uint64_t expected = 0;
    for (const Row& row : rows) {
        INFO(row.name << (row.isIn ? " in" : " out") << ", level " << int{row.level} << ", keyword " << row.keyword);
        ProviderConfig config{s.provider, "", 5, 0, 0, false};
        EventFilter filter;
        filter.kind = EventFilter::Kind::EventName;
        filter.isFilterIn = row.isIn;
        filter.level = row.level;
        filter.keyword = row.keyword;
        filter.names = {row.name};
        config.filters = {filter};
        REQUIRE(enable(s.controller, started->id, config).has_value());
        s.writeEvent();
        expected += row.passes ? 1U : 0U;
        const auto stats = query(s.controller, started->id);
        REQUIRE(stats.has_value());
        CHECK(stats->eventsProduced == expected);
    }
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void refusesBadFilters(const Subject& s) {
    const auto started = start(s.controller, ringSession("bad filters"));
    REQUIRE(started.has_value());
    const auto refuses = [&](std::vector<EventFilter> filters) {
        ProviderConfig config{s.provider, "", 5, 0, 0, false};
        config.filters = std::move(filters);
        checkError(enable(s.controller, started->id, config), ErrorCode::SessionBadParameters,
                   win32::kInvalidParameter);
    };
    EventFilter filter;
    refuses({filter}); // no ids
    filter.ids.assign(65, 1);
    refuses({filter});
    filter.ids.assign(1, 1);
    refuses({filter, filter});
    filter.kind = EventFilter::Kind::StackEventId; // and no stacks
    refuses({filter});
    filter.kind = EventFilter::Kind::ProcessId;
    filter.processIds.assign(9, 1);
    refuses({filter});
    filter.kind = EventFilter::Kind::ExecutableName;
    filter.names = {std::string(512, 'a')};
    refuses({filter});
    s.writeEvent();
    const auto stats = query(s.controller, started->id);
    REQUIRE(stats.has_value());
    CHECK(stats->eventsProduced == 0); // nothing was enabled
    REQUIRE(stop(s.controller, started->id).has_value());
}

inline void countsTimeByTheSystemsClock(const Subject& s) {
    SessionConfig config = fileSession(s, "system time");
    config.clock = ClockType::SystemTime;
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    SessionConfig changed = config;
    changed.clock = ClockType::Qpc;
    checkError(update(s.controller, started->id, changed), ErrorCode::SessionBadParameters, win32::kInvalidParameter);
    REQUIRE(stop(s.controller, started->id).has_value());
    CHECK(s.countEvents(config.logFileName) == 1);
}

inline void keepsEventsInRealTimeUntilTheyAreTaken(const Subject& s) {
    SessionConfig config;
    config.name = "real time";
    config.logFileMode = etlformat::mode::kRealTime;
    const auto started = start(s.controller, config);
    REQUIRE(started.has_value());
    REQUIRE(enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false}).has_value());
    s.writeEvent();
    const auto stats = flush(s.controller, started->id);
    REQUIRE(stats.has_value());
    CHECK(stats->eventsRecorded == 1);
    const auto last = stop(s.controller, started->id); // nobody has come
    REQUIRE(last.has_value());
    CHECK(last->eventsProduced == 1);
    CHECK(last->eventsLost == 1);
}

inline void limitsTheSessionsOfAProvider(const Subject& s) {
    std::vector<SessionId> running;
    SessionConfig config = ringSession("");
    config.bufferSizeKib = 4;
    for (int i = 0; i < 9; ++i) {
        config.name = "provider " + std::to_string(i);
        const auto started = start(s.controller, config);
        REQUIRE(started.has_value());
        running.push_back(started->id);
        const auto enabled = enable(s.controller, started->id, {s.provider, "", 5, 0, 0, false});
        if (i < 8) {
            REQUIRE(enabled.has_value());
        } else {
            checkError(enabled, ErrorCode::SessionLimit, win32::kNoSystemResources);
        }
    }
    REQUIRE(stop(s.controller, running.front()).has_value());
    CHECK(enable(s.controller, running.back(), {s.provider, "", 5, 0, 0, false}).has_value());
    for (std::size_t i = 1; i < running.size(); ++i) {
        REQUIRE(stop(s.controller, running[i]).has_value());
    }
}

inline void limitsTheNumberOfSessions(const Subject& s) {
    std::vector<SessionId> running;
    SessionConfig config = ringSession("");
    config.bufferSizeKib = 4;
    for (std::size_t i = 0; i < kMaximumSessions; ++i) {
        config.name = "session " + std::to_string(i);
        const auto started = start(s.controller, config);
        REQUIRE(started.has_value());
        running.push_back(started->id);
    }
    config.name = "one too many";
    checkRefused(start(s.controller, config), ErrorCode::SessionLimit, win32::kNoSystemResources);
    REQUIRE(stop(s.controller, running.back()).has_value());
    running.pop_back();
    const auto last = start(s.controller, config);
    REQUIRE(last.has_value());
    running.push_back(last->id);
    for (const SessionId id : running) {
        REQUIRE(stop(s.controller, id).has_value());
    }
}

} // namespace tracedeck::test::conformance

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/engine.h"
#include "tests/engine/raw_etl.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etw/controller_conformance.h"

#include <filesystem>

using namespace tracedeck;

namespace {

/// The embedded engine with a provider, in a folder of its own.
class EngineSubject {
public:
    EngineSubject()
        : m_engine({&m_clock, &systemFiles(), nullptr}), m_writer(m_engine.registerProvider("Conformance")) {}

    [[nodiscard]] test::conformance::Subject subject() {
        return {m_engine,
                m_writer->providerId(),
                [this] {
                    m_writer->write({"Event", 4, 0, 1, {{"value", std::uint32_t{7}}}});
                },
                [this](const std::string& name) { return m_folder.file(name); },
                [](const std::string& path) {
                    if (!std::filesystem::exists(path)) {
                        return static_cast<std::uint64_t>(-1);
                    }
                    const test::RawEtl etl = test::readRawEtl(path);
                    CHECK(etl.problemText().empty());
                    return etl.dataEvents();
                },
                "Event"};
    }

private:
    test::TemporaryFolder m_folder;
    SystemClock m_clock;
    etw::engine::Engine m_engine;
    std::unique_ptr<etw::EventWriter> m_writer;
};

} // namespace

TEST_CASE("A session starts with ETW's sizes", "[etw][conformance]") {
    test::conformance::startsASession(EngineSubject().subject());
}

TEST_CASE("A session's name is taken without regard to case", "[etw][conformance]") {
    test::conformance::refusesANameThatIsTaken(EngineSubject().subject());
}

TEST_CASE("Bad names, sizes and modes are refused with ETW's codes", "[etw][conformance]") {
    test::conformance::refusesBadParameters(EngineSubject().subject());
}

TEST_CASE("A provider is enabled by level and keyword", "[etw][conformance]") {
    test::conformance::enablesAProviderByLevelAndKeyword(EngineSubject().subject());
}

TEST_CASE("A query tells what was recorded", "[etw][conformance]") {
    test::conformance::tellsStatistics(EngineSubject().subject());
}

TEST_CASE("A flush puts what was recorded into the file", "[etw][conformance]") {
    test::conformance::flushesWhatWasRecorded(EngineSubject().subject());
}

TEST_CASE("A stop completes the file", "[etw][conformance]") {
    test::conformance::stopsASession(EngineSubject().subject());
}

TEST_CASE("A ring that cannot be written is kept", "[etw][conformance]") {
    test::conformance::keepsARingThatCannotBeWritten(EngineSubject().subject());
}

TEST_CASE("A session that is not running is unknown to every request", "[etw][conformance]") {
    test::conformance::knowsNoSessionByAWrongId(EngineSubject().subject());
}

TEST_CASE("An update grows the buffers and sets the timer, nothing else", "[etw][conformance]") {
    test::conformance::updatesBuffersAndTimer(EngineSubject().subject());
}

TEST_CASE("A paused session produces nothing", "[etw][conformance]") {
    test::conformance::pausesAndResumes(EngineSubject().subject());
}

TEST_CASE("State is captured of providers that the session has enabled", "[etw][conformance]") {
    test::conformance::capturesStateOfEnabledProviders(EngineSubject().subject());
}

TEST_CASE("Events are filtered by name, level and keyword", "[etw][conformance]") {
    test::conformance::filtersEventsByName(EngineSubject().subject());
}

TEST_CASE("Bad filters are refused with ETW's code", "[etw][conformance]") {
    test::conformance::refusesBadFilters(EngineSubject().subject());
}

TEST_CASE("A session can count time by the system's clock", "[etw][conformance]") {
    test::conformance::countsTimeByTheSystemsClock(EngineSubject().subject());
}

TEST_CASE("Events in real time are kept until they are taken", "[etw][conformance]") {
    test::conformance::keepsEventsInRealTimeUntilTheyAreTaken(EngineSubject().subject());
}

TEST_CASE("Eight sessions have a provider at a time", "[etw][conformance]") {
    test::conformance::limitsTheSessionsOfAProvider(EngineSubject().subject());
}

TEST_CASE("Sixty-four sessions run at a time", "[etw][conformance]") {
    test::conformance::limitsTheNumberOfSessions(EngineSubject().subject());
}

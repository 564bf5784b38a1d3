// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/raw_etl.h"
#include "tests/remote/test_host.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etw/controller_conformance.h"

#include <filesystem>

using namespace tracedeck;

namespace {

etw::remote::Limits wide() {
    etw::remote::Limits limits;
    limits.sessions = etw::kMaximumSessions;
    limits.bufferMemory = mib(std::uint64_t{1} << 20U);
    return limits;
}

/// A controller at the far end of a connection, with a provider, in a folder of its own.
class RemoteSubject {
public:
    RemoteSubject()
        : m_host(wide()), m_controller(m_host.controller()), m_writer(m_controller->registerProvider("Conformance")) {}

    [[nodiscard]] test::conformance::Subject subject() {
        return {*m_controller, m_writer->providerId(),
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
                }};
    }

private:
    test::TemporaryFolder m_folder;
    test::TestHost m_host;
    std::unique_ptr<etw::remote::RemoteController> m_controller;
    std::unique_ptr<etw::EventWriter> m_writer;
};

} // namespace

TEST_CASE("A session in a host starts with ETW's sizes", "[remote][conformance]") {
    test::conformance::startsASession(RemoteSubject().subject());
}

TEST_CASE("The name of a session in a host is taken without regard to case", "[remote][conformance]") {
    test::conformance::refusesANameThatIsTaken(RemoteSubject().subject());
}

TEST_CASE("A host refuses bad names, sizes and modes with ETW's codes", "[remote][conformance]") {
    test::conformance::refusesBadParameters(RemoteSubject().subject());
}

TEST_CASE("A client's provider is enabled in a host by level and keyword", "[remote][conformance]") {
    test::conformance::enablesAProviderByLevelAndKeyword(RemoteSubject().subject());
}

TEST_CASE("A host tells what was recorded", "[remote][conformance]") {
    test::conformance::tellsStatistics(RemoteSubject().subject());
}

TEST_CASE("A flush puts what a host has recorded into the client's file", "[remote][conformance]") {
    test::conformance::flushesWhatWasRecorded(RemoteSubject().subject());
}

TEST_CASE("A stop completes the client's file", "[remote][conformance]") {
    test::conformance::stopsASession(RemoteSubject().subject());
}

TEST_CASE("A host keeps a ring that the client gets no file for", "[remote][conformance]") {
    test::conformance::keepsARingThatCannotBeWritten(RemoteSubject().subject());
}

TEST_CASE("A session that does not run in a host is unknown to every request", "[remote][conformance]") {
    test::conformance::knowsNoSessionByAWrongId(RemoteSubject().subject());
}

TEST_CASE("An update grows the buffers of a session in a host and sets the timer, nothing else",
          "[remote][conformance]") {
    test::conformance::updatesBuffersAndTimer(RemoteSubject().subject());
}

TEST_CASE("Sixty-four sessions run in a host at a time", "[remote][conformance]") {
    test::conformance::limitsTheNumberOfSessions(RemoteSubject().subject());
}

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"
#include "tests/recorder/fake_controller.h"
#include "tests/recorder/recorder_stage.h"
#include "tests/support/catch.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::test {

/// Memory of dead sessions, as the test says.
class FakeRescue final : public etw::Rescue {
public:
    Result<bool> save(const Guid& session, const std::string& target) override {
        if (error) {
            return fail(*error);
        }
        if (!left.contains(session)) {
            return false;
        }
        std::filesystem::copy_file(left.at(session), target);
        return true;
    }
    Status discard(const Guid& session) override {
        discarded.push_back(session);
        left.erase(session);
        return {};
    }
    std::map<Guid, std::string> left; ///< a raw file that stands for what is in memory
    std::optional<Error> error;
    std::vector<Guid> discarded;
};

/// A controller whose sessions outlive recorders.
struct AdoptingHost {
    TemporaryFolder folder;
    ManualClock clock;
    FakeController controller{clock};
    FakeRescue rescue;
    std::string journalFolder = folder.file("journal");

    recorder::Recorder::Environment environment() {
        recorder::Recorder::Environment all{&controller, &controller, &systemFiles(), &clock};
        all.journalFolder = journalFolder;
        all.rescue = &rescue;
        all.sessionsOutliveClient = true;
        return all;
    }
    recorder::Request request(const PlanOptions& options = {}) const {
        recorder::Request request;
        request.plan = makePlan(options);
        request.workFolder = folder.path();
        request.note = "a note";
        return request;
    }
    [[nodiscard]] std::vector<recorder::JournalEntry> left() const { return recorder::Journal(journalFolder).left(); }
    void record(Watched& watched, const PlanOptions& options = {}) const {
        REQUIRE(watched.recorder.start(request(options)));
        REQUIRE(watched.waitForState(recorder::State::Recording));
    }
    /// A recording whose process was killed with its sessions: the journal, and the raw files as they were.
    recorder::JournalEntry dead(const PlanOptions& options) {
        const std::string copy = folder.file("copy");
        const TemporaryFolder kept;
        const auto keptFile = [&](const recorder::JournalEntry::Session& session) { return kept.file(session.name); };
        recorder::JournalEntry entry;
        {
            Watched watched(environment());
            record(watched, options);
            std::filesystem::copy(journalFolder, copy);
            for (const auto& file : std::filesystem::directory_iterator(copy)) {
                if (file.path().extension() == ".lock") {
                    std::filesystem::remove(file);
                }
            }
            entry = recorder::Journal(copy).left().at(0);
            if (options.isFileMode) {
                for (const recorder::JournalEntry::Session& session : entry.sessions) {
                    std::filesystem::copy_file(session.rawFile, keptFile(session));
                }
            }
            REQUIRE(watched.recorder.discard());
            REQUIRE(watched.waitForSignal("discarded"));
        }
        std::filesystem::remove_all(journalFolder);
        std::filesystem::rename(copy, journalFolder);
        for (const std::string& raw : entry.rawFolders) {
            std::filesystem::create_directories(raw);
        }
        for (const recorder::JournalEntry::Session& session : entry.sessions) {
            if (options.isFileMode) {
                std::filesystem::copy_file(keptFile(session), session.rawFile);
            }
        }
        return entry;
    }
};

} // namespace tracedeck::test

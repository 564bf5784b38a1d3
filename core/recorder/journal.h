// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"
#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/recorder/stop_reason.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::recorder {

/// What somebody else needs to go on with a recording, save it, or be rid of it.
struct JournalEntry {
    struct Provider {
        Guid id;
        std::string name;
        std::optional<etw::CaptureState> captureOnSave{};
        /// Of one that is enabled for its state alone, which needs the rest of its settings for that.
        bool isCaptureOnly = false;
        std::uint8_t level = 0xFF;
        friend bool operator==(const Provider&, const Provider&) = default;
    };
    struct Session {
        plan::PlannedSession::Kind kind = plan::PlannedSession::Kind::System;
        std::string name;
        Guid guid;
        std::uint32_t logFileMode = 0;
        std::uint32_t maximumFileSizeMib = 0;
        std::string rawFile;
        // What was turned on, for what the trace says about itself.
        std::vector<std::string> keywords{};
        std::vector<std::string> stacks{};
        std::vector<Provider> providers{};
        Bytes minimumFreeDisk{0};
        friend bool operator==(const Session&, const Session&) = default;
    };
    std::string id;        ///< made by Journal::begin(); a file name
    std::string boot;      ///< of the machine, see platform::bootId()
    bool isHosted = false; ///< its sessions outlive the process that began it, see Recorder::Environment
    FileTime begun = 0;    ///< wall time
    Ticks begin = 0;       ///< trace clock, of that boot
    std::vector<std::string> profiles;
    plan::DetailLevel detail = plan::DetailLevel::Verbose;
    plan::LoggingMode mode = plan::LoggingMode::Memory;
    std::chrono::milliseconds timeLimit{0};
    std::string note;
    std::string platform; ///< etw::Capabilities::platform
    std::string plan;     ///< plan::toJson()
    std::string workFolder;
    std::string targetFolder{}; ///< empty: workFolder
    bool keepsNewest = false;   ///< WhenDiskShort::KeepNewest
    std::uint32_t marks = 0;    ///< that it was given, whoever did
    /// Of one that was stopped and is not saved yet; of others nobody knows.
    struct Ended {
        StopReason reason = StopReason::User;
        Ticks end = 0; ///< trace clock
        friend bool operator==(const Ended&, const Ended&) = default;
    };
    std::optional<Ended> ended{};
    std::vector<std::string> rawFolders;
    std::vector<std::string> otherRawFiles; ///< beside those of the sessions
    std::vector<Session> sessions;
    friend bool operator==(const JournalEntry&, const JournalEntry&) = default;
};

/// The recordings of this user that have begun and are neither saved nor discarded, a file each.
///
/// Threading: of one thread; several processes may use the folder. Errors: those of files.
class Journal {
public:
    /// An entry that this process has in its hands: locked until it goes. A process that dies leaves it to others.
    class Hold {
    public:
        virtual ~Hold() = default;
        [[nodiscard]] virtual const JournalEntry& entry() const noexcept = 0;
        [[nodiscard]] virtual Status update(JournalEntry entry) = 0;
        /// The recording is saved or discarded.
        [[nodiscard]] virtual Status forget() = 0;
    };

    /// `folder` is created when the first entry is written; empty: there is no journal, and nothing is kept.
    explicit Journal(std::string folder) : m_folder(std::move(folder)) {}

    [[nodiscard]] bool isKept() const noexcept { return !m_folder.empty(); }
    [[nodiscard]] Result<std::unique_ptr<Hold>> begin(JournalEntry entry) const;
    /// Entries that no process holds, oldest first; what is no entry is passed over.
    [[nodiscard]] std::vector<JournalEntry> left() const;
    /// FileNotFound where there is none (any more), WrongState where a process holds it, ReadFailed where the file is
    /// none of this program's.
    [[nodiscard]] Result<std::unique_ptr<Hold>> take(const std::string& id) const;

private:
    std::string m_folder;
};

} // namespace tracedeck::recorder

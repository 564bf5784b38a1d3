// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/sources/linux/perf_ring.h"
#include "core/sources/linux/proc_files.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <unordered_map>

namespace tracedeck::linux_source {

/// What /proc says of a process right after its exec.
struct ExecFacts {
    std::string executable;
    std::string commandLine;
    std::optional<std::uint32_t> uid;
    std::optional<std::uint32_t> session;
};

/// What the event records do not tell: command lines, read from /proc while the process is there, and exit statuses,
/// from the kernel's process connector.
///
/// Threading: one thread at a time.
class LiveFacts {
public:
    virtual ~LiveFacts() = default;
    /// Of the exec of `process` at `time`, by which it took the name `comm`; nothing where it could not be read in
    /// time.
    virtual std::optional<ExecFacts> takeExec(std::uint32_t process, Ticks time, const std::string& comm) = 0;
    /// Exit status of the process that ended about `time`.
    virtual std::optional<std::int32_t> takeExit(std::uint32_t process, Ticks time) = 0;
};

/// The machine's. An exec is noted as soon as the kernel wakes the reader for it (noteExec), long before its record is
/// translated.
class SystemLiveFacts final : public LiveFacts {
public:
    explicit SystemLiveFacts(const ProcFiles& proc) : m_proc(proc) {}
    ~SystemLiveFacts() override;
    SystemLiveFacts(const SystemLiveFacts&) = delete;
    SystemLiveFacts& operator=(const SystemLiveFacts&) = delete;

    /// Asks the kernel for exit statuses; without CAP_NET_ADMIN or the connector there are none.
    void listenForExits();
    void readExits();

    /// `time`: that of the wake-up, which is not before the exec's own record by more than a millisecond.
    void noteExec(std::uint32_t process, Ticks time);
    /// Reads what has been noted, and again what was not there yet.
    void retry();
    /// When to try again; nothing where nothing is pending.
    [[nodiscard]] std::optional<std::chrono::nanoseconds> retryIn() const noexcept;
    /// Execs that takeExec() had no facts for: the process was gone, or someone else, before it was looked at.
    [[nodiscard]] std::uint64_t missed() const noexcept { return m_missed; }

    std::optional<ExecFacts> takeExec(std::uint32_t process, Ticks time, const std::string& comm) override;
    std::optional<std::int32_t> takeExit(std::uint32_t process, Ticks time) override;

private:
    struct Exec {
        std::uint32_t process = 0;
        Ticks time = 0;
        int attempts = 0;
    };
    /// True where nothing more is to be found out.
    bool tryRead(const Exec& exec, bool isLast);
    void noteExit(std::span<const std::byte> message);

    const ProcFiles& m_proc;
    std::deque<Exec> m_pending;
    struct Read {
        std::uint32_t process = 0;
        Ticks time = 0;
        std::string comm; ///< when it was read; empty: not known
        ExecFacts facts;
    };
    std::deque<Read> m_read;
    struct Exit {
        Ticks time = 0;
        std::uint32_t code = 0;
    };
    std::unordered_map<std::uint32_t, Exit> m_exits;
    std::uint64_t m_missed = 0;
    int m_connector = -1;
};

} // namespace tracedeck::linux_source

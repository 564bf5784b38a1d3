// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::linux_source {

/// Where the kernel shows itself. Tests point these at folders of their own.
struct Roots {
    std::string proc = "/proc";
    std::string sys = "/sys";
    /// Empty: an existing mount, else one that nobody else sees (see TraceFs).
    std::string tracefs;
    std::string etc = "/etc";
};

/// The whole content of a file that says no size (proc, sysfs). Fails with errno in `native`.
Result<std::string> readWhole(const std::string& path);

/// /proc/<pid>/stat, the parts that are used.
struct TaskStat {
    std::uint32_t id = 0;
    std::string comm;
    char state = '?';
    std::uint32_t parent = 0;
    std::uint32_t session = 0;
    std::uint32_t flags = 0;
    int prio = 120; ///< as the scheduler's tracepoints give it
    [[nodiscard]] bool isKernelThread() const noexcept { return (flags & 0x00200000U) != 0; } // PF_KTHREAD
};
std::optional<TaskStat> parseTaskStat(std::string_view text);

/// /proc/<pid>/status, the parts that are used.
struct TaskStatus {
    std::uint32_t uid = 0;      ///< effective
    std::uint64_t affinity = 0; ///< processors 0…63
};
std::optional<TaskStatus> parseTaskStatus(std::string_view text);

/// One line of /proc/<pid>/maps.
struct MapLine {
    std::uint64_t start = 0;
    std::uint64_t end = 0;
    bool isExecutable = false;
    std::uint64_t offset = 0;
    std::uint64_t inode = 0;
    std::string path;
};
std::optional<MapLine> parseMapLine(std::string_view line);

/// /proc/modules: name, size, address (0 where hidden).
struct ModuleLine {
    std::string name;
    std::uint64_t size = 0;
    std::uint64_t base = 0;
};
std::optional<ModuleLine> parseModuleLine(std::string_view line);

/// "0-3,8" as numbers in order.
std::vector<std::uint32_t> parseCpuList(std::string_view text);

/// Calls `each` with every line of `text`, without its end.
template <class Function>
void forEachLine(std::string_view text, Function&& each) {
    while (!text.empty()) {
        const std::size_t end = text.find('\n') < text.size() ? text.find('\n') : text.size();
        each(text.substr(0, end));
        text.remove_prefix(end < text.size() ? end + 1 : end);
    }
}

/// The entries of /proc.
///
/// Threading: any thread. Errors: what is gone or refused is an error of that entry alone (errno in `native`).
class ProcFiles {
public:
    explicit ProcFiles(std::string root) : m_root(std::move(root)) {}
    [[nodiscard]] Result<std::vector<std::uint32_t>> processes() const;
    [[nodiscard]] Result<std::vector<std::uint32_t>> threads(std::uint32_t process) const;
    [[nodiscard]] std::string path(std::uint32_t process, std::string_view entry) const;
    [[nodiscard]] std::string threadPath(std::uint32_t process, std::uint32_t thread, std::string_view entry) const;
    [[nodiscard]] std::string path(std::string_view entry) const { return m_root + "/" + std::string(entry); }
    /// The target of /proc/<pid>/exe; empty where it is refused or a kernel thread's.
    [[nodiscard]] std::string executable(std::uint32_t process) const;

private:
    std::string m_root;
};

} // namespace tracedeck::linux_source

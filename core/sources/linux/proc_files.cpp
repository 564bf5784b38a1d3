// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/proc_files.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <climits>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

template <class T>
bool number(std::string_view text, T& value, int base = 10) {
    return std::from_chars(text.data(), text.data() + text.size(), value, base).ec == std::errc();
}

/// The next blank-separated word, taken off the front of `text`.
std::string_view word(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
    const std::string_view found = text.substr(0, end);
    text.remove_prefix(end);
    return found;
}

} // namespace

Result<std::string> readWhole(const std::string& path) {
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail(errnoError(errno, "open " + path, ErrorCode::ReadFailed));
    }
    std::string content;
    constexpr std::size_t kStep = 16 * 1024;
    while (true) {
        const std::size_t size = content.size();
        content.resize(size + kStep);
        const ssize_t count = ::read(fd, content.data() + size, kStep);
        if (count < 0 && errno == EINTR) {
            content.resize(size);
            continue;
        }
        if (count < 0) {
            const int error = errno;
            ::close(fd);
            return fail(errnoError(error, "read " + path, ErrorCode::ReadFailed));
        }
        content.resize(size + static_cast<std::size_t>(count));
        if (count == 0) {
            break;
        }
    }
    ::close(fd);
    return content;
}

std::optional<TaskStat> parseTaskStat(std::string_view text) {
    TaskStat stat;
    const std::size_t open = text.find('(');
    const std::size_t close = text.rfind(')'); // the name itself may hold parentheses
    if (open == text.npos || close == text.npos || close < open || !number(text.substr(0, open), stat.id)) {
        return std::nullopt;
    }
    stat.comm = text.substr(open + 1, close - open - 1);
    std::string_view rest = text.substr(close + 1);
    const std::string_view state = word(rest);
    if (state.empty()) {
        return std::nullopt;
    }
    stat.state = state.front();
    // Fields by their number in proc(5): 3 was the state, 4 ppid, 6 session, 9 flags, 18 priority.
    for (int field = 4; field <= 18; ++field) {
        const std::string_view value = word(rest);
        bool isGood = !value.empty();
        if (field == 4) {
            isGood = number(value, stat.parent);
        } else if (field == 6) {
            isGood = number(value, stat.session);
        } else if (field == 9) {
            isGood = number(value, stat.flags);
        } else if (field == 18) {
            isGood = number(value, stat.prio);
            stat.prio += 100; // proc(5) counts from the first normal priority
        }
        if (!isGood) {
            return std::nullopt;
        }
    }
    return stat;
}

std::optional<TaskStatus> parseTaskStatus(std::string_view text) {
    TaskStatus status;
    bool hasUid = false;
    forEachLine(text, [&](std::string_view line) {
        if (line.substr(0, 4) == "Uid:") {
            line.remove_prefix(4);
            word(line); // real
            hasUid = number(word(line), status.uid);
        } else if (line.substr(0, 13) == "Cpus_allowed:") {
            // Groups of 32 bits, the lowest one last: "ff,ffffffff".
            line.remove_prefix(13);
            std::string hex(word(line));
            hex.erase(std::remove(hex.begin(), hex.end(), ','), hex.end());
            number(hex.size() > 16 ? std::string_view(hex).substr(hex.size() - 16) : std::string_view(hex),
                   status.affinity, 16);
        }
    });
    return hasUid ? std::optional(status) : std::nullopt;
}

std::optional<MapLine> parseMapLine(std::string_view line) {
    MapLine map;
    const std::string_view range = word(line);
    const std::size_t dash = range.find('-');
    const std::string_view rights = word(line);
    const std::string_view offset = word(line);
    word(line); // device
    const std::string_view inode = word(line);
    if (dash == range.npos || rights.size() < 4 || !number(range.substr(0, dash), map.start, 16) ||
        !number(range.substr(dash + 1), map.end, 16) || !number(offset, map.offset, 16) || !number(inode, map.inode)) {
        return std::nullopt;
    }
    map.isExecutable = rights[2] == 'x';
    line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
    map.path = line; // may hold blanks
    return map;
}

std::optional<ModuleLine> parseModuleLine(std::string_view line) {
    // name size users dependencies state address
    ModuleLine module;
    module.name = word(line);
    const std::string_view size = word(line);
    word(line);
    word(line);
    word(line);
    std::string_view address = word(line);
    if (address.substr(0, 2) == "0x") {
        address.remove_prefix(2);
    }
    if (module.name.empty() || !number(size, module.size) || !number(address, module.base, 16)) {
        return std::nullopt;
    }
    return module;
}

std::vector<std::uint32_t> parseCpuList(std::string_view text) {
    std::vector<std::uint32_t> cpus;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(','), text.size());
        const std::string_view part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        std::uint32_t first = 0;
        if (!number(part, first)) {
            continue;
        }
        std::uint32_t last = first;
        if (const std::size_t dash = part.find('-'); dash != part.npos && !number(part.substr(dash + 1), last)) {
            continue;
        }
        constexpr std::uint32_t kMost = 8192; // CONFIG_NR_CPUS ends there
        for (std::uint32_t cpu = first; cpu <= last && cpu < kMost; ++cpu) {
            cpus.push_back(cpu);
        }
    }
    return cpus;
}

namespace {

Result<std::vector<std::uint32_t>> numericEntries(const std::string& path) {
    const std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
    if (!folder) {
        return fail(errnoError(errno, "opendir " + path, ErrorCode::ReadFailed));
    }
    std::vector<std::uint32_t> ids;
    while (const dirent* entry = ::readdir(folder.get())) {
        const std::string_view name = entry->d_name;
        std::uint32_t id = 0;
        if (!name.empty() && name.find_first_not_of("0123456789") == name.npos && number(name, id)) {
            ids.push_back(id);
        }
    }
    std::sort(ids.begin(), ids.end());
    return ids;
}

} // namespace

Result<std::vector<std::uint32_t>> ProcFiles::processes() const {
    return numericEntries(m_root);
}

Result<std::vector<std::uint32_t>> ProcFiles::threads(std::uint32_t process) const {
    return numericEntries(path(process, "task"));
}

std::string ProcFiles::path(std::uint32_t process, std::string_view entry) const {
    return m_root + "/" + std::to_string(process) + "/" + std::string(entry);
}

std::string ProcFiles::threadPath(std::uint32_t process, std::uint32_t thread, std::string_view entry) const {
    return path(process, "task/" + std::to_string(thread) + "/" + std::string(entry));
}

std::string ProcFiles::executable(std::uint32_t process) const {
    char target[PATH_MAX];
    const ssize_t length = ::readlink(path(process, "exe").c_str(), target, sizeof(target));
    return length < 0 ? std::string() : std::string(target, static_cast<std::size_t>(length));
}

} // namespace tracedeck::linux_source

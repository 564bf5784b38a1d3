// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/mapping.h"

#include <charconv>

namespace tracedeck::linux_source {

using etlformat::ThreadState;
using etlformat::WaitReason;

OldThread oldThreadOf(char letter) noexcept {
    switch (letter) {
    case '+':
        return {ThreadState::Ready, WaitReason::WrPreempted};
    case 'R':
        return {ThreadState::Ready, WaitReason::WrQuantumEnd};
    case 'S':
        return {ThreadState::Waiting, WaitReason::UserRequest};
    case 'I':
        return {ThreadState::Waiting, WaitReason::WrQueue};
    case 'T':
    case 't':
    case 'P':
        return {ThreadState::Waiting, WaitReason::Suspended};
    case 'X':
    case 'Z':
        return {ThreadState::Terminated, WaitReason::WrTerminated};
    default:
        return {ThreadState::Waiting, WaitReason::Executive};
    }
}

TaskStates::TaskStates() {
    constexpr std::string_view kLetters = "SDTtXZPI+";
    for (std::size_t i = 0; i < kLetters.size(); ++i) {
        m_letters[i] = kLetters[i];
    }
}

TaskStates::TaskStates(std::string_view printFormat) : TaskStates() {
    std::array<char, 32> letters{};
    unsigned highest = 0;
    bool isFound = false;
    constexpr std::string_view kOpening = "{ 0x";
    for (auto at = printFormat.find(kOpening); at != printFormat.npos; at = printFormat.find(kOpening, at + 1)) {
        const std::string_view rest = printFormat.substr(at + kOpening.size());
        std::uint32_t bit = 0;
        const auto number = std::from_chars(rest.data(), rest.data() + rest.size(), bit, 16);
        const std::string_view name = rest.substr(static_cast<std::size_t>(number.ptr - rest.data()));
        if (number.ec != std::errc() || bit == 0 || (bit & (bit - 1)) != 0 || name.size() < 5 ||
            name.substr(0, 3) != ", \"") {
            continue;
        }
        unsigned index = 0;
        while ((bit >> index) != 1) {
            ++index;
        }
        letters[index] = name[3];
        highest = std::max(highest, index);
        isFound = true;
    }
    if (isFound) {
        // The bit above the last state says that the task was preempted (TASK_REPORT_MAX).
        if (highest + 1 < letters.size()) {
            letters[highest + 1] = '+';
        }
        m_letters = letters;
    }
}

char TaskStates::letter(std::int64_t state) const noexcept {
    char found = 'R';
    for (std::size_t i = 0; i < m_letters.size(); ++i) {
        if (m_letters[i] != 0 && ((state >> i) & 1) != 0) {
            found = m_letters[i];
        }
    }
    return found;
}

std::int8_t priorityOf(int prio) noexcept {
    int mapped = 8;
    if (prio < 0) {
        mapped = 31;
    } else if (prio < 100) {
        const int urgency = 99 - prio; // 1…99, 0 for the migration thread's own class
        mapped = 16 + std::max(urgency - 1, 0) * 14 / 98;
    } else if (prio < 120) {
        mapped = 8 + ((120 - prio) * 7 + 19) / 20;
    } else {
        mapped = 8 - ((std::min(prio, 139) - 120) * 7 + 18) / 19;
    }
    return static_cast<std::int8_t>(mapped);
}

etlformat::Sid sidOfUser(std::uint32_t uid) noexcept {
    return etlformat::sidOfUnixUser(uid);
}

namespace {

std::string_view baseName(std::string_view path) {
    return path.substr(path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1);
}

} // namespace

std::string processName(const std::string& comm, const std::string& executable, const std::string& commandLine) {
    constexpr std::size_t kLongestComm = 15;
    if (comm.empty()) {
        return std::string(baseName(executable));
    }
    if (comm.size() < kLongestComm) {
        return comm;
    }
    std::string_view first = commandLine;
    const bool isQuoted = !first.empty() && first.front() == '"';
    first = isQuoted ? first.substr(1, first.find('"', 1) - 1) : first.substr(0, first.find(' '));
    for (const std::string_view candidate : {baseName(executable), baseName(first)}) {
        if (candidate.size() > comm.size() && candidate.substr(0, comm.size()) == comm) {
            return std::string(candidate);
        }
    }
    return comm;
}

namespace {

void appendQuoted(std::string& line, std::string_view argument) {
    line += '"';
    std::size_t backslashes = 0;
    for (const char c : argument) {
        if (c == '"') {
            line.append(backslashes + 1, '\\');
        }
        backslashes = c == '\\' ? backslashes + 1 : 0;
        line += c;
    }
    line.append(backslashes, '\\');
    line += '"';
}

} // namespace

std::string joinArguments(std::string_view arguments) {
    std::string line;
    for (bool isFirst = true; !arguments.empty(); isFirst = false) {
        const std::size_t end = std::min(arguments.find('\0'), arguments.size());
        const std::string_view argument = arguments.substr(0, end);
        arguments.remove_prefix(std::min(end + 1, arguments.size()));
        if (!isFirst) {
            line += ' ';
        }
        if (argument.empty() || argument.find_first_of(" \t\n\"") != argument.npos) {
            appendQuoted(line, argument);
        } else {
            line += argument;
        }
    }
    return line;
}

bool imageFileName(std::string_view mapped, std::string& fileName) {
    constexpr std::string_view kDeleted = " (deleted)";
    if (mapped == "[vdso]") {
        fileName = mapped;
        return true;
    }
    for (const std::string_view none : {"//anon", "/memfd:", "/dev/", "/SYSV", "/anon_hugepage", "/[aio]"}) {
        if (mapped.substr(0, none.size()) == none) {
            return false;
        }
    }
    if (mapped.empty() || mapped.front() != '/') {
        return false;
    }
    if (mapped.size() > kDeleted.size() && mapped.substr(mapped.size() - kDeleted.size()) == kDeleted) {
        mapped.remove_suffix(kDeleted.size());
    }
    fileName = mapped;
    return true;
}

std::int32_t exitStatusOf(std::uint32_t code) noexcept {
    const std::uint32_t signal = code & 0x7FU;
    return static_cast<std::int32_t>(signal != 0 ? 128 + signal : (code >> 8U) & 0xFFU);
}

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_set>

namespace tracedeck::etl {

/// How many UTF-16 units or bytes a character of a text takes.
enum class TextWidth : std::uint8_t { Narrow = 1, Wide = 2 };

/// Replaces what says who somebody is by letters that follow from it and from a salt, in the same number of bytes: what
/// was equal stays equal, and without the salt nobody can try names until one fits. Texts of a few characters have few
/// replacements, so that two of them may become equal.
///
/// Threading: one thread at a time.
class Replacer {
public:
    explicit Replacer(std::string salt) : m_salt(std::move(salt)) {}

    /// Names of files that are part of the operating system, told before the first replacement.
    void addSystemFile(std::string_view path);
    [[nodiscard]] bool isSystemFileName(std::string_view name) const;

    /// The whole text. False where there was nothing to replace.
    bool replaceText(std::span<std::byte> text, TextWidth width) const;
    /// Part by part: separators, drive letters and volumes, well-known folders (Users, home, tmp …) and the ends of
    /// well-known kinds of files (.dll, .so, .txt …) stay. So does all of a path of the operating system's own files
    /// (/usr but for /usr/local, /lib, /bin, /sbin, /boot, /proc, /sys, \Windows\System32 and the like), and the name
    /// of such a file where it stands alone.
    bool replacePath(std::span<std::byte> text, TextWidth width) const;
    /// S-1-22-1-1000: all but what says which kind it is. Well-known SIDs (one part, S-1-5-32-…, ids below 1,000 of
    /// users of Linux) stay.
    bool replaceSid(std::span<std::byte> sid) const;
    /// Addresses of this machine itself (127.0.0.0/8, ::1), of nobody (all zero) and of groups stay.
    bool replaceIpV4(std::span<std::byte> address) const;
    bool replaceIpV6(std::span<std::byte> address) const;
    /// Numbers that identify a machine.
    bool replaceBytes(std::span<std::byte> bytes) const;

private:
    void fill(std::span<std::byte> into, TextWidth width, std::string_view key) const;
    [[nodiscard]] std::string stream(std::string_view key, std::size_t length) const;

    std::string m_salt;
    std::unordered_set<std::string> m_systemFiles; ///< lower case: names, names without their end, and their first 15
};

/// Whether the path is one of the operating system's own, which says nothing about anybody.
[[nodiscard]] bool isSystemPath(std::string_view path);

} // namespace tracedeck::etl

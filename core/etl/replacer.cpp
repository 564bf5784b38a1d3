// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/replacer.h"

#include "core/base/sha1.h"
#include "core/base/utf.h"
#include "core/etl/event_view.h"
#include "core/etl/kernel_fields.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tracedeck::etl {
namespace {

constexpr std::string_view kLetters = "abcdefghijkmnpqrstuvwxyz23456789"; // 32, none that looks like another
constexpr std::size_t kLongestShortName = 15;                             // all that Linux keeps of a program's name

constexpr std::array<std::string_view, 9> kSystemFolders{"/usr/",  "/lib/",  "/lib32/", "/lib64/", "/bin/",
                                                         "/sbin/", "/boot/", "/proc/",  "/sys/"};
constexpr std::string_view kLocal = "/usr/local/";
/// Behind "\windows\" or "\systemroot\".
constexpr std::array<std::string_view, 8> kWindowsFolders{"system32", "syswow64", "winsxs",     "microsoft.net",
                                                          "fonts",    "assembly", "systemapps", "globalization"};
/// Below those there are users' own files, too.
constexpr std::array<std::string_view, 4> kPrivateFolders{"systemprofile", "localservice", "networkservice", "tasks"};

/// Parts of paths that are the same on every machine.
constexpr std::array<std::string_view, 25> kPlainParts{"home",
                                                       "users",
                                                       "tmp",
                                                       "var",
                                                       "opt",
                                                       "mnt",
                                                       "root",
                                                       "run",
                                                       "srv",
                                                       "media",
                                                       "dev",
                                                       "etc",
                                                       "snap",
                                                       "local",
                                                       "documents and settings",
                                                       "program files",
                                                       "program files (x86)",
                                                       "programdata",
                                                       "appdata",
                                                       "roaming",
                                                       "temp",
                                                       "device",
                                                       "windows",
                                                       "..",
                                                       "."};
constexpr std::array<std::string_view, 48> kPlainEnds{
    ".exe", ".dll",  ".sys", ".so",   ".ko",  ".etl", ".wprp", ".txt", ".log", ".dat", ".db",  ".json",
    ".xml", ".conf", ".cfg", ".ini",  ".png", ".jpg", ".jpeg", ".gif", ".svg", ".pdf", ".doc", ".docx",
    ".xls", ".xlsx", ".ppt", ".pptx", ".zip", ".gz",  ".xz",   ".tar", ".py",  ".pyc", ".js",  ".jar",
    ".ttf", ".o",    ".a",   ".c",    ".cpp", ".h",   ".html", ".css", ".mui", ".pdb", ".tmp", ".lnk"};

std::string lower(std::string_view text) {
    std::string result(text);
    // Names of the table are ASCII; other bytes stay as they are.
    std::transform(result.begin(), result.end(), result.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; });
    return result;
}

template <std::size_t Size>
bool isOneOf(const std::array<std::string_view, Size>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

bool isSeparator(char16_t c) noexcept {
    return c == u'/' || c == u'\\';
}

std::string_view nameOf(std::string_view path) {
    return path.substr(path.find_last_of("/\\") == std::string_view::npos ? 0 : path.find_last_of("/\\") + 1);
}

std::string_view endOf(std::string_view name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string_view::npos || dot == 0 ? std::string_view() : name.substr(dot);
}

bool isWindowsPath(std::string_view path) {
    for (const std::string_view root : {"\\windows\\", "\\systemroot\\"}) {
        const std::size_t at = path.find(root);
        if (at == std::string_view::npos) {
            continue;
        }
        // Before it: a drive, a volume, nothing.
        const std::string_view before = path.substr(0, at);
        const bool isRoot = before.empty() || before.ends_with(':') ||
                            (before.starts_with("\\device\\harddiskvolume") &&
                             before.find_first_not_of("0123456789", 22) == std::string_view::npos);
        const std::string_view rest = path.substr(at + root.size());
        const bool isPrivate = std::any_of(kPrivateFolders.begin(), kPrivateFolders.end(), [&](std::string_view part) {
            return rest.find(part) != std::string_view::npos;
        });
        return isRoot && !isPrivate && isOneOf(kWindowsFolders, rest.substr(0, rest.find('\\')));
    }
    return false;
}

/// "c:", "harddiskvolume3", "??"
bool isPlainPart(const std::string& part) {
    constexpr std::string_view kVolume = "harddiskvolume";
    if (part.empty() || part == "??" || (part.size() == 2 && part[1] == ':')) {
        return true;
    }
    if (part.starts_with(kVolume)) {
        return part.find_first_not_of("0123456789", kVolume.size()) == std::string::npos;
    }
    return isOneOf(kPlainParts, part);
}

std::u16string unitsOf(std::span<const std::byte> text, TextWidth width) {
    std::u16string units(text.size() / static_cast<std::size_t>(width), u'\0');
    for (std::size_t i = 0; i < units.size(); ++i) {
        units[i] = width == TextWidth::Wide ? loadAt<char16_t>(text.data(), 2 * i)
                                            : static_cast<char16_t>(std::to_integer<unsigned>(text[i]));
    }
    return units;
}

/// The text, whatever its width, as the same bytes.
std::string keyOf(std::span<const std::byte> text, TextWidth width) {
    if (width == TextWidth::Wide) {
        return toUtf8(unitsOf(text, width));
    }
    return {reinterpret_cast<const char*>(text.data()), text.size()};
}

} // namespace

bool isSystemPath(std::string_view given) {
    const std::string path = lower(given);
    if (path.find("/../") != std::string::npos || path.find("\\..\\") != std::string::npos) {
        return false;
    }
    if (path.starts_with('/')) {
        return !path.starts_with(kLocal) && std::any_of(kSystemFolders.begin(), kSystemFolders.end(),
                                                        [&](std::string_view root) { return path.starts_with(root); });
    }
    return isWindowsPath(path) || path == "vmlinux" || path == "[vdso]" ||
           (path.ends_with(".ko") && path.find_first_of("/\\") == std::string::npos);
}

void Replacer::addSystemFile(std::string_view path) {
    if (!isSystemPath(path)) {
        return;
    }
    const std::string name = lower(nameOf(path));
    m_systemFiles.insert(name);
    m_systemFiles.insert(name.substr(0, kLongestShortName));
    m_systemFiles.insert(name.substr(0, name.size() - endOf(name).size()));
}

bool Replacer::isSystemFileName(std::string_view name) const {
    const std::string low = lower(name);
    const std::string_view end = endOf(low);
    return m_systemFiles.contains(low) ||
           (end == ".pdb" && m_systemFiles.contains(low.substr(0, low.size() - end.size())));
}

/// As many letters as are asked for, from SHA-1 of salt, counter and text: a keyed hash that only its letters leave.
std::string Replacer::stream(std::string_view key, std::size_t length) const {
    std::string result;
    std::vector<std::uint8_t> input(m_salt.begin(), m_salt.end());
    const std::size_t counterAt = input.size();
    input.resize(counterAt + sizeof(std::uint32_t));
    input.insert(input.end(), key.begin(), key.end());
    for (std::uint32_t counter = 0; result.size() < length; ++counter) {
        std::memcpy(input.data() + counterAt, &counter, sizeof counter);
        for (const std::uint8_t byte : sha1(input)) {
            result += static_cast<char>(byte);
        }
    }
    result.resize(length);
    return result;
}

void Replacer::fill(std::span<std::byte> into, TextWidth width, std::string_view key) const {
    const std::size_t units = into.size() / static_cast<std::size_t>(width);
    const std::string random = stream(key, units);
    for (std::size_t i = 0; i < units; ++i) {
        const char letter = kLetters[static_cast<unsigned char>(random[i]) % kLetters.size()];
        into[i * static_cast<std::size_t>(width)] = static_cast<std::byte>(letter);
        if (width == TextWidth::Wide) {
            into[2 * i + 1] = std::byte{0};
        }
    }
}

bool Replacer::replaceText(std::span<std::byte> text, TextWidth width) const {
    if (text.empty()) {
        return false;
    }
    fill(text, width, keyOf(text, width));
    return true;
}

bool Replacer::replacePath(std::span<std::byte> text, TextWidth width) const {
    const std::string whole = keyOf(text, width);
    if (whole.empty() || isSystemPath(whole) || isSystemFileName(whole)) {
        return false;
    }
    const std::u16string units = unitsOf(text, width);
    const auto unitSize = static_cast<std::size_t>(width);
    bool isReplaced = false;
    for (std::size_t begin = 0; begin < units.size();) {
        if (isSeparator(units[begin])) {
            ++begin;
            continue;
        }
        const auto end = static_cast<std::size_t>(
            std::find_if(units.begin() + static_cast<std::ptrdiff_t>(begin), units.end(), isSeparator) - units.begin());
        std::span<std::byte> part = text.subspan(begin * unitSize, (end - begin) * unitSize);
        const std::string key = keyOf(part, width);
        const std::string low = lower(key);
        if (!isPlainPart(low) || end - begin == units.size()) {
            const std::string_view kept = isOneOf(kPlainEnds, endOf(low)) ? endOf(low) : std::string_view();
            part = part.first(part.size() - kept.size() * unitSize); // the ends are ASCII: as many units as bytes
            fill(part, width, std::string_view(key).substr(0, key.size() - kept.size()));
            isReplaced = true;
        }
        begin = end;
    }
    return isReplaced;
}

bool Replacer::replaceSid(std::span<std::byte> sid) const {
    constexpr std::size_t kFixed = 8;
    constexpr std::uint32_t kBuiltIn = 32;
    constexpr std::uint32_t kFirstPerson = 1000;
    if (sid.size() < kFixed + 2 * sizeof(std::uint32_t) || sidLength(sid) != sid.size() ||
        loadAt<std::uint32_t>(sid.data(), kFixed) == kBuiltIn) {
        return false;
    }
    const auto last = loadAt<std::uint32_t>(sid.data(), sid.size() - sizeof(std::uint32_t));
    const std::size_t parts = (sid.size() - kFixed) / sizeof(std::uint32_t);
    if (parts == 2 && last < kFirstPerson) {
        return false;
    }
    const std::string key = "sid" + keyOf(sid, TextWidth::Narrow);
    const std::string domain = key.substr(0, key.size() - sizeof(std::uint32_t));
    for (std::size_t i = 1; i < parts; ++i) {
        const bool isLast = i + 1 == parts;
        if (isLast && last < kFirstPerson) {
            break; // Administrator, Guest: the same in every domain
        }
        const std::string random = stream((isLast ? key : domain) + static_cast<char>(i), sizeof(std::uint32_t));
        std::uint32_t number = 0;
        std::memcpy(&number, random.data(), sizeof number);
        number |= isLast ? 0x10000U : 0U; // no well-known one
        std::memcpy(sid.data() + kFixed + i * sizeof number, &number, sizeof number);
    }
    return true;
}

bool Replacer::replaceIpV4(std::span<std::byte> address) const {
    constexpr std::size_t kSize = 4;
    constexpr unsigned kSelf = 127;
    constexpr unsigned kFirstGroup = 224;
    if (address.size() != kSize) {
        return false;
    }
    const auto first = std::to_integer<unsigned>(address[0]);
    return first != kSelf && first < kFirstGroup && replaceBytes(address);
}

bool Replacer::replaceIpV6(std::span<std::byte> address) const {
    constexpr std::size_t kSize = 16;
    if (address.size() != kSize) {
        return false;
    }
    const bool isEmpty = std::all_of(address.begin(), address.end() - 1, [](std::byte b) { return b == std::byte{0}; });
    const bool isSelf = isEmpty && std::to_integer<unsigned>(address[kSize - 1]) <= 1;
    if (isSelf || address[0] == std::byte{0xFF}) {
        return false;
    }
    return replaceBytes(address);
}

bool Replacer::replaceBytes(std::span<std::byte> bytes) const {
    if (std::all_of(bytes.begin(), bytes.end(), [](std::byte b) { return b == std::byte{0}; })) {
        return false;
    }
    const std::string random = stream("bytes" + keyOf(bytes, TextWidth::Narrow), bytes.size());
    std::memcpy(bytes.data(), random.data(), bytes.size());
    return true;
}

} // namespace tracedeck::etl

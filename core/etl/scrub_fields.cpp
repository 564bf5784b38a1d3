// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/scrub_fields.h"

#include "core/base/utf.h"
#include "core/etl/event_view.h"

#include <algorithm>
#include <array>

namespace tracedeck::etl {
namespace {

template <std::size_t Size>
bool isOneOf(const std::array<std::string_view, Size>& all, std::string_view one) {
    return std::find(all.begin(), all.end(), one) != all.end();
}

/// Kernel texts that name kinds of things, or the make of the machine's processor and the build of its system.
constexpr std::array<std::string_view, 14> kKeptTexts{
    "SourceName",          "CounterName",    "TypeName",         "FileSystem",  "FileSystemName",
    "ProcessorIdentifier", "ProcessorName",  "VendorIdentifier", "BuildString", "BuildLab",
    "DriveLetter",         "BinFileVersion", "VerLanguage",      "BiosDate"};
/// Texts that are no path and may name somebody.
constexpr std::array<std::string_view, 5> kPlainTexts{"ComputerName", "DomainName", "IpAddresses", "DnsServerAddresses",
                                                      "NICDescription"};
/// Sessions by the names that recorders give them.
constexpr std::array<std::string_view, 4> kKnownSessions{"Tracedeck", "NT Kernel Logger", "Relogger",
                                                         "[multiple files]"};
constexpr std::array<std::string_view, 10> kAddressNumbers{
    "PhysicalAddr",        "IpAddress",  "DhcpServer", "Gateway",    "PrimaryWinsServer",
    "SecondaryWinsServer", "DnsServer1", "DnsServer2", "DnsServer3", "DnsServer4"};
constexpr std::array<std::string_view, 2> kIdentities{"MachineId", "VolumeId"};
/// What the recorder says of itself for those who look at the recording (health.h).
constexpr std::array<std::string_view, 11> kKeptByRecorder{"Profiles", "Platform",  "Version",     "Keywords",
                                                           "Stacks",   "Providers", "Limitations", "Reason",
                                                           "Session",  "Cause",     "LengthMs"};
constexpr std::array<std::string_view, 2> kNotes{"Note", "Text"};
constexpr std::uint64_t kIdleProcess = 0;
constexpr std::uint64_t kSystemProcess = 4;

std::string textOf(std::span<const std::byte> text, TextWidth width) {
    if (width == TextWidth::Narrow) {
        return {reinterpret_cast<const char*>(text.data()), text.size()};
    }
    std::u16string units(text.size() / 2, u'\0');
    if (!units.empty()) {
        std::memcpy(units.data(), text.data(), units.size() * 2);
    }
    return toUtf8(units);
}

} // namespace

std::span<std::byte> ScrubFields::mine(std::span<const std::byte> part) const {
    if (part.empty()) {
        return {};
    }
    return m_bytes.subspan(static_cast<std::size_t>(part.data() - m_bytes.data()), part.size());
}

void ScrubFields::clear(std::span<const std::byte> bytes) {
    const std::span<std::byte> own = mine(bytes);
    if (std::any_of(own.begin(), own.end(), [](std::byte b) { return b != std::byte{0}; })) {
        std::fill(own.begin(), own.end(), std::byte{0});
        ++m_result.binaries;
    }
}

void ScrubFields::clearUnlessAddress(std::span<const std::byte> frame) {
    constexpr std::size_t kWide = 8;
    constexpr unsigned kAddressBits = 47; // the others are all equal
    if (frame.size() != kWide) {
        return;
    }
    const std::int64_t high = loadAt<std::int64_t>(frame.data(), 0) >> kAddressBits;
    if (high != 0 && high != -1) {
        clear(frame);
    }
}

void ScrubFields::replaceSid(std::span<const std::byte> sid) {
    m_result.users += m_replacer.replaceSid(mine(sid)) ? 1U : 0U;
}

void ScrubFields::replaceText(std::span<std::byte> text, TextWidth width, std::uint64_t& counter) {
    counter += m_replacer.replaceText(text, width) ? 1U : 0U;
}

void ScrubFields::replacePath(std::span<std::byte> text, TextWidth width) {
    m_result.paths += m_replacer.replacePath(text, width) ? 1U : 0U;
}

void ScrubFields::beginArray(std::string_view name) {
    m_arrayName = m_depth++ == 0 || !name.empty() ? name : m_arrayName;
}

void ScrubFields::value(const FieldValue& field) {
    const std::string_view name = field.name.empty() && m_depth > 0 ? m_arrayName : field.name;
    const std::span<std::byte> own = mine(field.data);
    switch (field.type) {
    case FieldType::WideText:
    case FieldType::Text: {
        const TextWidth width = field.type == FieldType::Text ? TextWidth::Narrow : TextWidth::Wide;
        clear(field.slack);
        if (m_origin == Origin::Kernel) {
            replaceKernelText(name, own, width);
        } else {
            replaceOwnText(name, own, width);
        }
        return;
    }
    case FieldType::Character:
        std::fill(own.begin(), own.end(), std::byte{0});
        if (!own.empty()) {
            own[0] = std::byte{'x'};
            ++m_result.texts;
        }
        return;
    case FieldType::Sid:
        return replaceSid(field.data);
    case FieldType::IpV4:
        m_result.addresses += m_replacer.replaceIpV4(own) ? 1U : 0U;
        return;
    case FieldType::IpV6:
        m_result.addresses += m_replacer.replaceIpV6(own) ? 1U : 0U;
        return;
    case FieldType::SocketAddress:
        return replaceSocketAddress(own);
    case FieldType::Binary:
        if (name != "TimeZoneInformation") {
            clear(field.data);
        }
        return;
    case FieldType::Guid:
        if (m_origin == Origin::Kernel && isOneOf(kIdentities, name)) {
            m_result.addresses += m_replacer.replaceBytes(own) ? 1U : 0U;
        }
        return;
    case FieldType::Signed:
    case FieldType::Unsigned:
        return takeNumber(name, field);
    case FieldType::Hex:
        if (m_origin == Origin::Kernel && m_depth > 0) {
            clearUnlessAddress(field.data);
        }
        return;
    case FieldType::Float:
    case FieldType::Boolean:
    case FieldType::FileTime:
    case FieldType::SystemTime:
    case FieldType::Port:
        return;
    }
}

void ScrubFields::takeNumber(std::string_view name, const FieldValue& field) {
    if (m_origin != Origin::Kernel) {
        // Arrays of bytes are texts, or images of them.
        if (m_depth > 0 && field.data.size() == 1) {
            clear(field.data);
        }
        return;
    }
    if (name == "ProcessId" && field.data.size() == sizeof(std::uint32_t)) {
        m_processId = loadAt<std::uint32_t>(field.data.data(), 0);
    } else if (isOneOf(kAddressNumbers, name)) {
        m_result.addresses += m_replacer.replaceBytes(mine(field.data)) ? 1U : 0U;
    }
}

void ScrubFields::replaceKernelText(std::string_view name, std::span<std::byte> text, TextWidth width) {
    if (isOneOf(kKeptTexts, name)) {
        return;
    }
    const bool isSystemProcess = m_processId == kIdleProcess || m_processId == kSystemProcess;
    if (name == "CommandLine") {
        replaceText(text, width, m_result.commandLines);
    } else if (name == "ThreadName") {
        // Threads of programs of the system carry the program's name.
        if (!isSystemProcess && !m_replacer.isSystemFileName(textOf(text, width))) {
            replaceText(text, width, m_result.texts);
        }
    } else if (name == "ImageFileName" && isSystemProcess) {
        return; // "System", "Idle"
    } else if (name == "Message") {
        if (!m_request.keepsNotes) {
            replaceText(text, width, m_result.notes);
        }
    } else if (name == "SessionNameString") {
        const std::string session = textOf(text, width);
        if (!isOneOf(kKnownSessions, session)) {
            replaceText(text, width, m_result.texts);
        }
    } else if (isOneOf(kPlainTexts, name)) {
        replaceText(text, width, m_result.texts);
    } else {
        replacePath(text, width);
    }
}

void ScrubFields::replaceOwnText(std::string_view name, std::span<std::byte> text, TextWidth width) {
    if (m_origin == Origin::Recorder) {
        if (isOneOf(kKeptByRecorder, name)) {
            return;
        }
        if (isOneOf(kNotes, name)) {
            if (!m_request.keepsNotes) {
                replaceText(text, width, m_result.notes);
            }
            return;
        }
    }
    replaceText(text, width, m_result.texts);
}

void ScrubFields::replaceSocketAddress(std::span<std::byte> address) {
    constexpr std::uint16_t kIpV4 = 2;
    constexpr std::uint16_t kIpV6 = 23;
    constexpr std::size_t kV4End = 8;
    constexpr std::size_t kV6End = 24;
    const auto family = address.size() >= 2 ? loadAt<std::uint16_t>(address.data(), 0) : std::uint16_t{0};
    if (family == kIpV4 && address.size() >= kV4End) {
        m_result.addresses += m_replacer.replaceIpV4(address.subspan(4, 4)) ? 1U : 0U;
        clear(address.subspan(kV4End));
    } else if (family == kIpV6 && address.size() >= kV6End) {
        m_result.addresses += m_replacer.replaceIpV6(address.subspan(8, 16)) ? 1U : 0U;
    } else {
        clear(address);
    }
}

} // namespace tracedeck::etl

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::etw::engine {

class Session;

/// What one session wants of one provider: EnableTraceEx2's arguments, ready to be asked by writers. Never changed once
/// writers can see it.
class Enabling {
public:
    /// Checks as EnableTraceEx2 does; the codes are in session_rules.h.
    [[nodiscard]] static Result<Enabling> of(Session& session, const ProviderConfig& config);

    [[nodiscard]] Session& session() const noexcept { return *m_session; }
    [[nodiscard]] std::uint8_t level() const noexcept { return m_level; } ///< 0: every level
    [[nodiscard]] std::uint64_t matchAny() const noexcept { return m_matchAny; }
    [[nodiscard]] std::uint64_t matchAll() const noexcept { return m_matchAll; }
    /// False where a filter keeps this process out: no event of its providers passes.
    [[nodiscard]] bool concernsThisProcess() const noexcept { return m_concernsThisProcess; }

    /// The rule of the providers' own libraries: level 0 of the session means all, level 0 of an event always passes,
    /// so does an event without keywords, unless the session wants none of those; a session's "any" of 0 means all.
    [[nodiscard]] bool passes(std::uint8_t level, std::uint64_t keyword) const noexcept {
        if (m_level != 0 && level > m_level) {
            return false;
        }
        if (keyword == 0) {
            return !m_ignoresKeyword0;
        }
        return (m_matchAny == 0 || (keyword & m_matchAny) != 0) && (keyword & m_matchAll) == m_matchAll;
    }
    /// EVENT_FILTER_TYPE_EVENT_ID: of events that have an id; self-describing ones have none.
    [[nodiscard]] bool passesId(std::uint16_t id) const noexcept { return m_ids.empty() || hasId(id) == m_isIdIn; }
    /// EVENT_FILTER_TYPE_EVENT_NAME: of self-describing events. Those with one of the names, up to the filter's level
    /// and with one of its keywords, are meant: they alone, or all but they.
    [[nodiscard]] bool passesName(std::string_view name, std::uint8_t level, std::uint64_t keyword) const noexcept {
        return m_names.empty() || hasName(name, level, keyword) == m_isNameIn;
    }

private:
    Enabling() = default;
    [[nodiscard]] bool hasId(std::uint16_t id) const noexcept;
    [[nodiscard]] bool hasName(std::string_view name, std::uint8_t level, std::uint64_t keyword) const noexcept;
    void take(const EventFilter& filter);

    Session* m_session = nullptr;
    std::uint8_t m_level = 0xFF;
    std::uint64_t m_matchAny = 0;
    std::uint64_t m_matchAll = 0;
    bool m_ignoresKeyword0 = false;
    bool m_concernsThisProcess = true;
    bool m_isIdIn = true;
    bool m_isNameIn = true;
    std::uint8_t m_nameLevel = 0;
    std::uint64_t m_nameKeyword = 0;
    std::vector<std::uint16_t> m_ids; ///< sorted
    std::vector<std::string> m_names; ///< sorted
};

/// EVENT_ENABLE_PROPERTY_* bits.
namespace enable_property {
constexpr std::uint32_t kIgnoreKeyword0 = 0x10;    ///< no events without keywords
constexpr std::uint32_t kEnableKeyword0 = 0x40;    ///< they pass, as they do anyway
constexpr std::uint32_t kExcludeInPrivate = 0x200; ///< no events of private browsing: there are none here
} // namespace enable_property

/// The properties of `config` that are not served: they would put more data with the events.
[[nodiscard]] constexpr std::uint32_t unservedProperties(const ProviderConfig& config) noexcept {
    return config.enableProperties &
           ~(enable_property::kIgnoreKeyword0 | enable_property::kEnableKeyword0 | enable_property::kExcludeInPrivate);
}

} // namespace tracedeck::etw::engine

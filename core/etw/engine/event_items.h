// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/layout.h"
#include "core/etw/engine/call_stack.h"
#include "core/etw/types.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// EVENT_ENABLE_PROPERTY_* bits (evntcons.h; the ENABLE_TRACE_PARAMETERS page).
namespace enable_property {
constexpr std::uint32_t kSid = 0x1;
constexpr std::uint32_t kTerminalSessionId = 0x2;
constexpr std::uint32_t kStackTrace = 0x4;
constexpr std::uint32_t kIgnoreKeyword0 = 0x10; ///< no events without keywords
/// Events without keywords pass: they do anyway, as EnableTraceEx2's keyword rule says, so that it asks for nothing.
constexpr std::uint32_t kEnableKeyword0 = 0x40;
constexpr std::uint32_t kProcessStartKey = 0x80;
constexpr std::uint32_t kEventKey = 0x100;
constexpr std::uint32_t kExcludeInPrivate = 0x200; ///< no events of private browsing: there are none here
/// Those that put an item of data with each event.
constexpr std::uint32_t kItems = kSid | kTerminalSessionId | kStackTrace | kProcessStartKey | kEventKey;
/// Not served: PSM_KEY, PROVIDER_GROUP, ENABLE_SILOS, SOURCE_CONTAINER_TRACKING, which have no meaning here.
constexpr std::uint32_t kServed = kItems | kIgnoreKeyword0 | kEnableKeyword0 | kExcludeInPrivate;
} // namespace enable_property

/// Who logs: the process that a provider belongs to.
struct Process {
    std::uint32_t id = 0;
    bool isThis = true;  ///< false: another one, whose events this one hands over
    std::string program; ///< its file name; empty where that cannot be told
    /// Of its effective user, when it registered the provider. Empty where there is none.
    std::vector<std::byte> sid;
    /// The audit session of its login. None: it belongs to no login, or the kernel does not keep one.
    std::optional<std::uint32_t> sessionId;
    /// No other process of this boot has it: the time of its start in the kernel's clock ticks since then, and its id
    /// in the lower 22 bits (more is no process id).
    std::optional<std::uint64_t> startKey;

    [[nodiscard]] static Process self();
    /// Linux; elsewhere nothing but its id is known.
    [[nodiscard]] static Process other(std::uint32_t id);
    /// Of enable_property::kItems, those that its events cannot have.
    [[nodiscard]] std::uint32_t missingItems() const noexcept;
};

/// The extended items that a session's properties add to an event, as they lie behind its header.
///
/// Threading: lives on the writer's stack; nothing allocates.
class EventItems {
public:
    /// `wanted`: of enable_property::kItems. `frame`: where the stack begins (walkStack()). What `process` does not
    /// have is left out.
    EventItems(std::uint32_t wanted, const Process& process, const void* frame, std::uint64_t eventKey) noexcept;
    EventItems(const EventItems&) = delete;
    EventItems& operator=(const EventItems&) = delete;

    /// Linked to one another, the last one to none.
    [[nodiscard]] std::span<const std::byte> bytes() const noexcept { return std::span(m_bytes).first(m_size); }
    [[nodiscard]] std::size_t size() const noexcept { return m_size; }

private:
    static constexpr std::size_t kMostSid = 0x44; // SECURITY_MAX_SID_SIZE
    static constexpr std::size_t kNumber = sizeof(std::uint64_t);
    static constexpr std::size_t kMost = 5 * sizeof(etlformat::ExtendedItem) + etlformat::alignEvent(kMostSid) +
                                         3 * kNumber + (1 + kMostFrames) * kNumber;

    void add(etlformat::ExtendedType type, std::span<const std::byte> data) noexcept;
    void addStack(const void* frame) noexcept;

    std::size_t m_size = 0;
    std::size_t m_last = kMost;           ///< where the last item begins; kMost: there is none
    std::array<std::byte, kMost> m_bytes; // NOLINT(cppcoreguidelines-pro-type-member-init): not read beyond m_size
};

} // namespace tracedeck::etw::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/limits.h"
#include "core/etw/types.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace tracedeck::etw::remote {

/// A host's sessions, of all users: whose they are, and what of the machine each user has taken. Names are unique
/// among all of them; who asks for one that is taken learns no more than that.
///
/// Threading: one thread.
class SessionTable {
public:
    struct Entry {
        SessionId inBackend; ///< what its backend calls it; 0 while it starts
        std::uint32_t owner = 0;
        SessionConfig asked;
        std::uint32_t grantedMinimum = 0; ///< buffers, as they were held to the user's memory
        std::uint32_t grantedMaximum = 0;
        Bytes memory{0};
        [[nodiscard]] bool isSystemLogger() const noexcept;
    };

    /// `heldOtherwise`: what of a user's memory is not the sessions', but counts with them; may be empty.
    SessionTable(Limits limits, std::uint32_t processors, std::function<Bytes(std::uint32_t)> heldOtherwise = {})
        : m_limits(limits), m_processors(processors), m_heldOtherwise(std::move(heldOtherwise)) {}

    /// Takes name, place and memory for a session that is about to start. `config` comes back with its buffers held to
    /// what is left of the user's memory, as the engine holds them to the machine's, and with a GUID. SessionNameTaken;
    /// SessionLimit for the user's own limits, and ETW's of the machine.
    [[nodiscard]] Result<SessionId> reserve(std::uint32_t owner, SessionConfig& config);
    /// It runs, with these buffers.
    void confirm(SessionId id, SessionId inBackend, const SessionStats& stats);
    /// It did not start, or has ended.
    void release(SessionId id);

    /// Null where `user` has no such session: not one that starts still, nor another user's, but for user 0.
    [[nodiscard]] Entry* find(SessionId id, std::uint32_t user);
    /// In the order of their starts.
    [[nodiscard]] std::vector<SessionInfo> list(std::uint32_t user) const;
    /// What update() may ask of the backend: buffers held to what is left of the user's memory.
    void holdToMemory(const Entry& entry, SessionConfig& config) const;
    void updated(SessionId id, const SessionStats& stats);

    [[nodiscard]] bool hasSessionsOf(std::uint32_t owner) const noexcept;
    [[nodiscard]] bool isEmpty() const noexcept { return m_sessions.empty(); }

private:
    [[nodiscard]] Bytes heldOtherwise(std::uint32_t owner) const;
    [[nodiscard]] Bytes memoryLeft(std::uint32_t owner) const;
    [[nodiscard]] Status checkNumbers(std::uint32_t owner, const SessionConfig& config) const;

    const Limits m_limits;
    const std::uint32_t m_processors;
    const std::function<Bytes(std::uint32_t)> m_heldOtherwise;
    std::map<SessionId, Entry> m_sessions;
    std::uint64_t m_lastId = 0;
};

} // namespace tracedeck::etw::remote

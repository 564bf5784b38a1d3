// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/inbox.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>

namespace tracedeck::etw::remote {

/// Looks at clients' descriptors, and closes them, where that may take for ever: a process of the client's may serve
/// the file (FUSE) and never answer. Each time a thread is left to it, a few for each user.
///
/// Threading: one thread, which also carries out what is in the inbox. Ownership: what does not return is left behind
/// and ends with the process.
class Aside {
public:
    explicit Aside(std::shared_ptr<Inbox> inbox) : m_inbox(std::move(inbox)) {}

    /// Runs `work` on a thread of its own, then `then` on this one. False where the system has no thread for it:
    /// neither is run.
    [[nodiscard]] bool run(std::uint32_t user, std::function<void()> work, std::function<void()> then);
    /// So much of the user's hangs that nothing more must be taken from him.
    [[nodiscard]] bool isFull(std::uint32_t user) const noexcept;

private:
    const std::shared_ptr<Inbox> m_inbox;
    std::map<std::uint32_t, std::size_t> m_running;
};

} // namespace tracedeck::etw::remote

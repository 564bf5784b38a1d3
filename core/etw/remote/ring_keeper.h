// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/controller.h"
#include "core/etw/remote/inbox.h"
#include "core/etw/remote/left_rings.h"

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::etw::remote {

/// A host's dealings with rings that earlier hosts have left: whose they are, what they hold of their owner's memory,
/// and the work with them, which is done aside, one job of a user after the other.
///
/// A user reaches his own rings, user 0 those of all. Who asks for another one learns no more than that he has none.
///
/// Threading: one thread, which also carries out what is in the inbox; completions are called on threads of its own.
/// Ownership: the destructor cancels and waits for the jobs that have begun, and drops the rest unanswered.
class RingKeeper {
public:
    /// `rings` may be null: there are none then.
    RingKeeper(std::shared_ptr<LeftRings> rings, std::shared_ptr<Inbox> inbox);
    ~RingKeeper();
    RingKeeper(const RingKeeper&) = delete;
    RingKeeper& operator=(const RingKeeper&) = delete;

    /// At the end: the jobs that have begun are to come to one, and no others begin.
    void cancel() noexcept;
    /// After cancel(), and with nothing else: until the user's job has ended. Threads may wait for different users.
    void waitFor(std::uint32_t user);

    void list(std::uint32_t user, Completion<std::vector<LeftRing>> done);
    /// SessionUnknown where the user has no ring of that session. `files` must stay until `done` is called.
    void save(std::uint32_t user, const Guid& session, FileSystem& files, std::string target, Completion<void> done);
    /// Having none is no error.
    void discard(std::uint32_t user, const Guid& session, Completion<void> done);

    /// What a user's rings hold, as it was when this began and after each job.
    [[nodiscard]] Bytes held(std::uint32_t owner) const noexcept;

private:
    using Kept = std::vector<LeftRings::Kept>;
    using Answer = std::function<void()>;
    struct Job {
        std::function<Answer()> work;             ///< on the thread; what is left is looked at again before the answer
        std::function<void(const Error&)> refuse; ///< instead, where the system has no thread
    };
    template <class T, class Call>
    void run(std::uint32_t user, Completion<T> done, Call call);
    struct User {
        std::deque<Job> waiting;
        std::thread working; ///< joinable while a job is being done
    };
    void run(std::uint32_t user, Job job);
    void startNext(std::uint32_t user);
    void finished(std::uint32_t user, std::optional<Kept> left);

    const std::shared_ptr<LeftRings> m_rings;
    const std::shared_ptr<Inbox> m_inbox;
    Kept m_left;
    std::stop_source m_ending;
    std::map<std::uint32_t, User> m_users; ///< that have jobs
};

} // namespace tracedeck::etw::remote

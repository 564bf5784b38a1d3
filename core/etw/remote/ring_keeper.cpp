// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/ring_keeper.h"

#include "core/etw/types.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <exception>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

bool mayReach(std::uint32_t user, const LeftRing& ring) noexcept {
    return user == 0 || ring.owner == user;
}

/// Null where the user has none of that session.
const LeftRings::Kept* findRing(const std::vector<LeftRings::Kept>& rings, std::uint32_t user, const Guid& session) {
    const LeftRings::Kept* found = nullptr;
    for (const LeftRings::Kept& each : rings) {
        // Another user may have chosen the same GUID: his own comes first.
        const bool isBetter = found == nullptr || (found->ring.owner != user && each.ring.owner == user);
        if (each.ring.session == session && mayReach(user, each.ring) && isBetter) {
            found = &each;
        }
    }
    return found;
}

Error noRing(const Guid& session) {
    return {ErrorCode::SessionUnknown, "session " + toString(session) + " has left no ring", win32::kInstanceNotFound};
}

/// What `call` throws, memory being short, is its outcome.
template <class T, class Call>
Result<T> outcomeOf(Call call) {
    try {
        return call();
    } catch (const std::exception& error) {
        return fail(ErrorCode::OutOfMemory, std::string("rings that were left: ") + error.what(),
                    win32::kNoSystemResources);
    }
}

} // namespace

RingKeeper::RingKeeper(std::shared_ptr<LeftRings> rings, std::shared_ptr<Inbox> inbox)
    : m_rings(std::move(rings)), m_inbox(std::move(inbox)) {
    if (m_rings) {
        m_left = m_rings->list();
    }
    for (const LeftRings::Kept& each : m_left) {
        spdlog::info("session {} of user {} has left a ring of {} MiB", toString(each.ring.session), each.ring.owner,
                     each.ring.size.count >> 20U);
    }
}

RingKeeper::~RingKeeper() {
    cancel();
    for (const auto& [uid, user] : m_users) {
        waitFor(uid);
    }
}

void RingKeeper::cancel() noexcept {
    m_ending.request_stop();
}

void RingKeeper::waitFor(std::uint32_t user) {
    const auto found = m_users.find(user);
    if (found != m_users.end() && found->second.working.joinable()) {
        found->second.working.join();
    }
}

/// `call(rings)` on a thread, and its outcome.
template <class T, class Call>
void RingKeeper::run(std::uint32_t user, Completion<T> done, Call call) {
    Job job;
    job.work = [rings = m_rings, done, call = std::move(call)] {
        auto outcome = std::make_shared<Result<T>>(outcomeOf<T>([&] { return call(*rings); }));
        return [done, outcome] { done(std::move(*outcome)); };
    };
    job.refuse = [done](const Error& error) { done(fail(error)); };
    run(user, std::move(job));
}

void RingKeeper::list(std::uint32_t user, Completion<std::vector<LeftRing>> done) {
    if (!m_rings) {
        done(std::vector<LeftRing>{});
        return;
    }
    run(user, std::move(done), [user](LeftRings& rings) -> Result<std::vector<LeftRing>> {
        std::vector<LeftRing> own;
        for (LeftRings::Kept& each : rings.list()) {
            if (mayReach(user, each.ring)) {
                own.push_back(std::move(each.ring));
            }
        }
        return own;
    });
}

void RingKeeper::save(std::uint32_t user, const Guid& session, FileSystem& files, std::string target,
                      Completion<void> done) {
    if (!m_rings) {
        done(fail(noRing(session)));
        return;
    }
    run(user, std::move(done),
        [user, session, &files, target = std::move(target), stop = m_ending.get_token()](LeftRings& rings) -> Status {
            const auto left = rings.list();
            const LeftRings::Kept* const ring = findRing(left, user, session);
            return ring != nullptr ? rings.save(ring->place, files, target, stop) : fail(noRing(session));
        });
}

void RingKeeper::discard(std::uint32_t user, const Guid& session, Completion<void> done) {
    if (!m_rings) {
        done({});
        return;
    }
    run(user, std::move(done), [user, session](LeftRings& rings) -> Status {
        const auto left = rings.list();
        const LeftRings::Kept* const ring = findRing(left, user, session);
        return ring != nullptr ? rings.discard(ring->place) : Status();
    });
}

Bytes RingKeeper::held(std::uint32_t owner) const noexcept {
    std::uint64_t total = 0;
    for (const LeftRings::Kept& each : m_left) {
        total += each.ring.owner == owner ? each.ring.size.count : 0;
    }
    return {total};
}

void RingKeeper::run(std::uint32_t user, Job job) {
    User& own = m_users[user];
    own.waiting.push_back(std::move(job));
    if (!own.working.joinable()) {
        startNext(user);
    }
}

void RingKeeper::startNext(std::uint32_t user) {
    User& own = m_users[user];
    while (!own.waiting.empty()) {
        const Job job = std::move(own.waiting.front());
        own.waiting.pop_front();
        try {
            own.working = std::thread([this, user, rings = m_rings, inbox = m_inbox, work = job.work] {
                const Answer answer = work();
                auto left = outcomeOf<Kept>([&] { return rings->list(); });
                inbox->post([this, user, left = left ? std::optional(std::move(*left)) : std::nullopt]() mutable {
                    finished(user, std::move(left));
                });
                answer();
            });
            return;
        } catch (const std::exception& error) {
            job.refuse({ErrorCode::OutOfMemory, std::string("a thread for rings that were left: ") + error.what(),
                        win32::kNoSystemResources});
        }
    }
    m_users.erase(user);
}

void RingKeeper::finished(std::uint32_t user, std::optional<Kept> left) {
    if (left) {
        m_left = std::move(*left);
    }
    m_users[user].working.join(); // it has posted all it has to say
    startNext(user);
}

} // namespace tracedeck::etw::remote

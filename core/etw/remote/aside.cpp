// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/aside.h"

#include <spdlog/spdlog.h>

#include <system_error>
#include <thread>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

constexpr std::size_t kMostOfUser = 4;

} // namespace

bool Aside::run(std::uint32_t user, std::function<void()> work, std::function<void()> then) {
    ++m_running[user];
    auto done = [this, user, then = std::move(then)] {
        if (--m_running[user] == 0) {
            m_running.erase(user);
        }
        then();
    };
    try {
        std::thread([inbox = m_inbox, work = std::move(work), done = std::move(done)]() mutable {
            work();
            work = nullptr; // what it holds ends here, too
            inbox->post(std::move(done));
        }).detach();
    } catch (const std::system_error& error) {
        --m_running[user];
        spdlog::error("no thread to look at a client's file: {}", error.what());
        return false;
    }
    return true;
}

bool Aside::isFull(std::uint32_t user) const noexcept {
    const auto found = m_running.find(user);
    return found != m_running.end() && found->second >= kMostOfUser;
}

} // namespace tracedeck::etw::remote

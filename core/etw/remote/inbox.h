// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/remote/descriptor.h"

#include <sys/eventfd.h>

#include <cerrno>
#include <functional>
#include <mutex>
#include <system_error>
#include <utility>
#include <vector>

namespace tracedeck::etw::remote {

/// Jobs that other threads leave for one that waits for descriptors. Throws std::system_error where the system has no
/// descriptor for it.
///
/// Threading: post() and wake() from any thread; the rest on the one that carries the jobs out.
class Inbox {
public:
    Inbox() : m_event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
        if (!m_event.isOpen()) {
            throw std::system_error(errno, std::generic_category(), "eventfd");
        }
    }
    void post(std::function<void()> job) {
        {
            const std::lock_guard lock(m_mutex);
            m_jobs.push_back(std::move(job));
        }
        wake();
    }
    void wake() const noexcept { static_cast<void>(::eventfd_write(m_event.get(), 1)); } // full: it is awake
    /// Can be read from when there is something to do.
    [[nodiscard]] int descriptor() const noexcept { return m_event.get(); }
    /// Those that are there now.
    void carryOut() {
        eventfd_t number = 0;
        static_cast<void>(::eventfd_read(m_event.get(), &number)); // nothing there: nobody has called
        std::vector<std::function<void()>> jobs;
        {
            const std::lock_guard lock(m_mutex);
            jobs.swap(m_jobs);
        }
        for (const std::function<void()>& job : jobs) {
            job();
        }
    }

private:
    const Descriptor m_event;
    std::mutex m_mutex;
    std::vector<std::function<void()>> m_jobs; ///< guarded by m_mutex
};

} // namespace tracedeck::etw::remote

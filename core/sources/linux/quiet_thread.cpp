// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/quiet_thread.h"

#include <csignal>
#include <pthread.h>
#include <system_error>

namespace tracedeck::linux_source {
namespace {

/// Keeps every signal away from the calling thread, and from those that it starts, while it lives.
class SignalsBlocked {
public:
    SignalsBlocked() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &m_before);
    }
    ~SignalsBlocked() { ::pthread_sigmask(SIG_SETMASK, &m_before, nullptr); }
    SignalsBlocked(const SignalsBlocked&) = delete;
    SignalsBlocked& operator=(const SignalsBlocked&) = delete;

private:
    sigset_t m_before{};
};

} // namespace

Result<std::thread> startQuietThread(const std::string& name, std::function<void()> body) {
    const SignalsBlocked blocked;
    try {
        std::thread thread(std::move(body));
        ::pthread_setname_np(thread.native_handle(), name.c_str());
        return thread;
    } catch (const std::system_error& error) {
        return fail(ErrorCode::OutOfMemory, "thread " + name + ": " + error.what(),
                    static_cast<std::uint32_t>(error.code().value()));
    }
}

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#define CATCH_CONFIG_RUNNER
#include "tests/support/catch.h"
#include "tests/support/log_guard.h"

namespace {

#if TRACEDECK_CATCH2_V3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

/// Fails the test case in which an unannounced error line was logged.
class LogGuardListener final : public ListenerBase {
public:
    using ListenerBase::ListenerBase;
    void testCaseStarting(const Catch::TestCaseInfo&) override { tracedeck::test::takeUnexpectedErrors(); }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        const std::string lines = tracedeck::test::takeUnexpectedErrors();
        if (!lines.empty()) {
            s_hasUnexpected = true;
            Catch::cerr() << stats.testInfo.name << ": unannounced error lines in the log:\n" << lines;
        }
    }
    static bool s_hasUnexpected;
};
bool LogGuardListener::s_hasUnexpected = false;

CATCH_REGISTER_LISTENER(LogGuardListener)

} // namespace

int main(int argc, char** argv) {
    tracedeck::test::installLogGuard();
    Catch::Session session;
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) {
        return rc;
    }
    const int failed = session.run();
    return failed == 0 && LogGuardListener::s_hasUnexpected ? 1 : failed;
}

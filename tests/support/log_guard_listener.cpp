// SPDX-License-Identifier: GPL-3.0-or-later
#define CATCH_CONFIG_RUNNER
#include "tests/support/run_tests.h"

#include "tests/support/catch.h"
#include "tests/support/log_guard.h"

#include <iostream>

namespace tracedeck::test {
namespace {

#if TRACEDECK_CATCH2_V3
using ListenerBase = Catch::EventListenerBase;
#else
using ListenerBase = Catch::TestEventListenerBase;
#endif

bool s_hasUnexpected = false;

/// Fails the test case in which an unannounced error line was logged.
class LogGuardListener final : public ListenerBase {
public:
    using ListenerBase::ListenerBase;
    void testCaseStarting(const Catch::TestCaseInfo&) override { takeUnexpectedErrors(); }
    void testCaseEnded(const Catch::TestCaseStats& stats) override {
        const std::string lines = takeUnexpectedErrors();
        if (!lines.empty()) {
            s_hasUnexpected = true;
            Catch::cerr() << stats.testInfo.name << ": unannounced error lines in the log:\n" << lines;
        }
    }
};

CATCH_REGISTER_LISTENER(LogGuardListener)

} // namespace

int runTests(int argc, char** argv, const std::function<std::string()>& whyNot) {
    installLogGuard();
    Catch::Session session;
    if (const int rc = session.applyCommandLine(argc, argv); rc != 0) {
        return rc;
    }
    if (const std::string reason = whyNot ? whyNot() : std::string(); !reason.empty()) {
        std::cerr << "SKIPPED: every test of this program: " << reason << '\n';
        return 0;
    }
    const int failed = session.run();
    return failed == 0 && s_hasUnexpected ? 1 : failed;
}

} // namespace tracedeck::test

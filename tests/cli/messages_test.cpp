// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/messages/messages.h"
#include "tests/support/catch.h"

#include <cerrno>
#include <set>

namespace tracedeck::messages {
namespace {

void checkTexts(const UserMessage& message, std::set<std::string>& seen) {
    CAPTURE(message.code, message.what, message.action);
    CHECK(message.what.ends_with("."));
    CHECK_FALSE(message.action.empty());
    CHECK(message.what.size() <= 140);
    CHECK(message.action.size() <= 160);
    CHECK(message.what.find("  ") == std::string::npos);
    CHECK(seen.insert(message.what).second); // two codes that read alike help nobody
}

} // namespace

TEST_CASE("Every error code has its own text and its own next step", "[messages]") {
    std::set<std::string> seen;
    for (unsigned value = 0; value <= static_cast<unsigned>(ErrorCode::WrongState); ++value) {
        const Error error{static_cast<ErrorCode>(value), "the evidence", 0};
        const UserMessage message = messageFor(error);
        checkTexts(message, seen);
        CHECK(message.code == toString(error.code));
        CHECK(message.evidence == "the evidence");
    }
    CHECK(seen.size() == static_cast<std::size_t>(ErrorCode::WrongState) + 1);
}

TEST_CASE("Every limitation has its own text and its remedy", "[messages]") {
    std::set<std::string> seen;
    for (unsigned value = 0; value <= static_cast<unsigned>(etw::LimitationCode::RingNotShared); ++value) {
        const etw::Limitation limitation{static_cast<etw::LimitationCode>(value), "detail", 0};
        const UserMessage message = messageFor(limitation);
        checkTexts(message, seen);
        CHECK(message.code == etw::toString(limitation.code));
        CHECK(message.evidence == "detail");
    }
}

TEST_CASE("Every cause of loss has its own text and its remedy", "[messages]") {
    std::set<std::string> seen;
    for (std::size_t value = 0; value < etw::kLossCauses; ++value) {
        const auto cause = static_cast<etw::LossCause>(value);
        const UserMessage message = messageFor(cause);
        checkTexts(message, seen);
        CHECK(message.code == etw::toString(cause));
    }
}

TEST_CASE("Evidence names values by their setting", "[messages]") {
    CHECK(messageFor(etw::Limitation{etw::LimitationCode::PerfEventParanoid, "2", 0}).evidence ==
          "kernel.perf_event_paranoid is 2");
    CHECK(messageFor(etw::Limitation{etw::LimitationCode::ProcUnreadable, "", 3}).evidence == "3×");
    CHECK(messageFor(Error{ErrorCode::DiskFull, "write x.etl", 28}).evidence == "write x.etl (code 28)");
}

TEST_CASE("A limit on the size of files is no full disk", "[messages]") {
    const UserMessage limit = messageFor(errnoError(EFBIG, "write x.etl"));
    CHECK(limit.code == "DiskFull");
    CHECK(limit.what.find("disk") == std::string::npos);
    CHECK(limit.action.find("ulimit -f") != std::string::npos);
    const UserMessage full = messageFor(errnoError(ENOSPC, "write x.etl"));
    CHECK(full.what.find("disk is full") != std::string::npos);
    CHECK(full.action.find("ulimit") == std::string::npos);
    // The floor of free space counts as full, too.
    CHECK(full.what.find("keep free") != std::string::npos);
    CHECK(messageFor(etw::LossCause::DiskFull).what.find("keep free") != std::string::npos);
}

TEST_CASE("Too many open files is no question of rights", "[messages]") {
    const UserMessage limit = messageFor(Error{ErrorCode::KernelSourceFailed, "perf_event_open", EMFILE});
    CHECK(limit.what == messageFor(etw::Limitation{etw::LimitationCode::DescriptorLimit, "", 0}).what);
    CHECK(limit.action.find("ulimit -n") != std::string::npos);
    CHECK(messageFor(Error{ErrorCode::KernelSourceFailed, "ioctl", EINVAL}).action.find("ulimit") == std::string::npos);
}

} // namespace tracedeck::messages

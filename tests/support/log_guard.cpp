// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/log_guard.h"

#include "tests/support/catch.h"

#include <spdlog/sinks/base_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <mutex>
#include <utility>

namespace tracedeck::test {
namespace {

struct Seen {
    std::mutex mutex;
    std::string unexpected;
    std::string expectedPart;
    bool isExpecting = false;
    bool hasCome = false;
};

Seen& seen() {
    static Seen instance;
    return instance;
}

class GuardSink final : public spdlog::sinks::base_sink<std::mutex> {
protected:
    void sink_it_(const spdlog::details::log_msg& message) override {
        if (message.level < spdlog::level::err) {
            return;
        }
        const std::string text(message.payload.data(), message.payload.size());
        Seen& s = seen();
        const std::lock_guard lock(s.mutex);
        if (s.isExpecting && text.find(s.expectedPart) != std::string::npos) {
            s.hasCome = true;
        } else {
            s.unexpected += text + '\n';
        }
    }
    void flush_() override {}
};

} // namespace

ExpectErrors::ExpectErrors(std::string part) {
    Seen& s = seen();
    const std::lock_guard lock(s.mutex);
    s.expectedPart = std::move(part);
    s.isExpecting = true;
    s.hasCome = false;
}

ExpectErrors::~ExpectErrors() {
    Seen& s = seen();
    const std::lock_guard lock(s.mutex);
    if (!s.hasCome) {
        s.unexpected += "the expected error line '" + s.expectedPart + "' did not come\n";
    }
    s.isExpecting = false;
}

void installLogGuard() {
    spdlog::set_default_logger(std::make_shared<spdlog::logger>("test", std::make_shared<GuardSink>()));
}

std::string takeUnexpectedErrors() {
    Seen& s = seen();
    const std::lock_guard lock(s.mutex);
    return std::exchange(s.unexpected, std::string());
}

} // namespace tracedeck::test

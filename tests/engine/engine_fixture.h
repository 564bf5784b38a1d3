// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/engine.h"
#include "core/etw/wait.h"
#include "tests/engine/fake_kernel_source.h"
#include "tests/engine/raw_etl.h"
#include "tests/support/catch.h"
#include "tests/support/shared_files.h"
#include "tests/support/temporary_folder.h"

#include <chrono>
#include <string>
#include <thread>

namespace tracedeck::test {

/// The calls of a controller, waited for; a failure fails the test.
class Calls {
public:
    explicit Calls(etw::Controller& controller) : m_controller(controller) {}

    etw::StartedSession start(const etw::SessionConfig& config) {
        auto outcome = tryStart(config);
        return require(outcome);
    }
    Result<etw::StartedSession> tryStart(const etw::SessionConfig& config) {
        return etw::await<etw::StartedSession>([&](auto done) { m_controller.start(config, std::move(done)); });
    }
    etw::SessionStats query(etw::SessionId id) {
        auto outcome = etw::await<etw::SessionStats>([&](auto done) { m_controller.query(id, std::move(done)); });
        return require(outcome);
    }
    etw::SessionStats flush(etw::SessionId id, const std::string& file = {}) {
        auto outcome = tryFlush(id, file);
        return require(outcome);
    }
    Result<etw::SessionStats> tryFlush(etw::SessionId id, const std::string& file) {
        return etw::await<etw::SessionStats>([&](auto done) { m_controller.flush(id, file, std::move(done)); });
    }
    etw::SessionStats stop(etw::SessionId id, const std::string& file = {}) {
        auto outcome = etw::await<etw::SessionStats>([&](auto done) { m_controller.stop(id, file, std::move(done)); });
        return require(outcome);
    }
    Result<etw::SessionStats> tryStop(etw::SessionId id, const std::string& file) {
        return etw::await<etw::SessionStats>([&](auto done) { m_controller.stop(id, file, std::move(done)); });
    }
    Result<etw::SessionStats> tryUpdate(etw::SessionId id, const etw::SessionConfig& config) {
        return etw::await<etw::SessionStats>([&](auto done) { m_controller.update(id, config, std::move(done)); });
    }
    void enable(etw::SessionId id, const Guid& provider) {
        auto outcome = etw::await<void>([&](auto done) {
            m_controller.enable(id, {provider, "", 0xFF, 0, 0, false}, std::move(done));
        });
        INFO(describe(outcome));
        REQUIRE(outcome.has_value());
    }
    Result<void> mark(etw::SessionId id, const std::string& text) {
        return etw::await<void>([&](auto done) { m_controller.mark(id, text, std::move(done)); });
    }

private:
    template <class T>
    static std::string describe(const Result<T>& outcome) {
        return outcome ? std::string() : outcome.error().detail;
    }
    template <class T>
    static T require(Result<T>& outcome) {
        INFO(describe(outcome));
        REQUIRE(outcome.has_value());
        return std::move(*outcome);
    }
    etw::Controller& m_controller;
};

inline etw::SessionConfig fileConfig(const std::string& path) {
    etw::SessionConfig config;
    config.name = "file";
    config.logFileName = path;
    return config;
}

inline etw::SessionConfig ringConfig() {
    etw::SessionConfig config;
    config.name = "ring";
    config.logFileMode = etlformat::mode::kBuffering;
    return config;
}

inline etw::SessionConfig systemConfig(etw::SessionConfig config) {
    config.logFileMode |= etlformat::mode::kSystemLogger;
    config.kernelGroups.set(etlformat::group::kProfile);
    return config;
}

/// Asks again until `isTrue` or half a minute has passed.
template <class Condition>
bool waitUntil(Condition isTrue) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (!isTrue()) {
        if (std::chrono::steady_clock::now() > end) {
            return false;
        }
        std::this_thread::yield();
    }
    return true;
}

/// Strict reading by this program, and by the independent checkers where they exist.
inline RawEtl checkedEtl(const std::string& path) {
    RawEtl etl = readRawEtl(path);
    CHECK(etl.problemText().empty());
    INFO(etl.problemText());
    CHECK(etl.header.buffersWritten == etl.buffers.size());
    CHECK(etl.header.endTime > etl.header.startTime);
    if (etl.buffers.size() > 1) {
        CHECK((etl.buffers.back().header.bufferFlag & etlformat::buffer_flag::kFlushMarker) != 0);
    }
    const CheckerVerdict verdict = runCheckers(path);
    INFO(verdict.complaints);
    CHECK(verdict.complaints.empty());
    return etl;
}

} // namespace tracedeck::test

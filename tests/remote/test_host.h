// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/host/engine_backend.h"
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/remote_controller.h"
#include "core/etw/remote/server.h"
#include "tests/engine/fake_kernel_source.h"
#include "tests/support/catch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <thread>

namespace tracedeck::test {

/// Answers as it is told to, at once.
class FakeAuthority final : public etw::remote::Authority {
public:
    void recordSystem(std::shared_ptr<const etw::remote::Peer> peer, etw::Completion<void> done) override {
        ++asked;
        lastProcess = peer->pid;
        if (mayRecord) {
            done({});
        } else {
            done(fail(ErrorCode::AccessDenied, "the test says no", etw::win32::kAccessDenied));
        }
    }
    std::atomic<bool> mayRecord{true};
    std::atomic<int> asked{0};
    std::atomic<std::uint32_t> lastProcess{0};
};

/// A session host on a thread of this process, with engines behind it.
class TestHost {
public:
    explicit TestHost(etw::remote::Limits limits = {}) : m_server(setup(limits)) {
        m_thread = std::thread([this] { m_server.run(); });
    }
    ~TestHost() {
        m_server.stop();
        m_thread.join();
    }
    TestHost(const TestHost&) = delete;
    TestHost& operator=(const TestHost&) = delete;

    /// The client's end of a new connection.
    [[nodiscard]] etw::remote::Descriptor connect() {
        auto ends = etw::remote::connectedPair();
        REQUIRE(ends.has_value());
        m_server.adopt(std::move(ends->second));
        return std::move(ends->first);
    }
    [[nodiscard]] std::unique_ptr<etw::remote::RemoteController> controller() {
        return std::make_unique<etw::remote::RemoteController>(connect());
    }
    FakeAuthority authority;
    etw::remote::Server& server() { return m_server; }

private:
    etw::remote::Server::Setup setup(const etw::remote::Limits& limits) {
        etw::remote::Server::Setup all;
        all.backend = [this, limits](std::uint32_t) {
            return std::make_unique<host::EngineBackend>(m_clock, limits.disk, nullptr);
        };
        all.authority = &authority;
        all.limits = limits;
        all.processors = std::max(1U, std::thread::hardware_concurrency());
        return all;
    }

    SystemClock m_clock;
    etw::remote::Server m_server;
    std::thread m_thread;
};

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/host/engine_backend.h"
#include "app/host/ring_store.h"
#include "core/etw/remote/packet_socket.h"
#include "core/etw/remote/remote_controller.h"
#include "core/etw/remote/server.h"
#include "tests/engine/fake_kernel_source.h"
#include "tests/support/catch.h"

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

namespace tracedeck::test {

/// Answers as it is told to: at once, or when it is told to as well.
class FakeAuthority final : public etw::remote::Authority {
public:
    void recordSystem(std::shared_ptr<const etw::remote::Peer> peer, etw::Completion<void> done) override {
        lastProcess = peer->pid;
        ++asked;
        if (isHeld) {
            const std::lock_guard lock(m_mutex);
            m_held = std::move(done);
            return;
        }
        answer(done);
    }
    void release() {
        etw::Completion<void> held;
        {
            const std::lock_guard lock(m_mutex);
            held.swap(m_held);
        }
        answer(held);
    }
    std::atomic<bool> mayRecord{true};
    std::atomic<bool> isHeld{false};
    std::atomic<int> asked{0};
    std::atomic<std::uint32_t> lastProcess{0};

private:
    void answer(const etw::Completion<void>& done) const {
        if (mayRecord) {
            done({});
        } else {
            done(fail(ErrorCode::AccessDenied, "the test says no", etw::win32::kAccessDenied));
        }
    }
    std::mutex m_mutex;
    etw::Completion<void> m_held;
};

/// A kernel for one user's engine that ends with it.
class KernelOfTest final : public etw::engine::KernelSource {
public:
    explicit KernelOfTest(FakeKernelSource& source) : m_source(source) {}
    [[nodiscard]] etw::Capabilities capabilities() const override { return m_source.capabilities(); }
    [[nodiscard]] etlformat::TraceIdentity identity() const override { return m_source.identity(); }
    [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest& request,
                                                                        etw::engine::KernelSink& sink) override {
        return m_source.start(request, sink);
    }

private:
    FakeKernelSource& m_source;
};

/// A session host on a thread of this process, with engines behind it.
class TestHost {
public:
    /// `socket`: also listens there, for everybody. `ringFolder`: rings lie there and outlive this.
    explicit TestHost(etw::remote::Limits limits = {}, const std::string& socket = {},
                      const std::string& ringFolder = {})
        : TestHost(limits, socket, ringFolder, nullptr) {}
    /// With rings of the test's own making.
    TestHost(etw::remote::Limits limits, std::shared_ptr<etw::remote::LeftRings> rings)
        : TestHost(limits, {}, {}, std::move(rings)) {}
    TestHost(etw::remote::Limits limits, const std::string& socket, const std::string& ringFolder,
             std::shared_ptr<etw::remote::LeftRings> rings)
        : m_server(setup(limits, ringFolder, std::move(rings))) {
        if (!socket.empty()) {
            auto listener = etw::remote::listenAt(socket, 0666);
            REQUIRE(listener.has_value());
            m_server.listen(std::move(*listener));
        }
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

private:
    etw::remote::Server::Setup setup(const etw::remote::Limits& limits, const std::string& ringFolder,
                                     std::shared_ptr<etw::remote::LeftRings> rings) {
        etw::remote::Server::Setup all;
        all.backend = [this, limits, ringFolder](std::uint32_t user) {
            return std::make_unique<host::EngineBackend>(m_clock, limits.disk, std::make_unique<KernelOfTest>(m_kernel),
                                                         host::RingPlace{ringFolder, user});
        };
        all.rings = std::move(rings);
        if (!ringFolder.empty()) {
            all.rings = std::make_shared<host::RingStore>(m_clock, ringFolder);
        }
        all.authority = &authority;
        all.limits = limits;
        all.processors = std::max(1U, std::thread::hardware_concurrency());
        return all;
    }

    SystemClock m_clock;
    FakeKernelSource m_kernel{m_clock, std::max(1U, std::thread::hardware_concurrency())};
    etw::remote::Server m_server;
    std::thread m_thread;
};

} // namespace tracedeck::test

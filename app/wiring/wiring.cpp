// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/wiring.h"

#include "core/etw/engine/engine.h"
#ifdef __linux__
#include "core/etw/remote/host_starter.h"
#include "core/etw/remote/remote_controller.h"
#include "core/sources/linux/linux_kernel_source.h"
#include "core/sources/linux/machine.h"

#include <unistd.h>
#endif

#include <spdlog/spdlog.h>

#include <array>
#include <optional>
#include <utility>

namespace tracedeck::app {

#ifdef __linux__

class Wiring::Impl {
public:
    /// In this process, but for one without rights and with a host that answers.
    Impl() {
        if (linux_source::Machine::read({}).mayRecordAll) {
            startEngine();
            return;
        }
        auto connection = etw::remote::RunningHost::ofUser(::geteuid()).connect();
        if (connection) {
            m_remote.emplace(std::move(*connection));
        } else {
            spdlog::debug("no session host: {}", connection.error().detail);
            startEngine();
        }
    }
    explicit Impl(etw::remote::Descriptor connection) { m_remote.emplace(std::move(connection)); }

    static Result<std::unique_ptr<Impl>> withHost() {
        auto running = etw::remote::RunningHost::ofUser(::geteuid());
        auto started = etw::remote::PkexecHost::ofUser(::geteuid(), TRACEDECK_HOST_PROGRAM);
        const std::array<etw::remote::HostStarter*, 2> ways{&running, &started};
        auto connection = etw::remote::connectToHost(ways);
        if (!connection) {
            return fail(std::move(connection).error());
        }
        return std::make_unique<Impl>(std::move(*connection));
    }

    [[nodiscard]] etw::Controller& controller() noexcept {
        return m_remote ? static_cast<etw::Controller&>(*m_remote) : *m_engine;
    }
    [[nodiscard]] etw::EventWriterFactory& writers() noexcept {
        return m_remote ? static_cast<etw::EventWriterFactory&>(*m_remote) : *m_engine;
    }
    [[nodiscard]] bool isHosted() const noexcept { return m_remote.has_value(); }

    SystemClock clock;

private:
    void startEngine() {
        m_source.emplace(linux_source::LinuxKernelSource::Environment{&clock, nullptr, {}});
        m_engine.emplace(etw::engine::Engine::Environment{&clock, &systemFiles(), &*m_source});
    }

    std::optional<etw::remote::RemoteController> m_remote;
    std::optional<linux_source::LinuxKernelSource> m_source;
    std::optional<etw::engine::Engine> m_engine; // last: it goes before what it uses
};

#else

class Wiring::Impl {
public:
    static Result<std::unique_ptr<Impl>> withHost() {
        return fail(ErrorCode::NotSupported, "there is no session host on this platform");
    }
    [[nodiscard]] etw::Controller& controller() noexcept { return m_engine; }
    [[nodiscard]] etw::EventWriterFactory& writers() noexcept { return m_engine; }
    [[nodiscard]] bool isHosted() const noexcept { return false; }

    SystemClock clock;

private:
    etw::engine::Engine m_engine{{&clock, &systemFiles(), nullptr}}; // records its own providers alone
};

#endif

Wiring::Wiring() : Wiring(std::make_unique<Impl>()) {}
Wiring::Wiring(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Wiring::~Wiring() = default;

Result<std::unique_ptr<Wiring>> Wiring::withHost() {
    auto impl = Impl::withHost();
    if (!impl) {
        return fail(std::move(impl).error());
    }
    return std::unique_ptr<Wiring>(new Wiring(std::move(*impl)));
}

recorder::Recorder::Environment Wiring::environment() const noexcept {
    return {&controller(), &writers(), &systemFiles(), &m_impl->clock};
}

etw::Controller& Wiring::controller() const noexcept {
    return m_impl->controller();
}

etw::EventWriterFactory& Wiring::writers() const noexcept {
    return m_impl->writers();
}

FileSystem& Wiring::files() const noexcept {
    return systemFiles();
}

const Clock& Wiring::clock() const noexcept {
    return m_impl->clock;
}

bool Wiring::isHosted() const noexcept {
    return m_impl->isHosted();
}

} // namespace tracedeck::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/wiring.h"

#include "app/wiring/ring_rescue.h"
#include "core/etw/engine/engine.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"
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
namespace {

etw::engine::Engine::Environment engineEnvironment(const Clock& clock, etw::engine::KernelSource* kernel,
                                                   const std::string& ringFolder) {
    etw::engine::Engine::Environment environment{&clock, &systemFiles(), kernel};
    environment.ringFolder = ringFolder;
    return environment;
}

} // namespace

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
            useHost(std::move(*connection));
        } else {
            spdlog::debug("no session host: {}", connection.error().detail);
            startEngine();
        }
    }
    explicit Impl(etw::remote::Descriptor connection) { useHost(std::move(connection)); }

    /// A host that answers, whatever the rights of this process; null: none does.
    static std::unique_ptr<Impl> withRunningHost() {
        auto connection = etw::remote::RunningHost::ofUser(::geteuid()).connect();
        return connection ? std::make_unique<Impl>(std::move(*connection)) : nullptr;
    }

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
    const std::string ringFolder = platform::sharedMemoryFolder();
    RingRescue rescue{systemFiles(), clock, ringFolder};

private:
    void useHost(etw::remote::Descriptor connection) {
        m_remote.emplace(std::move(connection));
        rescue.useHost(*m_remote);
    }
    void startEngine() {
        m_source.emplace(linux_source::LinuxKernelSource::Environment{&clock, nullptr, {}});
        m_engine.emplace(engineEnvironment(clock, &*m_source, ringFolder));
    }

    std::optional<etw::remote::RemoteController> m_remote;
    std::optional<linux_source::LinuxKernelSource> m_source;
    std::optional<etw::engine::Engine> m_engine; // last: it goes before what it uses
};

#else

class Wiring::Impl {
public:
    static std::unique_ptr<Impl> withRunningHost() { return nullptr; }
    static Result<std::unique_ptr<Impl>> withHost() {
        return fail(ErrorCode::NotSupported, "there is no session host on this platform");
    }
    [[nodiscard]] etw::Controller& controller() noexcept { return m_engine; }
    [[nodiscard]] etw::EventWriterFactory& writers() noexcept { return m_engine; }
    [[nodiscard]] bool isHosted() const noexcept { return false; }

    SystemClock clock;
    RingRescue rescue{systemFiles(), clock, {}};

private:
    etw::engine::Engine m_engine{{&clock, &systemFiles(), nullptr}}; // records its own providers alone
};

#endif

Wiring::Wiring() : Wiring(std::make_unique<Impl>()) {}
Wiring::Wiring(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
Wiring::~Wiring() = default;

std::unique_ptr<Wiring> Wiring::whereSessionsMayBe() {
    auto impl = Impl::withRunningHost();
    return impl ? std::unique_ptr<Wiring>(new Wiring(std::move(impl))) : std::make_unique<Wiring>();
}

Result<std::unique_ptr<Wiring>> Wiring::withHost() {
    auto impl = Impl::withHost();
    if (!impl) {
        return fail(std::move(impl).error());
    }
    return std::unique_ptr<Wiring>(new Wiring(std::move(*impl)));
}

recorder::Recorder::Environment Wiring::environment() const {
    recorder::Recorder::Environment environment{&controller(), &writers(), &systemFiles(), &m_impl->clock};
    environment.journalFolder = platform::join(platform::dataFolder(), "unfinished");
    environment.rescue = &m_impl->rescue;
    environment.sessionsOutliveClient = isHosted();
    return environment;
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

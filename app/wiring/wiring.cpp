// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/wiring.h"

#include "app/wiring/ring_rescue.h"
#include "core/etw/engine/engine.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#ifdef __linux__
#include "core/sources/linux/linux_kernel_source.h"
#endif

namespace tracedeck::app {
namespace {

etw::engine::Engine::Environment engineEnvironment(const Clock& clock, etw::engine::KernelSource* kernel,
                                                   const std::string& ringFolder) {
    etw::engine::Engine::Environment environment{&clock, &systemFiles(), kernel};
    environment.ringFolder = ringFolder;
    return environment;
}

} // namespace

class Wiring::Impl {
public:
    SystemClock clock;
#ifdef __linux__
    linux_source::LinuxKernelSource source{{&clock, nullptr, {}}};
    etw::engine::KernelSource* kernel = &source;
#else
    etw::engine::KernelSource* kernel = nullptr; // the embedded engine records its own providers alone
#endif
    std::string ringFolder = platform::sharedMemoryFolder();
    std::string journalFolder = platform::join(platform::dataFolder(), "unfinished");
    RingRescue rescue{systemFiles(), clock, ringFolder};
    etw::engine::Engine engine{engineEnvironment(clock, kernel, ringFolder)}; // last: it goes before what it uses
};

Wiring::Wiring() : m_impl(std::make_unique<Impl>()) {}
Wiring::~Wiring() = default;

recorder::Recorder::Environment Wiring::environment() const noexcept {
    recorder::Recorder::Environment environment{&m_impl->engine, &m_impl->engine, &systemFiles(), &m_impl->clock};
    environment.journalFolder = m_impl->journalFolder;
    environment.rescue = &m_impl->rescue;
    return environment;
}

etw::Controller& Wiring::controller() const noexcept {
    return m_impl->engine;
}

etw::EventWriterFactory& Wiring::writers() const noexcept {
    return m_impl->engine;
}

FileSystem& Wiring::files() const noexcept {
    return systemFiles();
}

const Clock& Wiring::clock() const noexcept {
    return m_impl->clock;
}

} // namespace tracedeck::app

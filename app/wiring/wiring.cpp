// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/wiring.h"

#include "core/etw/engine/engine.h"
#ifdef __linux__
#include "core/sources/linux/linux_kernel_source.h"
#endif

namespace tracedeck::app {

class Wiring::Impl {
public:
    SystemClock clock;
#ifdef __linux__
    linux_source::LinuxKernelSource source{{&clock, nullptr, {}}};
    etw::engine::KernelSource* kernel = &source;
#else
    etw::engine::KernelSource* kernel = nullptr; // the embedded engine records its own providers alone
#endif
    etw::engine::Engine engine{{&clock, &systemFiles(), kernel}}; // last: it goes before what it uses
};

Wiring::Wiring() : m_impl(std::make_unique<Impl>()) {}
Wiring::~Wiring() = default;

recorder::Recorder::Environment Wiring::environment() const noexcept {
    return {&m_impl->engine, &m_impl->engine, &systemFiles(), &m_impl->clock};
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

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/wiring.h"

#include "core/etw/engine/engine.h"

namespace tracedeck::app {

class Wiring::Impl {
public:
    SystemClock clock;
    etw::engine::Engine engine{{&clock, &systemFiles(), nullptr}};
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/etw/controller.h"
#include "core/etw/event_writer.h"
#include "core/recorder/recorder.h"

#include <memory>

namespace tracedeck::app {

/// Everything a program needs to record this machine, built once in main().
///
/// Threading: create and destroy on the main thread; what it hands out is as thread-safe as its own header says.
/// Ownership: owns clock, kernel source and engine; what was made with environment() must be gone before it.
class Wiring {
public:
    Wiring();
    ~Wiring();
    Wiring(const Wiring&) = delete;
    Wiring& operator=(const Wiring&) = delete;

    [[nodiscard]] recorder::Recorder::Environment environment() const noexcept;
    [[nodiscard]] etw::Controller& controller() const noexcept;
    [[nodiscard]] etw::EventWriterFactory& writers() const noexcept;
    [[nodiscard]] FileSystem& files() const noexcept;
    [[nodiscard]] const Clock& clock() const noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tracedeck::app

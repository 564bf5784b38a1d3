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
/// Sessions live in an engine of this process, and end with it. Where this process lacks the rights to record the whole
/// machine and a session host (tracedeck-host) answers, they live there instead, and outlive it.
/// What a session holds in memory outlives either, killed or crashed, and is handed out by environment().rescue.
///
/// Threading: create and destroy on the main thread; what it hands out is as thread-safe as its own header says.
/// Ownership: owns clock, kernel source and engine; what was made with environment() must be gone before it.
class Wiring {
public:
    Wiring();
    /// With the sessions in a host, whatever the rights of this process: one that runs, or that is started with an
    /// administrator's password, for which this waits. HostUnreachable, AccessDenied, Cancelled; NotSupported where
    /// there are no hosts.
    [[nodiscard]] static Result<std::unique_ptr<Wiring>> withHost();
    /// For recordings that have begun: a host that answers, whatever the rights of this process, else as Wiring().
    [[nodiscard]] static std::unique_ptr<Wiring> whereSessionsMayBe();
    ~Wiring();
    Wiring(const Wiring&) = delete;
    Wiring& operator=(const Wiring&) = delete;

    [[nodiscard]] recorder::Recorder::Environment environment() const;
    [[nodiscard]] etw::Controller& controller() const noexcept;
    [[nodiscard]] etw::EventWriterFactory& writers() const noexcept;
    [[nodiscard]] FileSystem& files() const noexcept;
    [[nodiscard]] const Clock& clock() const noexcept;

    /// Whether sessions outlive this process.
    [[nodiscard]] bool isHosted() const noexcept;

private:
    class Impl;
    explicit Wiring(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace tracedeck::app

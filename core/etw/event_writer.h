// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/etlformat/trace_logging.h"

#include <memory>
#include <string>

namespace tracedeck::etw {

/// A registered provider of self-describing events: TraceLoggingRegister and TraceLoggingWrite.
///
/// Threading: write() from any thread.
/// Ownership: unregistered when destroyed; must not outlive the EventWriterFactory that made it.
class EventWriter {
public:
    virtual ~EventWriter() = default;
    /// The event goes to every session that has enabled the provider with a matching level and keyword, stamped now.
    /// Nobody listening is no error; loss is counted by the session.
    virtual void write(const etlformat::TraceLoggingEvent& event) noexcept = 0;
    [[nodiscard]] virtual const Guid& providerId() const noexcept = 0;
};

/// Registers providers. The provider's id is the hash of its name (guidFromProviderName).
class EventWriterFactory {
public:
    virtual ~EventWriterFactory() = default;
    [[nodiscard]] virtual std::unique_ptr<EventWriter> registerProvider(std::string name) = 0;
};

} // namespace tracedeck::etw

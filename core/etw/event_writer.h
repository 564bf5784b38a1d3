// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/etlformat/layout.h"
#include "core/etlformat/trace_logging.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>

/// Providers of this process: what of ETW's registration and writing functions is for those who log.
namespace tracedeck::etw {

/// What a provider is told (EnableCallback of EventRegister, WMIDPREQUEST of RegisterTraceGuids).
struct EnableNotice {
    enum class Code : std::uint8_t {
        Disable = 0,      ///< the last session has disabled it
        Enable = 1,       ///< what its sessions want has changed
        CaptureState = 2, ///< log your state now
    };
    Code code = Code::Disable;
    /// Of all sessions together, as ETW unites them: the highest level (0xFF where a session wants all), any keyword
    /// that one of them wants (all bits where one wants all), and those that each insists on. CaptureState: level as
    /// with Enable, the keywords of the request.
    std::uint8_t level = 0;
    std::uint64_t matchAnyKeyword = 0;
    std::uint64_t matchAllKeyword = 0;
    friend bool operator==(const EnableNotice&, const EnableNotice&) = default;
};

/// Told on a thread for that, one notice at a time, and within the registration where sessions have enabled the
/// provider before. May write events, also those of other providers. Must not throw, register or unregister a
/// provider, nor wait for the controller: whoever asked waits for its return, as long as the request says, and who
/// unregisters the provider until it has returned.
using EnableCallback = std::function<void(const EnableNotice&)>;

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
    /// Whether a session may want such an event: for those who would go to lengths to make it. A few loads.
    [[nodiscard]] virtual bool isEnabled(std::uint8_t level, std::uint64_t keyword) const noexcept {
        static_cast<void>(level);
        static_cast<void>(keyword);
        return true;
    }
    [[nodiscard]] virtual const Guid& providerId() const noexcept = 0;
};

/// Registers providers. The provider's id is the hash of its name (guidFromProviderName).
class EventWriterFactory {
public:
    virtual ~EventWriterFactory() = default;
    [[nodiscard]] virtual std::unique_ptr<EventWriter> registerProvider(std::string name) = 0;
};

/// EventWriteTransfer: an event that a manifest describes.
struct ManifestEvent {
    etlformat::EventDescriptor descriptor;
    std::span<const std::span<const std::byte>> payload; ///< its parts, one behind the other
    std::optional<Guid> activity{};
    std::optional<Guid> relatedActivity{};
};

/// EventRegister and EventWrite. Threading and ownership: as EventWriter.
class ManifestWriter {
public:
    virtual ~ManifestWriter() = default;
    /// As EventWriter::write().
    virtual void write(const ManifestEvent& event) noexcept = 0;
    [[nodiscard]] virtual bool isEnabled(std::uint8_t level, std::uint64_t keyword) const noexcept = 0;
    [[nodiscard]] virtual const Guid& providerId() const noexcept = 0;
};

/// EVENT_TRACE_HEADER of TraceEvent.
struct ClassicEvent {
    Guid eventClass;
    std::uint8_t type = 0; ///< opcode
    std::uint16_t version = 0;
    std::uint8_t level = 0;  ///< 0: whatever level the session wants
    std::uint32_t flags = 0; ///< EnableFlags that the event belongs to; 0: whatever the session wants. Not in the event
    std::span<const std::byte> payload{};
    /// EVENT_INSTANCE_HEADER of TraceEventInstance.
    struct Instance {
        std::uint32_t id = 0;
        std::uint32_t parentId = 0;
        Guid parentClass;
    };
    std::optional<Instance> instance{};
};

/// RegisterTraceGuids and TraceEvent: the events of a classic provider, named by its control GUID. One session at a
/// time has it enabled: the next one takes it over. Threading and ownership: as EventWriter.
class ClassicWriter {
public:
    virtual ~ClassicWriter() = default;
    virtual void write(const ClassicEvent& event) noexcept = 0;
    [[nodiscard]] virtual bool isEnabled(std::uint8_t level, std::uint32_t flags) const noexcept = 0;
    [[nodiscard]] virtual const Guid& providerId() const noexcept = 0;
};

/// Registers providers of every kind that can be told what its sessions want.
///
/// Threading: any thread, but no EnableCallback. A provider of an id that is registered already is one more of it.
class ProviderFactory {
public:
    virtual ~ProviderFactory() = default;
    [[nodiscard]] virtual std::unique_ptr<EventWriter> registerSelfDescribing(std::string name,
                                                                              EnableCallback callback) = 0;
    [[nodiscard]] virtual std::unique_ptr<ManifestWriter> registerManifest(const Guid& provider,
                                                                           EnableCallback callback) = 0;
    [[nodiscard]] virtual std::unique_ptr<ClassicWriter> registerClassic(const Guid& control,
                                                                         EnableCallback callback) = 0;
};

} // namespace tracedeck::etw

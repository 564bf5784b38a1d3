// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/encode.h"
#include "core/etw/types.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tracedeck::etw::engine {

/// Where a kernel source writes its events: the buffers of one system logger.
///
/// Threading: one thread at a time for all processors (the source's own thread between its start and the return of its
/// stop()). Nothing here locks, allocates or calls the system.
class KernelSink {
public:
    virtual ~KernelSink() = default;

    /// One event: `head` (SystemHeader or PerfinfoHeader with size, hook id and `time` set) and its payload in up to
    /// two parts, which are copied. Per processor the times must not decrease: an earlier one is refused and counted as
    /// LossCause::TooLate. False where the event is not recorded: it was lost, which the sink has counted, or it came
    /// after the end of a recording of limited size, which is no loss. Its stack must not be written then, as readers
    /// would give it to another event; the source says refused() of it.
    virtual bool write(std::uint32_t processor, Ticks time, std::span<const std::byte> head,
                       std::span<const std::byte> payload, std::span<const std::byte> more = {}) noexcept = 0;

    /// An event, a stack, that belongs to the last one of the processor, which write() has refused: it shares that
    /// one's fate.
    virtual void refused(std::uint32_t processor, Ticks time) noexcept = 0;

    /// Events that the kernel lost or that the source had to drop: counted as produced and lost, unless the recording
    /// had ended at its size limit before.
    virtual void lost(LossCause cause, std::uint64_t events, Ticks first) noexcept = 0;

    /// kBuffering: the time of the oldest event that the ring still holds; otherwise the session's start. What ended
    /// before need not be in a rundown.
    [[nodiscard]] virtual Ticks oldest() const noexcept = 0;
};

/// What a system logger asks of its source.
struct KernelRequest {
    GroupMasks groups;
    std::vector<std::uint16_t> stackHooks;
    std::chrono::nanoseconds profileInterval{std::chrono::milliseconds(1)};
    /// True for kBuffering: the rundown is written by rundown() and stop(), not at the start.
    bool isRing = false;
};

/// One running recording of kernel activity. Made by KernelSource::start().
///
/// Threading: the functions are called by the engine, one at a time, on one thread, which KernelSource::start() was
/// called on as well. Who takes too long is not waited for (kernel_driver.h).
/// Ownership: the engine owns it and destroys it after stop(); the sink outlives it.
class KernelRun {
public:
    virtual ~KernelRun() = default;
    /// Writes the events that happened up to now to the sink: the engine calls it before a flush.
    virtual void drain() = 0;
    /// Ring mode: writes the rundown (processes, threads, images that live or ended within the ring's span) now, after
    /// draining; recording goes on.
    virtual void rundown() = 0;
    /// A Mark event (0x0F22), stamped now.
    virtual void mark(const std::string& text) = 0;
    /// Until resume() no activity (samples, switches, wakes) is produced, neither recorded nor lost; what is not yet
    /// written of it is written first. Processes, threads and images are followed all the while. Only in turns.
    [[nodiscard]] virtual Status pause() = 0;
    [[nodiscard]] virtual Status resume() = 0;
    /// Records what `request` says from now on, as start() would; isRing stays. Groups that are new get their rundown
    /// in file mode. Where it fails the run goes on as before, as far as it can: failure() tells where not.
    [[nodiscard]] virtual Status reconfigure(const KernelRequest& request) = 0;
    /// Stops the kernel's events, drains, accounts the kernel's loss, writes the final rundown (file mode: DCEnd, ring
    /// mode: as rundown()). Nothing is written to the sink afterwards.
    virtual void stop() = 0;
    /// Why the source has ended by itself, if it has: no more events come, the other functions do what they still can.
    [[nodiscard]] virtual std::optional<Error> failure() const = 0;
    /// Limitations found so far, those of the start included.
    [[nodiscard]] virtual std::vector<Limitation> limitations() const = 0;
};

/// The kernel of this machine, as a source of NT kernel events.
///
/// Threading: as KernelRun; capabilities() from any thread.
class KernelSource {
public:
    virtual ~KernelSource() = default;
    /// Fills what it knows: kernelGroups, stackHooks, refusedGroups, isElevated, platform, processors, memory,
    /// limitations.
    [[nodiscard]] virtual Capabilities capabilities() const = 0;
    /// Number of processors, boot time, clock tick, speed, time zone; start times are the session's.
    [[nodiscard]] virtual etlformat::TraceIdentity identity() const = 0;
    /// Begins. KernelEventsRefused where nothing of the request can be served; the part that cannot is a limitation of
    /// the run. In file mode the start rundown is written before the first event of a processor.
    [[nodiscard]] virtual Result<std::unique_ptr<KernelRun>> start(const KernelRequest& request, KernelSink& sink) = 0;
};

} // namespace tracedeck::etw::engine

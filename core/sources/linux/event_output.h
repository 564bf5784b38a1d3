// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"
#include "core/etw/engine/kernel_source.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tracedeck::linux_source {

/// Puts headers before payloads and keeps each processor's times in order.
///
/// Times: readers match a stack to its event by processor and time stamp, so no two events of a processor may share
/// one. Where the kernel gives a time that the processor's stream has reached already (equal times, or a record that
/// was published late), the event is moved to 1 ns behind the last one. Rundown events carry no stacks and all get the
/// one time of their moment.
///
/// Threading: one thread at a time.
class EventOutput {
public:
    EventOutput(etw::engine::KernelSink& sink, std::uint32_t processors);

    /// While muted nothing is written: for what happened before the recording's start.
    void mute(bool isMuted) noexcept { m_isMuted = isMuted; }

    /// Each returns the time that the event got.
    template <class Payload>
    Ticks perfinfo(std::uint32_t processor, Ticks time, std::uint16_t hookId, std::uint16_t version,
                   const Payload& payload) noexcept {
        return perfinfoBytes(processor, time, hookId, version, std::as_bytes(std::span(&payload, 1)));
    }
    Ticks perfinfoBytes(std::uint32_t processor, Ticks time, std::uint16_t hookId, std::uint16_t version,
                        std::span<const std::byte> payload) noexcept;
    Ticks system(std::uint32_t processor, Ticks time, std::uint16_t hookId, std::uint16_t version,
                 std::span<const std::byte> payload, std::uint32_t processId, std::uint32_t threadId) noexcept;
    /// The stack of the event just written on that processor, whose time `eventTime` is. Where that event is not
    /// recorded, neither is its stack, which readers would give to another event: it is counted as lost.
    void stack(std::uint32_t processor, Ticks eventTime, std::uint32_t processId, std::uint32_t threadId,
               std::span<const std::uint64_t> frames) noexcept;

    /// Rundown events go to one processor's stream, at one time, not before what is there.
    void beginRundown(std::uint32_t processor, Ticks time) noexcept;
    void rundownPerfinfo(std::uint16_t hookId, std::uint16_t version, std::span<const std::byte> payload) noexcept;
    void rundownSystem(std::uint16_t hookId, std::uint16_t version, std::span<const std::byte> payload,
                       std::uint32_t processId, std::uint32_t threadId) noexcept;

    void lost(etw::LossCause cause, std::uint64_t events, Ticks first) noexcept;
    [[nodiscard]] Ticks oldest() const noexcept { return m_sink.oldest(); }

private:
    struct Last {
        Ticks time = 0;
        bool isLost = false;
    };
    [[nodiscard]] Ticks place(std::uint32_t processor, Ticks time) noexcept;

    etw::engine::KernelSink& m_sink;
    std::vector<Last> m_last; ///< event by processor
    std::uint32_t m_rundownProcessor = 0;
    Ticks m_rundownTime = 0;
    bool m_isMuted = false;
};

} // namespace tracedeck::linux_source

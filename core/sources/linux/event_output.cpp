// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/event_output.h"

#include <algorithm>

namespace tracedeck::linux_source {
namespace {

std::span<const std::byte> bytesOf(const auto& header) {
    return std::as_bytes(std::span(&header, 1));
}

} // namespace

EventOutput::EventOutput(etw::engine::KernelSink& sink, std::uint32_t processors) : m_sink(sink), m_last(processors) {}

Ticks EventOutput::place(std::uint32_t processor, Ticks time) noexcept {
    Last& last = m_last[processor];
    last.time = std::max(time, last.time + 1);
    return last.time;
}

Ticks EventOutput::perfinfoBytes(std::uint32_t processor, Ticks time, std::uint16_t hookId, std::uint16_t version,
                                 std::span<const std::byte> payload) noexcept {
    if (m_isMuted) {
        return time;
    }
    const Ticks placed = place(processor, time);
    const auto header = etlformat::perfinfoHeader(hookId, version, payload.size(), placed);
    m_last[processor].isLost = !m_sink.write(processor, placed, bytesOf(header), payload);
    return placed;
}

Ticks EventOutput::system(std::uint32_t processor, Ticks time, std::uint16_t hookId, std::uint16_t version,
                          std::span<const std::byte> payload, std::uint32_t processId,
                          std::uint32_t threadId) noexcept {
    if (m_isMuted) {
        return time;
    }
    const Ticks placed = place(processor, time);
    const auto header = etlformat::systemHeader(hookId, version, payload.size(), placed, processId, threadId);
    m_last[processor].isLost = !m_sink.write(processor, placed, bytesOf(header), payload);
    return placed;
}

void EventOutput::stack(std::uint32_t processor, Ticks eventTime, std::uint32_t processId, std::uint32_t threadId,
                        std::span<const std::uint64_t> frames) noexcept {
    if (m_isMuted || frames.empty()) {
        return;
    }
    if (m_last[processor].isLost) {
        m_sink.refused(processor, eventTime);
        return;
    }
    const etlformat::StackWalkPayload payload{eventTime, processId, threadId};
    const auto addresses = std::as_bytes(frames);
    const auto header = etlformat::perfinfoHeader(etlformat::hook::kStackWalk, etlformat::event_version::kStackWalk,
                                                  sizeof(payload) + addresses.size(), eventTime);
    m_sink.write(processor, eventTime, bytesOf(header), bytesOf(payload), addresses);
}

void EventOutput::beginRundown(std::uint32_t processor, Ticks time) noexcept {
    m_rundownProcessor = processor;
    m_rundownTime = place(processor, time);
}

void EventOutput::rundownPerfinfo(std::uint16_t hookId, std::uint16_t version,
                                  std::span<const std::byte> payload) noexcept {
    const auto header = etlformat::perfinfoHeader(hookId, version, payload.size(), m_rundownTime);
    m_sink.write(m_rundownProcessor, m_rundownTime, bytesOf(header), payload);
}

void EventOutput::rundownSystem(std::uint16_t hookId, std::uint16_t version, std::span<const std::byte> payload,
                                std::uint32_t processId, std::uint32_t threadId) noexcept {
    const auto header = etlformat::systemHeader(hookId, version, payload.size(), m_rundownTime, processId, threadId);
    m_sink.write(m_rundownProcessor, m_rundownTime, bytesOf(header), payload);
}

void EventOutput::lost(etw::LossCause cause, std::uint64_t events, Ticks first) noexcept {
    if (events > 0) {
        m_sink.lost(cause, events, first);
    }
}

} // namespace tracedeck::linux_source

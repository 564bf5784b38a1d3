// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/mixed_file.h"

#include "core/base/file.h"
#include "core/base/guid.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/trace_logging.h"

#include <array>
#include <memory>
#include <random>
#include <vector>

namespace tracedeck::bench {
namespace {

using etlformat::BufferHeader;
using etlformat::kBufferHeaderSize;
namespace hook = etlformat::hook;

constexpr std::uint32_t kBufferSize = 128 * 1024;
constexpr std::uint16_t kProcessors = 4;
constexpr Ticks kStart = 1'000'000'000;
constexpr std::size_t kFrames = 16;

/// Fills buffers of one processor after the other, as the flush of full buffers leaves them.
class Writer {
public:
    Writer(OutputFile& file, std::uint16_t processor)
        : m_file(file), m_processor(processor), m_time(kStart + processor), m_random(processor) {}

    bool writeBuffer(std::int64_t sequence) {
        m_buffer.assign(kBufferHeaderSize, std::byte{0});
        while (m_buffer.size() + kMostOfAStep <= kBufferSize) {
            addStep();
        }
        BufferHeader header;
        header.bufferSize = kBufferSize;
        header.savedOffset = header.currentOffset = header.offset = static_cast<std::uint32_t>(m_buffer.size());
        header.timeStamp = m_time;
        header.sequenceNumber = sequence;
        header.processorIndex = m_processor;
        header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
        std::memcpy(m_buffer.data(), &header, sizeof header);
        m_buffer.resize(kBufferSize, std::byte{0xFF});
        return m_file.writeAt(static_cast<std::uint64_t>(sequence) * kBufferSize, m_buffer).has_value();
    }

private:
    static constexpr std::size_t kMostOfAStep = 1024;

    template <class... Parts>
    void append(const Parts&... parts) {
        const auto add = [this](const auto& part) {
            const auto* const bytes = reinterpret_cast<const std::byte*>(&part);
            m_buffer.insert(m_buffer.end(), bytes, bytes + sizeof part);
        };
        (add(parts), ...);
        m_buffer.resize(etlformat::alignEvent(m_buffer.size()));
    }
    template <class Payload>
    void appendKernel(std::uint16_t hookId, std::uint16_t version, const Payload& payload) {
        m_time += 200 + static_cast<Ticks>(m_random() % 4000);
        append(etlformat::perfinfoHeader(hookId, version, sizeof payload, m_time), payload);
    }
    void appendStack() {
        etlformat::StackWalkPayload payload;
        payload.eventTimeStamp = m_time;
        payload.stackProcess = 100 + m_thread % 50;
        payload.stackThread = m_thread;
        std::array<std::uint64_t, kFrames> frames{};
        for (std::uint64_t& frame : frames) {
            frame = 0x7F0000000000 + m_random() % 0x10000000;
        }
        append(etlformat::perfinfoHeader(hook::kStackWalk, etlformat::event_version::kStackWalk,
                                         sizeof payload + sizeof frames, ++m_time),
               payload, frames);
    }
    void addStep() {
        const auto dice = static_cast<std::uint32_t>(m_random() % 72);
        if (dice < 36) {
            etlformat::CSwitchPayload payload;
            payload.oldThreadId = m_thread;
            payload.newThreadId = m_thread = 1000 + static_cast<std::uint32_t>(m_random() % 400);
            appendKernel(hook::kCSwitch, etlformat::event_version::kCSwitch, payload);
            if (dice < 20) {
                appendStack();
            }
        } else if (dice < 58) {
            etlformat::ReadyThreadPayload payload;
            payload.threadId = 1000 + static_cast<std::uint32_t>(m_random() % 400);
            appendKernel(hook::kReadyThread, etlformat::event_version::kReadyThread, payload);
        } else if (dice < 66) {
            etlformat::SampledProfilePayload payload;
            payload.instructionPointer = 0x7F0000000000 + m_random() % 0x10000000;
            payload.threadId = m_thread;
            appendKernel(hook::kSampledProfile, etlformat::event_version::kSampledProfile, payload);
            appendStack();
        } else {
            addSelfDescribing(dice);
        }
    }
    void addSelfDescribing(std::uint32_t dice) {
        etlformat::TraceLoggingEvent event;
        event.name = "Frame" + std::to_string(dice % 6);
        event.fields = {{"Window", std::string("Main window")}, {"Number", std::uint64_t{m_random() % 100}}};
        m_time += 500;
        const auto bytes =
            etlformat::encode(event, guidFromProviderName("Bench-Provider"), "Bench-Provider", m_time, 100, m_thread);
        m_buffer.insert(m_buffer.end(), bytes.begin(), bytes.end());
        m_buffer.resize(etlformat::alignEvent(m_buffer.size()));
    }

    OutputFile& m_file;
    std::uint16_t m_processor;
    Ticks m_time;
    std::mt19937_64 m_random;
    std::uint32_t m_thread = 1000;
    std::vector<std::byte> m_buffer;
};

std::vector<std::byte> headerBuffer(std::uint32_t buffers) {
    etlformat::TraceIdentity identity;
    identity.numberOfProcessors = kProcessors;
    identity.perfFreq = 1'000'000'000;
    identity.bootTime = 133'000'000'000'000'000;
    identity.startTicks = kStart;
    identity.startTime = 133'000'000'010'000'000;
    etlformat::LogfileSummary summary;
    summary.bufferSize = kBufferSize;
    summary.logFileMode = etlformat::mode::kSequential | etlformat::mode::kSystemLogger;
    summary.buffersWritten = buffers;
    summary.endTime = identity.startTime + 1'000'000'000;
    summary.loggerName = "bench";
    summary.logFileName = "bench.etl";
    const std::array<std::uint32_t, 8> masks{7, 0x206};
    summary.groupMasks = masks;
    return etlformat::encodeHeaderBuffer(identity, summary);
}

} // namespace

bool writeMixedFile(const std::string& path, std::uint64_t bytes) {
    auto file = systemFiles().create(path, FileSystem::Existing::Replace);
    if (!file) {
        return false;
    }
    std::vector<Writer> writers;
    for (std::uint16_t processor = 0; processor < kProcessors; ++processor) {
        writers.emplace_back(**file, processor);
    }
    const auto buffers = static_cast<std::uint32_t>(bytes / kBufferSize + 1);
    for (std::uint32_t sequence = 1; sequence < buffers; ++sequence) {
        if (!writers[sequence % kProcessors].writeBuffer(sequence)) {
            return false;
        }
    }
    return (*file)->writeAt(0, headerBuffer(buffers)).has_value() && (*file)->close().has_value();
}

} // namespace tracedeck::bench

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/guid.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/layout.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tracedeck::test {

using EventBytes = std::vector<std::byte>;

/// Events as they lie in a buffer, not padded.
EventBytes perfinfoEvent(std::uint16_t hookId, std::uint16_t version, Ticks time, const EventBytes& payload);
EventBytes systemEvent(std::uint16_t hookId, std::uint16_t version, Ticks time, const EventBytes& payload);
/// Payloads of the kernel's size, so that strict readers take them.
EventBytes contextSwitch(Ticks time, std::uint32_t newThread = 7);
EventBytes sampledProfile(Ticks time, std::uint64_t address = 0x1000);
EventBytes stackWalk(Ticks time, Ticks ofEvent, std::size_t frames = 3);
EventBytes manifestEvent(const Guid& provider, std::uint16_t id, Ticks time, std::size_t payload = 8);
EventBytes classicEvent(const Guid& eventClass, std::uint8_t opcode, Ticks time);
/// A WPP message without a time of its own.
EventBytes wppMessage(std::uint16_t number);

/// Builds a raw session file by hand: buffers per processor, cut where the test says.
class RawFile {
public:
    struct Options {
        std::uint32_t bufferSize = 8192;
        std::uint32_t processors = 2;
        std::uint32_t mode = 0x02000001;
        Ticks startTicks = 1'000'000;
        std::int64_t perfFreq = 1'000'000'000;
        FileTime bootTime = 133'000'000'000'000'000;
        FileTime startTime = 133'000'000'010'000'000;
        bool isClosed = true;
        bool hasGroupMasks = true;
        std::uint32_t eventsLost = 0;
        std::uint32_t buffersLost = 0;
        std::int64_t firstSequence = 1;
        std::string loggerName = "raw";
    };
    RawFile() : RawFile(Options{}) {}
    explicit RawFile(Options options) : m_options(std::move(options)) {}

    /// Puts the event into its processor's buffer; begins a new one where it does not fit.
    RawFile& add(std::uint16_t processor, const EventBytes& event);
    /// The processor's next event begins a new buffer.
    RawFile& cut(std::uint16_t processor);
    /// The whole file, with every buffer cut.
    std::vector<std::byte> bytes();
    /// Writes bytes() to `path`.
    void write(const std::string& path);

private:
    struct Open {
        EventBytes events;
        Ticks last = 0;
    };
    Options m_options;
    std::vector<Open> m_open;
    std::vector<EventBytes> m_buffers;
};

void writeFile(const std::string& path, const std::vector<std::byte>& bytes);
std::vector<std::byte> readFile(const std::string& path);
/// Where `buffer` (0 is the header buffer) begins in a file of equal buffers.
etlformat::BufferHeader& bufferHeader(std::vector<std::byte>& file, std::size_t buffer, std::size_t bufferSize = 8192);

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/unit/etl/raw_file.h"

#include "core/etl/event_view.h"
#include "core/etlformat/hooks.h"
#include "tests/support/catch.h"

#include <fstream>
#include <iterator>

namespace tracedeck::test {

using etlformat::ByteWriter;
using etlformat::kBufferHeaderSize;

EventBytes perfinfoEvent(std::uint16_t hookId, std::uint16_t version, Ticks time, const EventBytes& payload) {
    EventBytes event;
    ByteWriter out(event);
    etlformat::PerfinfoHeader header;
    header.version = version;
    header.size = static_cast<std::uint16_t>(sizeof header + payload.size());
    header.hookId = hookId;
    header.systemTime = time;
    out.put(header);
    out.bytes(payload);
    return event;
}

EventBytes systemEvent(std::uint16_t hookId, std::uint16_t version, Ticks time, const EventBytes& payload) {
    EventBytes event;
    ByteWriter out(event);
    etlformat::SystemHeader header;
    header.version = version;
    header.size = static_cast<std::uint16_t>(sizeof header + payload.size());
    header.hookId = hookId;
    header.systemTime = time;
    out.put(header);
    out.bytes(payload);
    return event;
}

EventBytes contextSwitch(Ticks time, std::uint32_t newThread) {
    EventBytes payload;
    ByteWriter out(payload);
    out.put(newThread);
    out.put(std::uint32_t{0});
    out.zeros(16);
    return perfinfoEvent(etlformat::hook::kCSwitch, 4, time, payload);
}

EventBytes sampledProfile(Ticks time, std::uint64_t address) {
    EventBytes payload;
    ByteWriter out(payload);
    out.put(address);
    out.put(std::uint32_t{7});
    out.put(std::uint16_t{1});
    out.put(std::uint16_t{0});
    return perfinfoEvent(etlformat::hook::kSampledProfile, 2, time, payload);
}

EventBytes stackWalk(Ticks time, Ticks ofEvent, std::size_t frames) {
    EventBytes payload;
    ByteWriter out(payload);
    out.put(ofEvent);
    out.put(std::uint32_t{100});
    out.put(std::uint32_t{7});
    for (std::size_t i = 0; i < frames; ++i) {
        out.put(std::uint64_t{0x1000 + i});
    }
    return perfinfoEvent(etlformat::hook::kStackWalk, 2, time, payload);
}

EventBytes manifestEvent(const Guid& provider, std::uint16_t id, Ticks time, std::size_t payload) {
    EventBytes event;
    ByteWriter out(event);
    etlformat::EventHeader header;
    header.size = static_cast<std::uint16_t>(sizeof header + payload);
    header.timeStamp = time;
    header.providerId = provider;
    header.descriptor.id = id;
    out.put(header);
    out.zeros(payload);
    return event;
}

EventBytes classicEvent(const Guid& eventClass, std::uint8_t opcode, Ticks time) {
    EventBytes event;
    ByteWriter out(event);
    etlformat::FullHeader header;
    header.size = sizeof header;
    header.type = opcode;
    header.timeStamp = time;
    header.classGuid = eventClass;
    out.put(header);
    return event;
}

EventBytes wppMessage(std::uint16_t number) {
    EventBytes event;
    ByteWriter out(event);
    out.put(std::uint16_t{12});
    out.put(std::uint16_t{0x9000});
    out.put(number);
    out.put(std::uint16_t{0});
    out.put(std::uint32_t{0xAAAA});
    return event;
}

RawFile& RawFile::add(std::uint16_t processor, const EventBytes& event) {
    if (m_open.size() <= processor) {
        m_open.resize(processor + std::size_t{1});
    }
    const std::size_t padded = etlformat::alignEvent(event.size());
    if (kBufferHeaderSize + m_open[processor].events.size() + padded > m_options.bufferSize) {
        cut(processor);
    }
    Open& open = m_open[processor];
    etl::EventView view;
    REQUIRE(etl::parseEvent(event, view) == etl::ParseResult::Event);
    open.last = view.hasTime ? view.time : open.last;
    open.events.insert(open.events.end(), event.begin(), event.end());
    open.events.resize(open.events.size() + padded - event.size(), std::byte{0xCD});
    return *this;
}

RawFile& RawFile::cut(std::uint16_t processor) {
    if (processor >= m_open.size() || m_open[processor].events.empty()) {
        return *this;
    }
    Open& open = m_open[processor];
    etlformat::BufferHeader header;
    header.bufferSize = m_options.bufferSize;
    header.savedOffset = static_cast<std::uint32_t>(kBufferHeaderSize + open.events.size());
    header.offset = header.savedOffset;
    header.timeStamp = open.last;
    header.sequenceNumber = m_options.firstSequence + static_cast<std::int64_t>(m_buffers.size());
    header.processorIndex = processor;
    header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
    EventBytes buffer;
    ByteWriter out(buffer);
    out.put(header);
    out.bytes(open.events);
    buffer.resize(m_options.bufferSize, std::byte{0xFF});
    m_buffers.push_back(std::move(buffer));
    open.events.clear();
    return *this;
}

std::vector<std::byte> RawFile::bytes() {
    for (std::size_t processor = 0; processor < m_open.size(); ++processor) {
        cut(static_cast<std::uint16_t>(processor));
    }
    etlformat::TraceIdentity identity;
    identity.numberOfProcessors = m_options.processors;
    identity.cpuSpeedInMhz = 2000;
    identity.bootTime = m_options.bootTime;
    identity.perfFreq = m_options.perfFreq;
    identity.startTicks = m_options.startTicks;
    identity.startTime = m_options.startTime;
    etlformat::LogfileSummary summary;
    summary.bufferSize = m_options.bufferSize;
    summary.logFileMode = m_options.mode;
    if (m_options.isClosed) {
        summary.buffersWritten = static_cast<std::uint32_t>(m_buffers.size() + 1);
        summary.endTime = m_options.startTime + 100'000'000;
    }
    summary.eventsLost = m_options.eventsLost;
    summary.buffersLost = m_options.buffersLost;
    summary.loggerName = m_options.loggerName;
    summary.logFileName = "raw.etl";
    summary.processId = 4;
    const etlformat::GroupMasks masks{{1, 2, 3, 0, 0, 0, 0, 0}};
    if (m_options.hasGroupMasks) {
        summary.groupMasks = masks.words;
    }
    std::vector<std::byte> file = etlformat::encodeHeaderBuffer(identity, summary);
    for (const EventBytes& buffer : m_buffers) {
        file.insert(file.end(), buffer.begin(), buffer.end());
    }
    return file;
}

void RawFile::write(const std::string& path) {
    writeFile(path, bytes());
}

void writeFile(const std::string& path, const std::vector<std::byte>& bytes) {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    REQUIRE(file.good());
}

std::vector<std::byte> readFile(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    REQUIRE(file.good());
    const std::vector<char> characters{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::vector<std::byte> bytes(characters.size());
    std::copy(characters.begin(), characters.end(), reinterpret_cast<char*>(bytes.data()));
    return bytes;
}

etlformat::BufferHeader& bufferHeader(std::vector<std::byte>& file, std::size_t buffer, std::size_t bufferSize) {
    REQUIRE((buffer + 1) * bufferSize <= file.size());
    return *reinterpret_cast<etlformat::BufferHeader*>(file.data() + buffer * bufferSize);
}

} // namespace tracedeck::test

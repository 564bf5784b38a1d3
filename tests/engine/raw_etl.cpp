// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/engine/raw_etl.h"

#include "core/base/utf.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <cstring>
#include <fstream>
#include <iterator>
#include <map>

namespace tracedeck::test {
namespace {

using namespace etlformat;

template <class T>
T at(const std::vector<char>& bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

/// The event at `offset`; its size in `size`, 0 where it is none.
RawEvent readEvent(const std::vector<char>& bytes, std::size_t offset, std::size_t end, std::size_t& size) {
    RawEvent event;
    size = 0;
    std::size_t head = 0;
    if (offset + sizeof(PerfinfoHeader) > end || static_cast<std::uint8_t>(bytes[offset + 3]) != kHeaderFlags) {
        return event;
    }
    event.type = static_cast<HeaderType>(bytes[offset + 2]);
    if (event.type == HeaderType::Perfinfo64) {
        const auto header = at<PerfinfoHeader>(bytes, offset);
        head = sizeof header;
        size = header.size;
        event.hookId = header.hookId;
        event.time = header.systemTime;
    } else if (event.type == HeaderType::System64 && offset + sizeof(SystemHeader) <= end) {
        const auto header = at<SystemHeader>(bytes, offset);
        head = sizeof header;
        size = header.size;
        event.hookId = header.hookId;
        event.time = header.systemTime;
    } else if (event.type == HeaderType::Event64 && offset + sizeof(EventHeader) <= end) {
        const auto header = at<EventHeader>(bytes, offset);
        head = sizeof header;
        size = header.size;
        event.provider = header.providerId;
        event.time = header.timeStamp;
    } else if ((event.type == HeaderType::Full64 || event.type == HeaderType::Instance64) &&
               offset + sizeof(FullHeader) <= end) {
        const auto header = at<FullHeader>(bytes, offset);
        head = sizeof header;
        size = header.size;
        event.provider = header.classGuid;
        event.time = header.timeStamp;
    }
    if (head == 0 || size < head || offset + size > end) {
        size = 0;
        return event;
    }
    event.payload.resize(size - head);
    std::transform(bytes.begin() + static_cast<std::ptrdiff_t>(offset + head),
                   bytes.begin() + static_cast<std::ptrdiff_t>(offset + size), event.payload.begin(),
                   [](char byte) { return static_cast<std::byte>(byte); });
    return event;
}

class Reader {
public:
    explicit Reader(const std::string& path) {
        std::ifstream file(path, std::ios::binary);
        m_bytes.assign(std::istreambuf_iterator<char>(file), {});
    }
    RawEtl read() {
        if (m_bytes.size() < kBufferHeaderSize + sizeof(SystemHeader) + sizeof(LogfileHeader)) {
            problem("no header");
            return std::move(m_etl);
        }
        readLogfileHeader();
        std::size_t offset = 0;
        while (offset < m_bytes.size()) {
            const std::size_t size = readBuffer(offset);
            if (size == 0) {
                break;
            }
            offset += size;
        }
        if (m_etl.buffers.empty()) {
            return std::move(m_etl);
        }
        if ((m_etl.header.logFileMode & mode::kCircular) != 0) {
            std::sort(m_etl.buffers.begin() + 1, m_etl.buffers.end(), [](const RawBuffer& a, const RawBuffer& b) {
                return a.header.sequenceNumber < b.header.sequenceNumber;
            });
        }
        checkOrder();
        return std::move(m_etl);
    }

private:
    void problem(const std::string& text) {
        m_etl.problems.push_back("buffer " + std::to_string(m_etl.buffers.size()) + ": " + text);
    }

    void readLogfileHeader() {
        const std::size_t event = kBufferHeaderSize;
        m_etl.header = at<LogfileHeader>(m_bytes, event + sizeof(SystemHeader));
        std::size_t offset = event + sizeof(SystemHeader) + sizeof(LogfileHeader);
        for (std::string* name : {&m_etl.loggerName, &m_etl.logFileName}) {
            std::u16string text;
            while (offset + 2 <= m_bytes.size()) {
                const auto unit = at<char16_t>(m_bytes, offset);
                offset += 2;
                if (unit == 0) {
                    break;
                }
                text += unit;
            }
            *name = toUtf8(text);
        }
    }

    std::size_t readBuffer(std::size_t start) {
        if (start + kBufferHeaderSize > m_bytes.size()) {
            problem("cut off");
            return 0;
        }
        RawBuffer buffer;
        buffer.header = at<BufferHeader>(m_bytes, start);
        const BufferHeader& header = buffer.header;
        if (header.bufferSize != m_etl.header.bufferSize || start + header.bufferSize > m_bytes.size()) {
            problem("size " + std::to_string(header.bufferSize));
            return 0;
        }
        if (header.savedOffset < kBufferHeaderSize || header.savedOffset > header.bufferSize ||
            header.savedOffset % kEventAlignment != 0 || header.offset != header.savedOffset ||
            header.state != kBufferStateFlush || header.referenceCount != 0) {
            problem("header");
        }
        if ((header.sequenceNumber == 0) != m_etl.buffers.empty()) {
            problem("sequence number " + std::to_string(header.sequenceNumber));
        }
        const std::size_t end = start + std::min(header.savedOffset, header.bufferSize);
        for (std::size_t offset = start + kBufferHeaderSize; offset < end;) {
            std::size_t size = 0;
            RawEvent event = readEvent(m_bytes, offset, end, size);
            if (size == 0) {
                problem("no event at " + std::to_string(offset - start));
                break;
            }
            if (!buffer.events.empty() && event.time < buffer.events.back().time) {
                problem("time decreases at " + std::to_string(offset - start));
            }
            buffer.events.push_back(std::move(event));
            offset += alignEvent(size);
        }
        if (!m_etl.buffers.empty() && buffer.events.empty()) {
            problem("empty");
        }
        const auto tail = m_bytes.begin() + static_cast<std::ptrdiff_t>(end);
        const auto next = m_bytes.begin() + static_cast<std::ptrdiff_t>(start + header.bufferSize);
        if (std::any_of(tail, next, [](char c) { return c != '\xFF'; })) {
            problem("tail");
        }
        const std::size_t size = header.bufferSize;
        m_etl.buffers.push_back(std::move(buffer));
        return size;
    }

    void checkOrder() {
        const bool beginsAnywhere = (m_etl.header.logFileMode & (mode::kCircular | mode::kNewFile)) != 0;
        if (!beginsAnywhere && m_etl.buffers.size() > 1 && m_etl.firstNumber() != 1) {
            problem("sequence number of the first");
        }
        std::map<std::uint16_t, std::int64_t> last;
        for (std::size_t i = 1; i < m_etl.buffers.size(); ++i) {
            const RawBuffer& buffer = m_etl.buffers[i];
            if (buffer.header.processorIndex >= m_etl.header.numberOfProcessors) {
                problem("processor of " + std::to_string(i));
            }
            if (i > 1 && buffer.header.sequenceNumber != m_etl.buffers[i - 1].header.sequenceNumber + 1) {
                problem("sequence number of " + std::to_string(i));
            }
            const auto [known, isNew] = last.try_emplace(buffer.header.processorIndex, 0);
            if (!buffer.events.empty()) {
                if (!isNew && buffer.events.front().time < known->second) {
                    problem("time decreases into " + std::to_string(i));
                }
                known->second = buffer.events.back().time;
            }
        }
    }

    std::vector<char> m_bytes;
    RawEtl m_etl;
};

} // namespace

std::uint64_t RawEtl::dataEvents() const {
    std::uint64_t events = 0;
    for (std::size_t i = 1; i < buffers.size(); ++i) {
        events += buffers[i].events.size();
    }
    return events;
}

std::string RawEtl::problemText() const {
    std::string text;
    for (const std::string& problem : problems) {
        text += problem + '\n';
    }
    return text;
}

RawEtl readRawEtl(const std::string& path) {
    return Reader(path).read();
}

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/ordered_events.h"

#include "core/etl/xpress.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <utility>

namespace tracedeck::etl {
namespace {

using etlformat::kBufferHeaderSize;

constexpr std::size_t kHeaderReadBlock = 4096;

bool isBefore(const BufferPlace& a, const BufferPlace& b) {
    // The header buffer comes first, whatever its processor.
    const bool isHeaderA = a.type == etlformat::BufferType::Header;
    const bool isHeaderB = b.type == etlformat::BufferType::Header;
    if (isHeaderA != isHeaderB) {
        return isHeaderA;
    }
    return a.processor != b.processor ? a.processor < b.processor : a.sequenceNumber < b.sequenceNumber;
}

} // namespace

/// The buffers of one processor, and the event that it stands at.
class OrderedEvents::Stream {
public:
    explicit Stream(std::vector<BufferPlace> places) : m_places(std::move(places)) {}

    [[nodiscard]] const EventView& view() const noexcept { return m_view; }
    [[nodiscard]] Ticks time() const noexcept { return m_time; }
    [[nodiscard]] std::uint16_t processor() const noexcept { return m_places.front().processor; }
    void rewind(Ticks start) {
        m_next = 0;
        m_bytes = {};
        m_time = start;
    }
    /// The next event of the buffer; false at its end.
    bool step(std::uint64_t& damaged) {
        const ParseResult parsed = m_bytes.empty() ? ParseResult::End : parseEvent(m_bytes, m_view);
        if (parsed != ParseResult::Event) {
            damaged += parsed == ParseResult::Damaged && !m_isHeader ? 1U : 0U;
            m_bytes = {};
            return false;
        }
        m_bytes = m_bytes.subspan(std::min(etlformat::alignEvent(m_view.size), m_bytes.size()));
        m_time = m_view.hasTime ? m_view.time : m_time;
        return true;
    }
    /// Reads the next buffer; false where there is none.
    Result<bool> load(InputFile& file, std::uint64_t& bytesRead, std::uint64_t& damaged) {
        if (m_next == m_places.size()) {
            m_stored = {};
            m_plain = {};
            return false;
        }
        const BufferPlace& place = m_places[m_next++];
        m_isHeader = place.type == etlformat::BufferType::Header;
        m_stored.resize(place.isCompressed() ? place.size : place.filled);
        const auto got = file.readAt(place.offset, m_stored);
        if (!got) {
            return fail(got.error());
        }
        bytesRead += place.size;
        std::span<const std::byte> bytes = std::span(m_stored).first(*got);
        if (place.isCompressed()) {
            m_plain.resize(place.filled);
            const auto made = *got < kBufferHeaderSize ? std::nullopt
                                                       : decodeXpress(bytes.subspan(kBufferHeaderSize),
                                                                      std::span(m_plain).subspan(kBufferHeaderSize));
            const bool isGood = made && *made + kBufferHeaderSize == place.filled;
            damaged += isGood ? 0U : 1U;
            bytes = isGood ? std::span<const std::byte>(m_plain) : std::span<const std::byte>();
        }
        m_bytes = bytes.subspan(std::min(kBufferHeaderSize, bytes.size()));
        return true;
    }

private:
    std::vector<BufferPlace> m_places;
    std::size_t m_next = 0;
    std::vector<std::byte> m_stored;
    std::vector<std::byte> m_plain;
    std::span<const std::byte> m_bytes; ///< of the buffer, what is still to come
    EventView m_view;
    Ticks m_time = 0;
    bool m_isHeader = false;
};

OrderedEvents::OrderedEvents() = default;
OrderedEvents::OrderedEvents(OrderedEvents&&) noexcept = default;
OrderedEvents& OrderedEvents::operator=(OrderedEvents&&) noexcept = default;
OrderedEvents::~OrderedEvents() = default;

Result<OrderedEvents> OrderedEvents::open(FileSystem& files, const std::string& path, const WalkWatcher& watcher) {
    OrderedEvents events;
    auto file = files.open(path);
    if (!file) {
        return fail(std::move(file.error()));
    }
    events.m_file = std::move(*file);
    auto header = readFileHeader(*events.m_file, path);
    if (!header) {
        return fail(std::move(header.error()));
    }
    events.m_header = std::make_unique<FileHeader>(std::move(*header));
    FileWindow window(*events.m_file, kHeaderReadBlock);
    BufferWalk walk(window, *events.m_header, watcher);
    std::vector<BufferPlace> places;
    while (true) {
        const auto place = walk.next();
        if (!place) {
            return fail(place.error());
        }
        if (!place->has_value()) {
            break;
        }
        places.push_back(**place);
    }
    std::stable_sort(places.begin(), places.end(), isBefore);
    auto begin = places.cbegin();
    while (begin != places.cend()) {
        const auto end = std::find_if(begin, places.cend(), [&](const BufferPlace& place) {
            return place.processor != begin->processor || (place.type != begin->type && begin == places.cbegin());
        });
        events.m_streams.emplace_back(std::vector<BufferPlace>(begin, end));
        begin = end;
    }
    events.m_damagedByWalk = walk.damaged().count;
    events.rewind();
    return events;
}

void OrderedEvents::rewind() {
    for (Stream& stream : m_streams) {
        stream.rewind(m_header->summary.startTicks);
    }
    m_heap.clear();
    m_current = kNone;
    m_hasBegun = false;
    m_bytesRead = 0;
    m_damaged = m_damagedByWalk;
}

/// Of equal times the stream that comes first in the file's order of processors is earlier.
bool OrderedEvents::isLater(std::size_t a, std::size_t b) const {
    const Ticks timeA = m_streams[a].time();
    const Ticks timeB = m_streams[b].time();
    return timeA != timeB ? timeA > timeB : a > b;
}

Result<bool> OrderedEvents::advance(Stream& stream) {
    while (!stream.step(m_damaged)) {
        auto loaded = stream.load(*m_file, m_bytesRead, m_damaged);
        if (!loaded || !*loaded) {
            return loaded;
        }
    }
    return true;
}

Result<void> OrderedEvents::begin() {
    m_hasBegun = true;
    const auto later = [this](std::size_t a, std::size_t b) { return isLater(a, b); };
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        const auto has = advance(m_streams[i]);
        if (!has) {
            return fail(has.error());
        }
        if (*has) {
            m_heap.push_back(i);
            std::push_heap(m_heap.begin(), m_heap.end(), later);
        }
    }
    return {};
}

Result<bool> OrderedEvents::next(OrderedEvent& event) {
    const auto later = [this](std::size_t a, std::size_t b) { return isLater(a, b); };
    if (!m_hasBegun) {
        if (auto begun = begin(); !begun) {
            return fail(std::move(begun).error());
        }
    } else if (m_current != kNone) {
        const auto has = advance(m_streams[m_current]);
        if (!has) {
            return fail(has.error());
        }
        if (!*has) {
            m_current = kNone;
        } else if (!m_heap.empty() && isLater(m_current, m_heap.front())) {
            m_heap.push_back(std::exchange(m_current, kNone));
            std::push_heap(m_heap.begin(), m_heap.end(), later);
        }
    }
    if (m_current == kNone) {
        if (m_heap.empty()) {
            return false;
        }
        std::pop_heap(m_heap.begin(), m_heap.end(), later);
        m_current = m_heap.back();
        m_heap.pop_back();
    }
    const Stream& stream = m_streams[m_current];
    event.view = stream.view();
    event.processor = stream.processor();
    event.time = stream.time();
    return true;
}

} // namespace tracedeck::etl

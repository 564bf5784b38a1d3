// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/perf_ring.h"

#include <cstring>
#include <string_view>
#include <vector>

namespace tracedeck::test {

/// Builds records as the kernel lays them out for the attributes that the source asks for.
class RecordBuilder {
public:
    RecordBuilder(std::uint32_t type, std::uint16_t misc = 0) { m_header = {type, misc, 0}; }

    template <class T>
    RecordBuilder& put(T value) {
        const std::size_t at = m_body.size();
        m_body.resize(at + sizeof(T));
        std::memcpy(m_body.data() + at, &value, sizeof(T));
        return *this;
    }
    /// Zero-terminated and padded to 8.
    RecordBuilder& text(std::string_view text) {
        for (const char c : text) {
            put(c);
        }
        put('\0');
        while (m_body.size() % 8 != 0) {
            put('\0');
        }
        return *this;
    }
    /// IDENTIFIER, IP, TID, TIME at the front.
    RecordBuilder& sample(std::uint64_t id, std::uint64_t ip, std::uint32_t pid, std::uint32_t tid, Ticks time) {
        return put(id).put(ip).put(pid).put(tid).put(time);
    }
    RecordBuilder& chain(const std::vector<std::uint64_t>& addresses) {
        put(std::uint64_t{addresses.size()});
        for (const std::uint64_t address : addresses) {
            put(address);
        }
        return *this;
    }
    RecordBuilder& raw(const std::vector<std::byte>& bytes) {
        put(static_cast<std::uint32_t>(bytes.size() + 4));
        for (const std::byte byte : bytes) {
            put(byte);
        }
        return put(std::uint32_t{0});
    }
    /// sample_id: TID, TIME, IDENTIFIER at the end.
    RecordBuilder& trailer(std::uint32_t pid, std::uint32_t tid, Ticks time, std::uint64_t id) {
        return put(pid).put(tid).put(time).put(id);
    }
    [[nodiscard]] std::vector<std::byte> bytes() const {
        perf_event_header header = m_header;
        header.size = static_cast<std::uint16_t>(sizeof(header) + m_body.size());
        std::vector<std::byte> all(sizeof(header) + m_body.size());
        std::memcpy(all.data(), &header, sizeof(header));
        std::memcpy(all.data() + sizeof(header), m_body.data(), m_body.size());
        return all;
    }

private:
    perf_event_header m_header{};
    std::vector<std::byte> m_body;
};

/// A ring as perf_event maps it, which the test writes to.
class RingMemory {
public:
    explicit RingMemory(std::size_t dataSize) : m_size(dataSize), m_words((kPage + dataSize) / 8) {
        auto& page = *reinterpret_cast<perf_event_mmap_page*>(m_words.data());
        page.data_offset = kPage;
        page.data_size = dataSize;
    }
    [[nodiscard]] void* mapping() { return m_words.data(); }
    [[nodiscard]] perf_event_mmap_page& page() { return *reinterpret_cast<perf_event_mmap_page*>(m_words.data()); }
    /// False where the ring is full, as the kernel would find it.
    bool write(const std::vector<std::byte>& record) {
        if (page().data_head + record.size() - page().data_tail > m_size) {
            return false;
        }
        auto* data = reinterpret_cast<std::byte*>(m_words.data()) + kPage;
        for (const std::byte byte : record) {
            data[page().data_head % m_size] = byte;
            ++page().data_head;
        }
        return true;
    }
    bool write(const RecordBuilder& record) { return write(record.bytes()); }

private:
    static constexpr std::size_t kPage = 4096;
    std::size_t m_size;
    std::vector<std::uint64_t> m_words;
};

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/etl_events.h"

#include "core/base/utf.h"

#include <fstream>
#include <iterator>
#include <stdexcept>

namespace tracedeck::test {
namespace {

template <class T>
T load(std::span<const std::byte> bytes, std::size_t at) {
    if (at + sizeof(T) > bytes.size()) {
        throw std::runtime_error("structure runs past its buffer at " + std::to_string(at));
    }
    T value{};
    std::memcpy(&value, bytes.data() + at, sizeof(T));
    return value;
}

EtlEvent decode(std::span<const std::byte> bytes, std::uint32_t processor) {
    EtlEvent event;
    event.processor = processor;
    const auto kind = load<std::uint8_t>(bytes, 2);
    std::size_t size = 0;
    std::size_t header = 0;
    switch (kind) {
    case 0x02: // SYSTEM64
        size = load<std::uint16_t>(bytes, 4);
        event.hook = load<std::uint16_t>(bytes, 6);
        event.threadId = load<std::uint32_t>(bytes, 8);
        event.processId = load<std::uint32_t>(bytes, 12);
        event.time = load<Ticks>(bytes, 16);
        event.isKernel = true;
        header = 32;
        break;
    case 0x11: // PERFINFO64
        size = load<std::uint16_t>(bytes, 4);
        event.hook = load<std::uint16_t>(bytes, 6);
        event.time = load<Ticks>(bytes, 8);
        event.isKernel = true;
        header = 16;
        break;
    case 0x13: // EVENT64
        size = load<std::uint16_t>(bytes, 0);
        event.threadId = load<std::uint32_t>(bytes, 8);
        event.processId = load<std::uint32_t>(bytes, 12);
        event.time = load<Ticks>(bytes, 16);
        event.provider = load<Guid>(bytes, 24);
        header = 80;
        break;
    case 0x14: // FULL64
        size = load<std::uint16_t>(bytes, 0);
        event.time = load<Ticks>(bytes, 16);
        event.provider = load<Guid>(bytes, 24);
        header = 48;
        break;
    default:
        throw std::runtime_error("header type " + std::to_string(kind));
    }
    if (size < header || size > bytes.size()) {
        throw std::runtime_error("event size " + std::to_string(size));
    }
    event.whole = bytes.first(size);
    event.payload = bytes.subspan(header, size - header);
    return event;
}

} // namespace

std::string EtlEvent::wideString(std::size_t offset) const {
    std::u16string text;
    while (offset + 2 <= payload.size()) {
        const auto unit = at<char16_t>(offset);
        if (unit == 0) {
            break;
        }
        text += unit;
        offset += 2;
    }
    return toUtf8(text);
}

EtlEvents::EtlEvents(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    const std::vector<char> raw{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
    m_bytes.resize(raw.size());
    std::memcpy(m_bytes.data(), raw.data(), raw.size());
    const std::span<const std::byte> all(m_bytes);
    for (std::size_t at = 0; at < all.size();) {
        const auto size = load<std::uint32_t>(all, at);
        const auto filled = load<std::uint32_t>(all, at + 4);
        if (size < 0x48 || at + size > all.size() || filled < 0x48 || filled > size) {
            throw std::runtime_error("buffer at " + std::to_string(at));
        }
        const std::uint32_t processor = load<std::uint16_t>(all, at + 0x28);
        for (std::size_t offset = 0x48; offset < filled;) {
            m_events.push_back(decode(all.subspan(at + offset, filled - offset), processor));
            offset += (m_events.back().whole.size() + 7) / 8 * 8;
        }
        at += size;
    }
}

std::vector<EtlEvent> EtlEvents::ofHook(std::uint16_t hook) const {
    std::vector<EtlEvent> found;
    for (const EtlEvent& event : m_events) {
        if (event.isKernel && event.hook == hook) {
            found.push_back(event);
        }
    }
    return found;
}

} // namespace tracedeck::test

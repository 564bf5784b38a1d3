// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

/// Both directions of the wire with one set of functions, so that a type's fields are listed once: codec.number(v)
/// appends `v` or reads it. The first problem is kept, and what comes after it changes nothing.
namespace tracedeck::etw::remote {

template <class T>
concept UnsignedNumber = std::unsigned_integral<T> && !std::same_as<T, bool>;

/// Appends values to a packet.
class Encoder {
public:
    static constexpr bool kIsReading = false;
    /// `most`: bytes.
    explicit Encoder(std::size_t most) : m_most(most) {}

    template <UnsignedNumber T>
    void number(const T& value) {
        for (std::size_t i = 0; i < sizeof(T); ++i) {
            m_bytes.push_back(static_cast<std::byte>(value >> (8U * i)));
        }
    }
    void bytes(std::span<const std::byte> some) { m_bytes.insert(m_bytes.end(), some.begin(), some.end()); }
    [[nodiscard]] bool count(std::size_t size, std::size_t most, std::size_t /*least*/, const char* what) {
        require(size <= most, what);
        number(static_cast<std::uint32_t>(size));
        return isGood();
    }
    void require(bool isTrue, const char* what) {
        if (!isTrue && m_problem == nullptr) {
            m_problem = what;
        }
    }
    [[nodiscard]] bool isGood() const noexcept { return m_problem == nullptr && m_bytes.size() <= m_most; }
    /// What breaks a limit; null: nothing.
    [[nodiscard]] const char* problem() const noexcept {
        return m_problem != nullptr ? m_problem : m_bytes.size() > m_most ? "the packet is too large" : nullptr;
    }
    [[nodiscard]] std::size_t size() const noexcept { return m_bytes.size(); }
    [[nodiscard]] std::vector<std::byte> take() { return std::move(m_bytes); }

private:
    const std::size_t m_most;
    std::vector<std::byte> m_bytes;
    const char* m_problem = nullptr;
};

/// Reads them back. A value that is not there is left as it was.
class Decoder {
public:
    static constexpr bool kIsReading = true;
    explicit Decoder(std::span<const std::byte> packet) : m_left(packet) {}

    template <UnsignedNumber T>
    void number(T& value) {
        if (const auto from = next(sizeof(T)); from.size() == sizeof(T)) {
            std::uint64_t whole = 0;
            for (std::size_t i = 0; i < sizeof(T); ++i) {
                whole |= std::to_integer<std::uint64_t>(from[i]) << (8U * i);
            }
            value = static_cast<T>(whole);
        }
    }
    void bytes(std::span<std::byte> into) {
        if (const auto from = next(into.size()); from.size() == into.size()) {
            std::copy(from.begin(), from.end(), into.begin());
        }
    }
    /// Sets `size`; refuses what has not that much behind it, at `least` bytes each, before anything is allocated.
    [[nodiscard]] bool count(std::size_t& size, std::size_t most, std::size_t least, const char* what) {
        std::uint32_t told = 0;
        number(told);
        require(told <= most, what);
        require(told <= m_left.size() / std::max<std::size_t>(least, 1), "the packet ends early");
        size = isGood() ? told : 0;
        return isGood();
    }
    void require(bool isTrue, const char* what) {
        if (!isTrue && m_problem == nullptr) {
            m_problem = what;
        }
    }
    [[nodiscard]] bool isGood() const noexcept { return m_problem == nullptr; }
    [[nodiscard]] const char* problem() const noexcept {
        return m_problem == nullptr && !m_left.empty() ? "bytes follow the message" : m_problem;
    }

private:
    std::span<const std::byte> next(std::size_t size) {
        require(size <= m_left.size(), "the packet ends early");
        if (!isGood()) {
            return {};
        }
        const auto some = m_left.first(size);
        m_left = m_left.subspan(size);
        return some;
    }

    std::span<const std::byte> m_left;
    const char* m_problem = nullptr;
};

/// T as a codec sees it: to be read into, or constant.
template <class C, class T>
using Of = std::conditional_t<C::kIsReading, T, const T>;

template <class C>
void exchangeSigned(C& codec, Of<C, std::int64_t>& value) {
    auto bits = static_cast<std::uint64_t>(value);
    codec.number(bits);
    if constexpr (C::kIsReading) {
        value = static_cast<std::int64_t>(bits);
    }
}

template <class C>
void exchangeFact(C& codec, Of<C, bool>& value) {
    std::uint8_t byte = value ? 1 : 0;
    codec.number(byte);
    codec.require(byte <= 1, "a fact is neither 0 nor 1");
    if constexpr (C::kIsReading) {
        value = byte == 1;
    }
}

template <class C>
void exchangeReal(C& codec, Of<C, double>& value) {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof(bits));
    codec.number(bits);
    if constexpr (C::kIsReading) {
        std::memcpy(&value, &bits, sizeof(bits));
    }
}

template <class C>
void exchangeGuid(C& codec, Of<C, Guid>& guid) {
    if constexpr (C::kIsReading) {
        codec.bytes(std::as_writable_bytes(std::span(guid.bytes)));
    } else {
        codec.bytes(std::as_bytes(std::span(guid.bytes)));
    }
}

/// `most`: bytes.
template <class C>
void exchangeText(C& codec, Of<C, std::string>& text, std::size_t most, const char* what) {
    std::size_t size = text.size();
    if (!codec.count(size, most, 1, what)) {
        return;
    }
    if constexpr (C::kIsReading) {
        text.resize(size);
        codec.bytes(std::as_writable_bytes(std::span(text.data(), text.size())));
    } else {
        codec.bytes(std::as_bytes(std::span(text.data(), text.size())));
    }
}

/// An enumeration without gaps, of the values `first` to `last`.
template <class C, class E>
void exchangeEnum(C& codec, E& value, std::remove_const_t<E> first, std::remove_const_t<E> last, const char* what) {
    using Enum = std::remove_const_t<E>;
    using Number = std::underlying_type_t<Enum>;
    auto number = static_cast<Number>(value);
    codec.number(number);
    codec.require(number >= static_cast<Number>(first) && number <= static_cast<Number>(last), what);
    if constexpr (C::kIsReading) {
        if (codec.isGood()) {
            value = static_cast<Enum>(number);
        }
    }
}

/// A duration in its own ticks, from `least` to `most` of them.
template <class C, class D>
void exchangeDuration(C& codec, D& value, std::int64_t least, std::int64_t most, const char* what) {
    std::int64_t ticks = value.count();
    exchangeSigned(codec, ticks);
    codec.require(ticks >= least && ticks <= most, what);
    if constexpr (C::kIsReading) {
        if (codec.isGood()) {
            value = std::remove_const_t<D>(ticks);
        }
    }
}

/// A list whose elements `each(element)` exchanges, each of at least `least` bytes.
template <class C, class List, class Each>
void exchangeList(C& codec, List& list, std::size_t most, std::size_t least, const char* what, Each each) {
    std::size_t size = list.size();
    if (!codec.count(size, most, least, what)) {
        return;
    }
    if constexpr (C::kIsReading) {
        list.resize(size);
    }
    for (auto& element : list) {
        if (!codec.isGood()) {
            return;
        }
        each(element);
    }
}

/// What may be absent: `each(value)` exchanges it where it is not.
template <class C, class Optional, class Each>
void exchangeOptional(C& codec, Optional& value, Each each) {
    bool isThere = value.has_value();
    exchangeFact(codec, isThere);
    if (!isThere || !codec.isGood()) {
        return;
    }
    if constexpr (C::kIsReading) {
        value.emplace();
    }
    each(*value);
}

} // namespace tracedeck::etw::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/field_value.h"
#include "core/etl/replacer.h"
#include "core/etl/scrub.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tracedeck::etl {

/// Replaces the fields of one event where they lie: which of them say whose the recording is, is decided here.
///
/// Ownership: `bytes`, of which the fields' data are parts, and the others must outlive it.
class ScrubFields final : public FieldSink {
public:
    enum class Origin : std::uint8_t { Kernel, SelfDescribing, Recorder };

    ScrubFields(const Replacer& replacer, const ScrubRequest& request, ScrubResult& result, std::span<std::byte> bytes)
        : m_replacer(replacer), m_request(request), m_result(result), m_bytes(bytes) {}
    /// Before the fields of an event.
    void begin(Origin origin) {
        m_origin = origin;
        m_processId = kNoProcess;
        m_depth = 0;
    }

    void value(const FieldValue& field) override;
    void beginArray(std::string_view name) override;
    void endArray() override { --m_depth; }
    void beginStruct(std::string_view) override {}
    void endStruct() override {}

    void replaceSid(std::span<const std::byte> sid);
    void clear(std::span<const std::byte> bytes);
    /// A return address. A walk through code without frame pointers takes what lies on the stack for one, texts among
    /// it: what can be no address becomes zero.
    void clearUnlessAddress(std::span<const std::byte> frame);

private:
    static constexpr std::uint64_t kNoProcess = ~std::uint64_t{0};
    [[nodiscard]] std::span<std::byte> mine(std::span<const std::byte> part) const;
    void replaceKernelText(std::string_view name, std::span<std::byte> text, TextWidth width);
    void replaceOwnText(std::string_view name, std::span<std::byte> text, TextWidth width);
    void replaceText(std::span<std::byte> text, TextWidth width, std::uint64_t& counter);
    void replacePath(std::span<std::byte> text, TextWidth width);
    void replaceSocketAddress(std::span<std::byte> address);
    void takeNumber(std::string_view name, const FieldValue& field);

    const Replacer& m_replacer;
    const ScrubRequest& m_request;
    ScrubResult& m_result;
    std::span<std::byte> m_bytes;
    Origin m_origin = Origin::Kernel;
    std::uint64_t m_processId = kNoProcess; ///< of the event's fields so far
    int m_depth = 0;                        ///< of arrays
    std::string_view m_arrayName;
};

} // namespace tracedeck::etl

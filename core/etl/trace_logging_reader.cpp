// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trace_logging_reader.h"

#include "core/base/guid.h"
#include "core/base/utf.h"
#include "core/etl/event_view.h"
#include "core/etl/trace_logging_fields.h"

#include <cstdint>
#include <cstring>
#include <optional>

namespace tracedeck::etl {
namespace {

template <class One, class Two, class Four, class Eight>
std::optional<std::string> numberText(std::span<const std::byte> data) {
    switch (data.size()) {
    case sizeof(One):
        return std::to_string(loadAt<One>(data.data(), 0));
    case sizeof(Two):
        return std::to_string(loadAt<Two>(data.data(), 0));
    case sizeof(Four):
        return std::to_string(loadAt<Four>(data.data(), 0));
    case sizeof(Eight):
        return std::to_string(loadAt<Eight>(data.data(), 0));
    default:
        return std::nullopt;
    }
}

/// Empty where the type is none of a recorder's.
std::optional<std::string> textOf(const FieldValue& field) {
    switch (field.type) {
    case FieldType::WideText: {
        std::u16string text(field.data.size() / 2, u'\0');
        if (!text.empty()) {
            std::memcpy(text.data(), field.data.data(), text.size() * 2);
        }
        return toUtf8(text);
    }
    case FieldType::Text:
        return std::string(reinterpret_cast<const char*>(field.data.data()), field.data.size());
    case FieldType::Signed:
    case FieldType::FileTime:
        return numberText<std::int8_t, std::int16_t, std::int32_t, std::int64_t>(field.data);
    case FieldType::Unsigned:
    case FieldType::Hex:
        return numberText<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(field.data);
    case FieldType::Boolean:
        return numberText<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>(field.data) == "0" ? "false"
                                                                                                        : "true";
    case FieldType::Float:
        return field.data.size() == sizeof(float) ? std::to_string(loadAt<float>(field.data.data(), 0))
                                                  : std::to_string(loadAt<double>(field.data.data(), 0));
    case FieldType::Guid:
        return toString(loadAt<Guid>(field.data.data(), 0));
    case FieldType::SystemTime:
    case FieldType::Character:
    case FieldType::Sid:
    case FieldType::IpV4:
    case FieldType::IpV6:
    case FieldType::SocketAddress:
    case FieldType::Port:
    case FieldType::Binary:
        return std::nullopt;
    }
    return std::nullopt;
}

/// Keeps what comes before the first field that it does not take.
class Texts final : public FieldSink {
public:
    void value(const FieldValue& field) override {
        if (m_isOver) {
            return;
        }
        if (auto text = textOf(field)) {
            fields.emplace_back(field.name, std::move(*text));
        } else {
            m_isOver = true;
        }
    }
    void beginArray(std::string_view) override { m_isOver = true; }
    void endArray() override {}
    void beginStruct(std::string_view) override { m_isOver = true; }
    void endStruct() override {}

    std::vector<std::pair<std::string, std::string>> fields;

private:
    bool m_isOver = false;
};

} // namespace

std::vector<std::pair<std::string, std::string>> readTraceLoggingFields(std::span<const std::byte> schema,
                                                                        std::span<const std::byte> payload) {
    Texts texts;
    constexpr bool kIsNarrow = false; // pointers are none of a recorder's
    static_cast<void>(visitTraceLogging(schema, payload, kIsNarrow, texts));
    return std::move(texts.fields);
}

} // namespace tracedeck::etl

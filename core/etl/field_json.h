// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etl/field_value.h"

#include <string>
#include <string_view>

namespace tracedeck::etl {

/// How a quotation mark of JSON is written: twice where the JSON stands in a cell of CSV.
enum class JsonQuotes : std::uint8_t { Plain, Doubled };

/// Appends `text` as a JSON string, quotes included. Bytes that are no UTF-8 become U+FFFD.
void appendJsonText(std::string& to, std::string_view text, JsonQuotes quotes = JsonQuotes::Plain);
/// "S-1-5-18"
void appendSid(std::string& to, std::span<const std::byte> sid);
/// "{68fdd900-4a3e-11d1-84f4-0000f80464e3}", and upper-case hexadecimal digits of bytes.
void appendGuid(std::string& to, std::span<const std::byte> guid);
void appendHex(std::string& to, std::span<const std::byte> bytes);

/// Writes the fields of one event as the members of a JSON object, braces excluded.
///
/// Numbers are numbers of up to 64 bits; addresses, flags and codes are texts "0x1A"; GUIDs, SIDs, addresses of
/// networks and times (ISO 8601, UTC) are texts; binary is hexadecimal digits; a number that is no number is null.
/// Fields of one name stand one after the other, as in the event.
///
/// Ownership: `to` must outlive it.
class JsonFields final : public FieldSink {
public:
    explicit JsonFields(std::string& to, JsonQuotes quotes = JsonQuotes::Plain)
        : m_to(to), m_quotes(quotes), m_quote(quotes == JsonQuotes::Plain ? "\"" : "\"\"") {}
    void value(const FieldValue& field) override;
    void beginArray(std::string_view name) override;
    void endArray() override;
    void beginStruct(std::string_view name) override;
    void endStruct() override;

private:
    void begin(std::string_view name);
    void appendValue(FieldType type, std::span<const std::byte> data);

    std::string& m_to;
    JsonQuotes m_quotes;
    std::string_view m_quote;
    bool m_needsComma = false;
};

} // namespace tracedeck::etl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/tracepoint_format.h"

#include <algorithm>
#include <charconv>

namespace tracedeck::linux_source {
namespace {

/// The number behind `key` in "…; offset:24; size:4; signed:1;".
bool numberAfter(std::string_view line, std::string_view key, std::uint16_t& value) {
    const std::size_t at = line.find(key);
    if (at == line.npos) {
        return false;
    }
    const std::string_view digits = line.substr(at + key.size());
    return std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
}

/// "field:char prev_comm[16];" has the name prev_comm.
std::string_view declaredName(std::string_view line) {
    std::string_view declaration = line.substr(0, line.find(';'));
    if (declaration.find('[') != declaration.npos && declaration.back() == ']') {
        declaration = declaration.substr(0, declaration.rfind('['));
    }
    const std::size_t blank = declaration.find_last_of(" \t*:");
    return blank == declaration.npos ? declaration : declaration.substr(blank + 1);
}

} // namespace

std::string_view TracepointField::text(std::span<const std::byte> raw) const noexcept {
    if (std::size_t{offset} + size > raw.size()) {
        return {};
    }
    const auto* const begin = reinterpret_cast<const char*>(raw.data() + offset);
    return {begin, ::strnlen(begin, size)};
}

Result<TracepointFormat> TracepointFormat::parse(std::string_view text) {
    TracepointFormat format;
    bool hasId = false;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        if (line.substr(0, 4) == "ID: ") {
            hasId = std::from_chars(line.data() + 4, line.data() + line.size(), format.id).ec == std::errc();
        } else if (line.substr(0, 6) == "field:") {
            NamedField named{std::string(declaredName(line)), {}};
            std::uint16_t isSigned = 0;
            if (!numberAfter(line, "offset:", named.field.offset) || !numberAfter(line, "size:", named.field.size)) {
                return fail(ErrorCode::InvalidArgument, "tracepoint format: no place in \"" + std::string(line) + '"');
            }
            named.field.isSigned = numberAfter(line, "signed:", isSigned) && isSigned != 0;
            format.fields.push_back(std::move(named));
        } else if (line.substr(0, 10) == "print fmt:") {
            format.printFormat = line.substr(10);
        }
    }
    if (!hasId || format.fields.empty()) {
        return fail(ErrorCode::InvalidArgument, "tracepoint format: no id or no fields");
    }
    return format;
}

Result<TracepointField> TracepointFormat::integer(std::string_view name) const {
    Result<TracepointField> found = field(name);
    const std::size_t size = found ? found->size : 0;
    if (size == 1 || size == 2 || size == 4 || size == 8) {
        return found;
    }
    return fail(ErrorCode::InvalidArgument, "tracepoint format: no integer field " + std::string(name));
}

Result<TracepointField> TracepointFormat::field(std::string_view name) const {
    const auto found =
        std::find_if(fields.begin(), fields.end(), [&](const NamedField& named) { return named.name == name; });
    if (found == fields.end()) {
        return fail(ErrorCode::InvalidArgument, "tracepoint format: no field " + std::string(name));
    }
    return found->field;
}

} // namespace tracedeck::linux_source

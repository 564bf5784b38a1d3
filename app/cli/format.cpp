// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/format.h"

#include "core/base/utf.h"

#include <fmt/format.h>

#include <array>
#include <ctime>

namespace tracedeck::cli {
namespace {

bool isContinuation(char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

} // namespace

std::string line(std::string_view label, const std::string& text) {
    return fmt::format("  {:<10}  {}\n", label, text);
}

std::string grouped(std::uint64_t number) {
    std::string text = std::to_string(number);
    for (std::size_t at = text.size(); at > 3; at -= 3) {
        text.insert(at - 3, 1, ',');
    }
    return text;
}

std::string counted(std::uint64_t number, std::string_view noun, std::string_view plural) {
    if (number == 1) {
        return fmt::format("1 {}", noun);
    }
    return plural.empty() ? fmt::format("{} {}s", grouped(number), noun)
                          : fmt::format("{} {}", grouped(number), plural);
}

std::string size(Bytes bytes) {
    constexpr std::array<const char*, 4> kUnits{"KB", "MB", "GB", "TB"};
    if (bytes.count < 1024) {
        return counted(bytes.count, "byte");
    }
    double value = static_cast<double>(bytes.count) / 1024;
    std::size_t unit = 0;
    for (; value >= 1024 && unit + 1 < kUnits.size(); ++unit) {
        value /= 1024;
    }
    return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

std::string clockTime(std::chrono::milliseconds time) {
    const auto seconds = time.count() / 1000;
    return fmt::format("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
}

std::string length(std::chrono::milliseconds time) {
    if (time < std::chrono::minutes(1)) {
        return fmt::format("{:.1f} s", static_cast<double>(time.count()) / 1000);
    }
    const auto seconds = time.count() / 1000;
    return fmt::format("{} min {} s", seconds / 60, seconds % 60);
}

std::string dateTime(FileTime when) {
    if (when <= 0) {
        return "unknown";
    }
    const auto seconds = static_cast<std::time_t>((when - kUnixEpoch) / 10'000'000);
    std::tm local{};
    localtime_r(&seconds, &local);
    std::array<char, 32> text{};
    std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &local);
    return text.data();
}

std::string listed(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) {
        text += (i == 0 ? "" : ", ") + names[i];
    }
    if (names.size() > most) {
        text += " and " + std::to_string(names.size() - most) + " more";
    }
    return text;
}

std::string fitted(std::string_view text, std::size_t columns) {
    std::size_t seen = 0;
    std::size_t keep = 0; // where the text is cut if it proves too long
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (isContinuation(text[i])) {
            continue;
        }
        if (seen + 1 == columns) {
            keep = i;
        }
        if (++seen > columns) {
            return columns == 0 ? std::string() : std::string(text.substr(0, keep)) + "…";
        }
    }
    return std::string(text);
}

std::string printable(std::string_view text) {
    std::u16string wide = toUtf16(text);
    for (char16_t& c : wide) {
        if (c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0xFFFD) {
            c = u'?';
        }
    }
    return toUtf8(wide);
}

} // namespace tracedeck::cli

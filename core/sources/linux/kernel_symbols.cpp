// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/kernel_symbols.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace tracedeck::linux_source {
namespace {

struct Symbol {
    std::uint64_t address = 0;
    std::string_view name;
};

/// "ffffffff81000000 T _text"; those of modules have "[name]" behind.
std::optional<Symbol> parseSymbol(std::string_view line) {
    Symbol symbol;
    const char* const end = line.data() + line.size();
    const auto address = std::from_chars(line.data(), end, symbol.address, 16);
    const auto type = static_cast<std::size_t>(address.ptr - line.data());
    if (address.ec != std::errc() || line.size() < type + 4 || line.find('[', type) != line.npos) {
        return std::nullopt;
    }
    symbol.name = line.substr(type + 3);
    return symbol;
}

} // namespace

KernelRange parseKallsyms(std::string_view text) {
    KernelRange range;
    std::uint64_t codeEnd = 0;
    forEachLine(text, [&](std::string_view line) {
        const auto symbol = parseSymbol(line);
        if (!symbol || symbol->name.front() != '_') {
            return;
        }
        if (symbol->name == "_text" || (symbol->name == "_stext" && range.base == 0)) {
            range.base = symbol->address;
        } else if (symbol->name == "_end") {
            range.end = symbol->address;
        } else if (symbol->name == "_etext") {
            codeEnd = symbol->address;
        }
    });
    // Some kernels do not list _end.
    range.end = range.end != 0 ? range.end : codeEnd;
    if (range.base == 0 || range.end <= range.base) {
        return {};
    }
    return range;
}

std::vector<std::uint64_t> parseAddresses(std::string_view kallsyms, std::span<const std::string_view> names) {
    std::vector<std::uint64_t> addresses(names.size());
    forEachLine(kallsyms, [&](std::string_view line) {
        const auto symbol = parseSymbol(line);
        const auto found = symbol ? std::find(names.begin(), names.end(), symbol->name) : names.end();
        if (found != names.end()) {
            addresses[static_cast<std::size_t>(found - names.begin())] = symbol->address;
        }
    });
    return addresses;
}

KernelRange KernelSymbols::range() {
    if (m_range.base == 0) {
        const auto text = readWhole(m_proc.path("kallsyms"));
        m_range = text ? parseKallsyms(*text) : KernelRange{};
    }
    return m_range;
}

std::vector<std::uint64_t> KernelSymbols::addresses(std::span<const std::string_view> names) {
    const bool isKnown =
        std::any_of(names.begin(), names.end(), [this](std::string_view name) { return m_addresses.count(name) != 0; });
    if (!isKnown) {
        const auto text = readWhole(m_proc.path("kallsyms"));
        const auto found = parseAddresses(text ? std::string_view(*text) : std::string_view(), names);
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (found[i] != 0) {
                m_addresses.emplace(names[i], found[i]);
            }
        }
    }
    std::vector<std::uint64_t> addresses;
    for (const std::string_view name : names) {
        const auto known = m_addresses.find(name);
        addresses.push_back(known != m_addresses.end() ? known->second : 0);
    }
    return addresses;
}

} // namespace tracedeck::linux_source

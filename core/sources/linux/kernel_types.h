// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::linux_source {

/// How the structures of the running kernel are laid out, which every build of it decides anew: its own description of
/// its types (BTF), /sys/kernel/btf/vmlinux, Linux 5.4 with CONFIG_DEBUG_INFO_BTF.
///
/// Source: Documentation/bpf/btf.rst of the kernel.
///
/// Threading: any thread, once made.
class KernelTypes {
public:
    /// NotSupported where it is no such description, or has kinds of types that came later than Linux 6.0.
    [[nodiscard]] static Result<KernelTypes> parse(std::string bytes);

    /// Bytes from the beginning of `structure` ("task_struct") to its member, which may be one of a structure or union
    /// without a name within it. InvalidArgument where there is none, or it does not begin at a byte.
    [[nodiscard]] Result<std::uint32_t> offsetOf(std::string_view structure, std::string_view member) const;

private:
    struct Type {
        std::uint32_t name = 0;
        std::uint32_t info = 0;
        std::size_t members = 0; ///< where what follows it begins

        [[nodiscard]] std::uint32_t kind() const noexcept { return (info >> 24U) & 0x1FU; }
        [[nodiscard]] std::uint32_t count() const noexcept { return info & 0xFFFFU; }
        [[nodiscard]] bool isStructure() const noexcept;
    };
    KernelTypes() = default;
    [[nodiscard]] std::string_view nameAt(std::uint32_t offset) const noexcept;
    [[nodiscard]] std::optional<std::uint32_t> bitsTo(const Type& type, std::string_view member, int depth) const;

    std::string m_bytes;
    std::size_t m_names = 0;
    std::size_t m_namesEnd = 0;
    std::vector<Type> m_types; ///< by number; number 0 is void
};

} // namespace tracedeck::linux_source

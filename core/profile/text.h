// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::profile {

/// Larger files are refused unread: the largest public profile has 100 KB.
constexpr std::size_t kLargestProfile = std::size_t{4} * 1024 * 1024;

/// "the file has 5000000 bytes; a profile has at most 4194304 (4 MB)"
[[nodiscard]] std::string tooLarge(std::uint64_t size);

/// Places of byte offsets in UTF-8 text. Lines end with LF, CR LF or CR; columns count characters, a tab as one.
class Places {
public:
    explicit Places(std::string_view text);
    [[nodiscard]] Place at(std::size_t offset) const;

private:
    static constexpr std::size_t kStride = 256;
    [[nodiscard]] std::size_t continuationsBefore(std::size_t offset) const;

    std::string_view m_text;
    std::vector<std::size_t> m_lineStarts;
    /// UTF-8 continuation bytes before every kStride-th offset, so that a file of one line costs no more than another.
    std::vector<std::size_t> m_continuations;
};

/// A file's bytes as UTF-8 without byte order mark, or why they are no text.
struct DecodedText {
    std::string utf8;
    std::optional<Problem> problem;
};

/// UTF-8 with or without byte order mark, UTF-16 with one; strict: a wrong byte, a lone surrogate or a control
/// character that XML does not know is a problem with its place. A byte order mark wins over the XML declaration.
[[nodiscard]] DecodedText decode(std::string_view bytes);

} // namespace tracedeck::profile

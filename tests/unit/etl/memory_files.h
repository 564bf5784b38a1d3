// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace tracedeck::test {

/// One file in memory, for sweeps over many thousand variants; writing is refused.
class MemoryFiles final : public FileSystem {
public:
    explicit MemoryFiles(std::vector<std::byte> bytes) : m_bytes(std::move(bytes)) {}
    [[nodiscard]] std::vector<std::byte>& bytes() { return m_bytes; }
    /// What open() shows: the first `size` bytes.
    void showOnly(std::size_t size) { m_shown = size; }

    [[nodiscard]] Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing) override {
        return fail(ErrorCode::AccessDenied, path);
    }
    [[nodiscard]] Result<std::unique_ptr<InputFile>> open(const std::string&) override {
        return std::make_unique<Input>(std::span<const std::byte>(m_bytes).first(std::min(m_shown, m_bytes.size())));
    }
    [[nodiscard]] Result<Bytes> freeSpace(const std::string&) override { return Bytes{0}; }
    [[nodiscard]] Result<std::uint64_t> volumeOf(const std::string&) override { return std::uint64_t{0}; }
    [[nodiscard]] tracedeck::Status rename(const std::string& from, const std::string&, Existing) override {
        return fail(ErrorCode::AccessDenied, from);
    }
    [[nodiscard]] tracedeck::Status remove(const std::string& path) override {
        return fail(ErrorCode::AccessDenied, path);
    }

private:
    class Input final : public InputFile {
    public:
        explicit Input(std::span<const std::byte> bytes) : m_bytes(bytes) {}
        [[nodiscard]] std::uint64_t size() const noexcept override { return m_bytes.size(); }
        [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
            if (offset >= m_bytes.size()) {
                return std::size_t{0};
            }
            const auto from = m_bytes.subspan(static_cast<std::size_t>(offset));
            const std::size_t count = std::min(from.size(), into.size());
            std::copy_n(from.begin(), count, into.begin());
            return count;
        }

    private:
        std::span<const std::byte> m_bytes;
    };
    std::vector<std::byte> m_bytes;
    std::size_t m_shown = static_cast<std::size_t>(-1);
};

} // namespace tracedeck::test

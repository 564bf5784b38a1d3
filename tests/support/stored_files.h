// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tracedeck::test {

/// Files in memory: nothing of a test's or a fuzzer's reaches the disk.
///
/// Threading: one thread at a time.
class StoredFiles final : public FileSystem {
public:
    using Content = std::vector<std::byte>;

    void put(const std::string& path, Content bytes) { m_files[path] = std::make_shared<Content>(std::move(bytes)); }
    [[nodiscard]] bool has(const std::string& path) const { return m_files.count(path) != 0; }
    [[nodiscard]] Content& content(const std::string& path) { return *m_files.at(path); }
    [[nodiscard]] std::vector<std::string> names() const {
        std::vector<std::string> names;
        for (const auto& [path, content] : m_files) {
            names.push_back(path);
        }
        return names;
    }
    /// No file grows beyond it: DiskFull.
    void limit(std::uint64_t largest) { m_largest = largest; }
    /// Called behind every write, with the file's bytes.
    void onWrite(std::function<void(Content&)> hook) { *m_hook = std::move(hook); }

    [[nodiscard]] Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        if (existing == Existing::Refuse && has(path)) {
            return fail(ErrorCode::FileExists, path);
        }
        if (existing != Existing::Keep || !has(path)) {
            put(path, {});
        }
        return std::make_unique<Output>(m_files.at(path), m_hook, m_largest);
    }
    [[nodiscard]] Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        if (!has(path)) {
            return fail(ErrorCode::FileNotFound, path);
        }
        return std::make_unique<Input>(m_files.at(path));
    }
    [[nodiscard]] Result<Bytes> freeSpace(const std::string&) override { return Bytes{m_largest}; }
    [[nodiscard]] Result<std::uint64_t> volumeOf(const std::string&) override { return std::uint64_t{0}; }
    [[nodiscard]] tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override {
        if (existing == Existing::Refuse && has(to)) {
            return fail(ErrorCode::FileExists, to);
        }
        m_files[to] = m_files.at(from);
        m_files.erase(from);
        return {};
    }
    [[nodiscard]] tracedeck::Status remove(const std::string& path) override {
        m_files.erase(path);
        return {};
    }

private:
    using Hook = std::function<void(Content&)>;

    class Input final : public InputFile {
    public:
        explicit Input(std::shared_ptr<Content> bytes) : m_bytes(std::move(bytes)), m_size(m_bytes->size()) {}
        [[nodiscard]] std::uint64_t size() const noexcept override { return m_size; }
        [[nodiscard]] Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
            if (offset >= m_bytes->size()) {
                return std::size_t{0};
            }
            const auto from = std::span<const std::byte>(*m_bytes).subspan(static_cast<std::size_t>(offset));
            const std::size_t count = std::min(from.size(), into.size());
            std::copy_n(from.begin(), count, into.begin());
            return count;
        }

    private:
        std::shared_ptr<Content> m_bytes;
        std::uint64_t m_size;
    };
    class Output final : public OutputFile {
    public:
        Output(std::shared_ptr<Content> bytes, std::shared_ptr<Hook> hook, std::uint64_t largest)
            : m_bytes(std::move(bytes)), m_hook(std::move(hook)), m_largest(largest) {}
        [[nodiscard]] tracedeck::Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
            if (offset + data.size() > m_largest) {
                return fail(ErrorCode::DiskFull, "the file may not grow");
            }
            const std::size_t at = static_cast<std::size_t>(offset);
            m_bytes->resize(std::max(m_bytes->size(), at + data.size()));
            std::copy(data.begin(), data.end(), m_bytes->begin() + static_cast<std::ptrdiff_t>(at));
            if (*m_hook) {
                (*m_hook)(*m_bytes);
            }
            return {};
        }
        [[nodiscard]] tracedeck::Status resize(std::uint64_t size) override {
            m_bytes->resize(static_cast<std::size_t>(size));
            return {};
        }
        [[nodiscard]] tracedeck::Status sync() override { return {}; }
        [[nodiscard]] tracedeck::Status close() override { return {}; }

    private:
        std::shared_ptr<Content> m_bytes;
        std::shared_ptr<Hook> m_hook;
        std::uint64_t m_largest;
    };

    std::map<std::string, std::shared_ptr<Content>> m_files;
    std::shared_ptr<Hook> m_hook = std::make_shared<Hook>();
    std::uint64_t m_largest = std::uint64_t{1} << 40U;
};

} // namespace tracedeck::test

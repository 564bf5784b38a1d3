// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"

#include <atomic>
#include <memory>
#include <string>

namespace tracedeck::test {

/// The machine's files, but a volume that holds `capacity` bytes for all files created through it together; what goes
/// beyond fails with `failure` and is not written.
class FailingDevice final : public FileSystem {
public:
    explicit FailingDevice(Bytes capacity, Error failure = {ErrorCode::DiskFull, "injected: no space left", 28});
    /// Makes room, as a user who deletes something does.
    void free(Bytes more) { m_left->fetch_add(more.count); }
    /// Closing fails, as of a network file system that writes late.
    void refuseClose(bool isRefused) { *m_refusesClose = isRefused; }
    [[nodiscard]] Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override;
    [[nodiscard]] Result<std::unique_ptr<InputFile>> open(const std::string& path) override;
    [[nodiscard]] Result<Bytes> freeSpace(const std::string& path) override;
    [[nodiscard]] Result<std::uint64_t> volumeOf(const std::string& path) override;
    [[nodiscard]] tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override;
    [[nodiscard]] tracedeck::Status remove(const std::string& path) override;

private:
    class Output;
    std::shared_ptr<std::atomic<std::uint64_t>> m_left;
    std::shared_ptr<std::atomic<bool>> m_refusesClose = std::make_shared<std::atomic<bool>>(false);
    Error m_failure;
};

/// A clock that stands still until it is moved.
class ManualClock final : public Clock {
public:
    [[nodiscard]] Ticks ticks() const noexcept override { return m_ticks.load(); }
    [[nodiscard]] std::int64_t frequency() const noexcept override { return 1'000'000'000; }
    [[nodiscard]] FileTime wallTime() const noexcept override { return m_wall.load(); }
    /// Both clocks go on by `nanoseconds`.
    void advance(std::int64_t nanoseconds) {
        m_ticks += nanoseconds;
        m_wall += nanoseconds / 100;
    }

private:
    std::atomic<Ticks> m_ticks{1'000'000'000};
    std::atomic<FileTime> m_wall{kUnixEpoch + 17'000'000'000'000'000};
};

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/temporary_folder.h"

#include <atomic>
#include <string>
#include <thread>

namespace tracedeck::test {

/// A file system in user space that stops answering, as somebody's who means harm. One file, "file", whoever opens it.
///
/// Needs root and /dev/fuse. Ownership: the destructor ends the file system, and with it everybody's waiting.
class HangingFiles {
public:
    HangingFiles();
    ~HangingFiles();
    HangingFiles(const HangingFiles&) = delete;
    HangingFiles& operator=(const HangingFiles&) = delete;

    [[nodiscard]] bool isMounted() const noexcept { return m_isMounted; }
    /// An open descriptor of the file, to be closed when the file system has ended; -1: it failed.
    [[nodiscard]] int open() const;
    /// From now on nothing is answered.
    void hang() noexcept { m_isHanging = true; }
    /// Requests that were not answered.
    [[nodiscard]] int unanswered() const noexcept { return m_unanswered; }
    void end();

private:
    void serve();

    TemporaryFolder m_folder;
    int m_device = -1;
    bool m_isMounted = false;
    std::atomic<bool> m_isHanging{false};
    std::atomic<int> m_unanswered{0};
    std::thread m_thread;
};

} // namespace tracedeck::test

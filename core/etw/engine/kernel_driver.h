// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/kernel_source.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::etw::engine {

/// A kernel run whose calls are made on a thread of their own and waited for no longer than a limit, so that a source
/// that does not answer holds up nobody. From then on it is stalled: nothing of what it still does reaches the sink,
/// every call fails at once, and failure() says so.
///
/// Threading: as KernelRun. Ownership: the sink must outlive it. The source must outlive its thread: that of a run that
/// has stalled goes on, with the run and `owner`, until the call that it is in returns.
class KernelDriver {
public:
    /// KernelSource::start(). KernelSourceFailed where it does not answer, OutOfMemory where there is no thread.
    [[nodiscard]] static Result<std::unique_ptr<KernelDriver>> start(KernelSource& source, const KernelRequest& request,
                                                                     KernelSink& sink, std::chrono::milliseconds limit,
                                                                     std::shared_ptr<void> owner = {});
    /// Without stop() before, the run is destroyed all the same.
    ~KernelDriver();
    KernelDriver(const KernelDriver&) = delete;
    KernelDriver& operator=(const KernelDriver&) = delete;

    // KernelRun, with KernelSourceFailed or nothing done where it has stalled.
    void drain();
    void rundown();
    [[nodiscard]] Status mark(const std::string& text);
    [[nodiscard]] Status pause();
    [[nodiscard]] Status resume();
    [[nodiscard]] Status reconfigure(const KernelRequest& request);
    void stop();
    [[nodiscard]] std::optional<Error> failure();
    /// The last ones known, where it has stalled.
    [[nodiscard]] std::vector<Limitation> limitations();

private:
    class Door;
    struct Shared;
    explicit KernelDriver(std::chrono::milliseconds limit) : m_limit(limit) {}
    /// False where it has stalled, now or before.
    [[nodiscard]] bool call(std::function<void(Shared&)> job);
    [[nodiscard]] Status callForStatus(std::function<Status(KernelRun&)> job);
    [[nodiscard]] static Error stalledError();

    const std::chrono::milliseconds m_limit;
    std::shared_ptr<Shared> m_shared;
    std::thread m_thread;
    bool m_isStalled = false;
    std::vector<Limitation> m_limitations;
};

} // namespace tracedeck::etw::engine

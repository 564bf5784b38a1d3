// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/engine/kernel_source.h"
#include "core/sources/linux/kernel_symbols.h"
#include "core/sources/linux/perf_api.h"
#include "core/sources/linux/proc_files.h"
#include "core/sources/linux/served_events.h"

#include <mutex>
#include <optional>

namespace tracedeck::linux_source {

struct RunPlan;

/// The Linux kernel as a source of NT kernel events: processes, threads, images, sampled profile, context switches and
/// wakes from perf_event, tracefs and /proc. mapping.h says what becomes what.
///
/// Processors that come online while it records are recorded from then on, within a second or two (ProcessorWatch).
///
/// Threading: as KernelSource. Ownership: `perf` and `clock` must outlive it and its runs; the clock must be the
/// machine's monotonic one in nanoseconds, with which the kernel stamps the records.
class LinuxKernelSource final : public etw::engine::KernelSource {
public:
    struct Environment {
        const Clock* clock = nullptr;
        PerfApi* perf = nullptr; ///< null: the kernel of this machine
        Roots roots;
    };
    explicit LinuxKernelSource(Environment environment);

    [[nodiscard]] etw::Capabilities capabilities() const override;
    [[nodiscard]] etlformat::TraceIdentity identity() const override;
    [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest& request,
                                                                        etw::engine::KernelSink& sink) override;

private:
    [[nodiscard]] Result<RunPlan> plan(const etw::engine::KernelRequest& request);
    /// Probing tracepoints takes a tenth of a second (the kernel waits for all processors to let go of them), so what
    /// was found to be served in full is asked again only when this process's rights have changed.
    [[nodiscard]] ServedEvents served(const Machine& machine) const;

    Environment m_environment;
    struct Probed {
        std::optional<int> perfEventParanoid;
        bool mayRecordAll = false;
        ServedEvents served;
    };
    mutable std::mutex m_mutex; ///< guards m_probed
    mutable std::optional<Probed> m_probed;
    KernelSymbols m_kernel;
};

} // namespace tracedeck::linux_source

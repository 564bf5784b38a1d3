// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/kernel_source.h"

#include <mutex>

namespace tracedeck::host {

/// One kernel source for the engines of all users: what it has found out about the machine is found out once.
///
/// Threading: several engines' control threads; runs are independent of each other. Ownership: `source` must outlive
/// it.
class SharedKernelSource final : public etw::engine::KernelSource {
public:
    SharedKernelSource(etw::engine::KernelSource& source, std::mutex& starting)
        : m_source(source), m_starting(starting) {}

    [[nodiscard]] etw::Capabilities capabilities() const override { return m_source.capabilities(); }
    [[nodiscard]] etlformat::TraceIdentity identity() const override {
        const std::lock_guard lock(m_starting);
        return m_source.identity();
    }
    [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest& request,
                                                                        etw::engine::KernelSink& sink) override {
        const std::lock_guard lock(m_starting);
        return m_source.start(request, sink);
    }

private:
    etw::engine::KernelSource& m_source;
    std::mutex& m_starting;
};

} // namespace tracedeck::host

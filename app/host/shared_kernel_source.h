// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/kernel_source.h"

#include <chrono>
#include <memory>
#include <mutex>
#include <utility>

namespace tracedeck::host {

/// A kernel source that the engines of all users share: what it has found out about the machine is found out once. One
/// that does not answer a user's start keeps other users from starting, with an error, and from nothing else.
///
/// Threading: several engines' control threads; runs are independent of each other. Ownership: what it holds lives as
/// long as the last engine's share of it.
class SharedKernelSource final : public etw::engine::KernelSource {
public:
    struct Common {
        explicit Common(std::unique_ptr<etw::engine::KernelSource> common)
            : source(std::move(common)), identity(source->identity()) {}
        std::unique_ptr<etw::engine::KernelSource> source;
        etlformat::TraceIdentity identity;
        std::timed_mutex starting;
    };
    explicit SharedKernelSource(std::shared_ptr<Common> common) : m_common(std::move(common)) {}

    [[nodiscard]] etw::Capabilities capabilities() const override { return m_common->source->capabilities(); }
    [[nodiscard]] etlformat::TraceIdentity identity() const override { return m_common->identity; }
    [[nodiscard]] Result<std::unique_ptr<etw::engine::KernelRun>> start(const etw::engine::KernelRequest& request,
                                                                        etw::engine::KernelSink& sink) override {
        constexpr std::chrono::seconds kPatience{30};
        const std::unique_lock lock(m_common->starting, kPatience);
        if (!lock) {
            return fail(ErrorCode::KernelSourceFailed, "the kernel's events do not start for another user either");
        }
        return m_common->source->start(request, sink);
    }

private:
    std::shared_ptr<Common> m_common;
};

} // namespace tracedeck::host

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etw/engine/engine.h"
#include "core/etw/engine/kernel_source.h"
#include "core/etw/remote/server.h"

#include <cstdint>
#include <memory>
#include <string>

namespace tracedeck::host {

/// Whose rings lie where (ring_store.h); an empty folder: in the host's own memory, and they end with it.
struct RingPlace {
    std::string folder{};
    std::uint32_t owner = 0;
};

/// A user's share of the host: an embedded engine, with a kernel source of its own where sessions may record the
/// kernel. What its sessions hold in memory outlives it, in the folder for rings.
///
/// Threading: as the engine. Ownership: `clock` must outlive it.
class EngineBackend final : public etw::remote::Backend {
public:
    /// `kernel` may be null.
    EngineBackend(const Clock& clock, Bytes mostDisk, std::unique_ptr<etw::engine::KernelSource> kernel,
                  const RingPlace& rings = {})
        : m_files(mostDisk), m_kernel(std::move(kernel)), m_engine(environment(clock, rings)) {}

    [[nodiscard]] etw::Controller& controller() noexcept override { return m_engine; }
    [[nodiscard]] etw::remote::DescriptorFiles& files() noexcept override { return m_files; }
    [[nodiscard]] std::unique_ptr<etw::EventWriter> registerProvider(std::string name,
                                                                     std::uint32_t processId) override {
        return m_engine.registerProviderOf(processId, std::move(name));
    }

private:
    [[nodiscard]] etw::engine::Engine::Environment environment(const Clock& clock, const RingPlace& rings) {
        etw::engine::Engine::Environment all{&clock, &m_files, m_kernel.get()};
        all.kernelOwner = m_kernel;
        all.ringFolder = rings.folder;
        all.ownerOf = [owner = rings.owner](const etw::SessionConfig&) { return owner; };
        // A host that is asked to end is no client that gives up its recording.
        all.ringsAtEnd = etw::engine::Engine::Environment::Rings::Left;
        return all;
    }

    etw::remote::DescriptorFiles m_files;
    std::shared_ptr<etw::engine::KernelSource> m_kernel;
    etw::engine::Engine m_engine; ///< last: it goes before what it uses
};

} // namespace tracedeck::host

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/controller.h"
#include "core/etw/event_writer.h"
#include "core/etw/remote/authority.h"
#include "core/etw/remote/descriptor.h"
#include "core/etw/remote/descriptor_files.h"
#include "core/etw/remote/left_rings.h"
#include "core/etw/remote/limits.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tracedeck::etw::remote {

/// The sessions of one user. Each has a controller of his own, so that neither his files nor his providers nor the time
/// that his requests take are anybody else's concern.
class Backend {
public:
    virtual ~Backend() = default;
    [[nodiscard]] virtual Controller& controller() noexcept = 0;
    /// Where the controller's sessions get their files.
    [[nodiscard]] virtual DescriptorFiles& files() noexcept = 0;
    /// A provider of the user's process `processId`.
    [[nodiscard]] virtual std::unique_ptr<EventWriter> registerProvider(std::string name, std::uint32_t processId) = 0;
};

/// The side of a session host: takes connections, carries out what clients ask for within their rights and limits, and
/// keeps their sessions when they are gone.
///
/// A client sees and controls the sessions of its own user, user 0 those of all. Of a client nothing is believed that
/// the kernel does not say: user and process come from the connection; files come as descriptors, which checkOffered()
/// looks at; a message that is malformed, or has a descriptor too many, ends the connection. Providers are a user's
/// own: no session of another user gets their events, be the name the same.
///
/// What sessions in memory have left when their host was killed is their users' to save and to discard (left_rings.h).
///
/// A system logger needs the Authority's consent. Log files of mode NEWFILE are refused (NotSupported), since only the
/// client can open them.
///
/// Threading: run() and step() on one thread; stop() and adopt() from any. Ownership: setup.authority must outlive it.
/// The destructor ends all sessions as their controllers do.
class Server {
public:
    struct Setup {
        std::function<std::unique_ptr<Backend>(std::uint32_t user)> backend;
        Authority* authority = nullptr;
        std::shared_ptr<LeftRings> rings{}; ///< null: none are left
        Limits limits;
        std::uint32_t processors = 1;
        /// run() ends when there was neither a client nor a session for so long.
        std::optional<std::chrono::milliseconds> idleTimeout;
    };
    explicit Server(Setup setup);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Before run().
    void listen(Descriptor listener);
    /// Takes a client that is connected already.
    void adopt(Descriptor connection);

    enum class End : std::uint8_t {
        Stopped, ///< stop(), or `until` can be read
        Idle,
    };
    /// `until`: a descriptor that ends it, a signalfd; -1: none.
    End run(int until = -1);
    /// Waits up to `most` for something to happen and does what is to be done. Nothing: go on.
    std::optional<End> step(std::chrono::milliseconds most, int until = -1);
    void stop() noexcept;

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace tracedeck::etw::remote

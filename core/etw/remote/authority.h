// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/controller.h"
#include "core/etw/remote/descriptor.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tracedeck::etw::remote {

/// Who has connected, as the kernel says (SO_PEERCRED): as it was when it connected.
struct Peer {
    std::uint32_t uid = 0;
    std::uint32_t gid = 0;
    std::uint32_t pid = 0;
    std::vector<std::uint32_t> groups; ///< supplementary ones (SO_PEERGROUPS)
    Descriptor process; ///< a pidfd, so that the process id cannot have become another's meanwhile; may be none
};

/// Decides who may record the whole machine: other people's command lines and addresses of the kernel are in that.
///
/// Threading: asked on the server's thread, must not block it; answers on any thread, exactly once.
class Authority {
public:
    virtual ~Authority() = default;
    /// AccessDenied with the reason where `peer` may not. A person may be asked for a password meanwhile.
    virtual void recordSystem(std::shared_ptr<const Peer> peer, Completion<void> done) = 0;
};

} // namespace tracedeck::etw::remote

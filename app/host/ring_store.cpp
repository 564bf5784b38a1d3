// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/host/ring_store.h"

#include "core/base/guid.h"
#include "core/etw/engine/shared_ring.h"
#include "core/etw/remote/descriptor.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <spdlog/spdlog.h>

#include <cerrno>
#include <cstdio>
#include <utility>

namespace tracedeck::host {
namespace {

/// Whether the folder is there and this process's user's alone.
Status checkRingFolder(const std::string& path) {
    const etw::remote::Descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!folder.isOpen() || ::fstat(folder.get(), &status) != 0) {
        return fail(errnoError(errno, "folder for rings " + path));
    }
    if (status.st_uid != ::geteuid() || (status.st_mode & 0077U) != 0) {
        return fail(ErrorCode::AccessDenied, "folder for rings " + path + ": it is not this user's alone");
    }
    return {};
}

} // namespace

std::string usualRingFolder() {
    return "/dev/shm/tracedeck-host-" + std::to_string(::geteuid());
}

Status prepareRingFolder(const std::string& folder, Foreign foreign) {
    constexpr mode_t kOwnerAlone = 0700;
    if (::mkdir(folder.c_str(), kOwnerAlone) == 0 || errno != EEXIST) {
        return checkRingFolder(folder);
    }
    Status checked = checkRingFolder(folder);
    struct stat there {};
    if (checked || foreign == Foreign::IsRefused || ::lstat(folder.c_str(), &there) != 0 ||
        there.st_uid == ::geteuid()) {
        return checked;
    }
    // Anybody may have been first in /dev/shm. Root, whose folder that is, is not stopped by it.
    const std::string aside = folder + "-" + toString(randomGuid());
    if (::rename(folder.c_str(), aside.c_str()) != 0) {
        return checked;
    }
    spdlog::warn("{}: it was moved to {}", checked.error().detail, aside);
    if (::mkdir(folder.c_str(), kOwnerAlone) != 0) {
        return fail(errnoError(errno, "create the folder for rings " + folder));
    }
    return checkRingFolder(folder);
}

std::vector<etw::remote::LeftRings::Kept> RingStore::list() {
    const std::lock_guard lock(m_looking);
    std::vector<Kept> kept;
    for (etw::engine::LeftRing& each : etw::engine::leftRings(m_folder)) {
        kept.push_back(
            {{each.description.session, std::move(each.description.sessionName), each.description.owner, each.size},
             std::move(each.path)});
    }
    return kept;
}

Status RingStore::save(const std::string& place, FileSystem& files, const std::string& target,
                       const std::stop_token& stop) {
    const auto saved = etw::engine::saveLeftRing(files, m_clock, place, target, stop);
    if (!saved) {
        return fail(saved.error());
    }
    spdlog::info("a ring is saved: {} events, {} lost, {} overwritten", saved->events, saved->eventsLost,
                 saved->eventsOverwritten);
    return {};
}

Status RingStore::discard(const std::string& place) {
    const std::lock_guard lock(m_looking);
    return etw::engine::discardLeftRing(place);
}

} // namespace tracedeck::host

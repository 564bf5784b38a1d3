// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/trace_fs.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace tracedeck::linux_source {
namespace {

// From linux/mount.h, which C libraries of Debian 12's age do not wrap.
constexpr unsigned kFsopenCloexec = 1;
constexpr unsigned kFsconfigCmdCreate = 6;
constexpr unsigned kFsmountCloexec = 1;
constexpr long kSysFsopen = 430;
constexpr long kSysFsconfig = 431;
constexpr long kSysFsmount = 432;

int openFolder(const std::string& path) {
    return ::open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC);
}

int detachedMount() {
    const int context = static_cast<int>(::syscall(kSysFsopen, "tracefs", kFsopenCloexec));
    if (context < 0) {
        return -errno;
    }
    int mount = -1;
    if (::syscall(kSysFsconfig, context, kFsconfigCmdCreate, nullptr, nullptr, 0) == 0) {
        mount = static_cast<int>(::syscall(kSysFsmount, context, kFsmountCloexec, 0));
    }
    const int error = errno;
    ::close(context);
    return mount < 0 ? -error : mount;
}

} // namespace

Result<TraceFs> TraceFs::open(const Roots& roots) {
    if (!roots.tracefs.empty()) {
        const int folder = openFolder(roots.tracefs);
        if (folder < 0) {
            return fail(errnoError(errno, "open " + roots.tracefs, ErrorCode::NotSupported));
        }
        return TraceFs(folder);
    }
    for (const std::string& path : {roots.sys + "/kernel/tracing", roots.sys + "/kernel/debug/tracing"}) {
        // The folder exists without the mount; its `events` does not.
        if (::access((path + "/events").c_str(), X_OK) == 0) {
            if (const int folder = openFolder(path); folder >= 0) {
                return TraceFs(folder);
            }
        }
    }
    const int mount = detachedMount();
    if (mount < 0) {
        return fail(errnoError(-mount, "fsopen/fsmount tracefs", ErrorCode::NotSupported));
    }
    return TraceFs(mount);
}

TraceFs::TraceFs(TraceFs&& other) noexcept : m_folder(std::exchange(other.m_folder, -1)) {}

TraceFs& TraceFs::operator=(TraceFs&& other) noexcept {
    std::swap(m_folder, other.m_folder);
    return *this;
}

TraceFs::~TraceFs() {
    if (m_folder >= 0) {
        ::close(m_folder);
    }
}

Result<TracepointFormat> TraceFs::format(const std::string& event) const {
    const std::string path = "events/" + event + "/format";
    const int fd = ::openat(m_folder, path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) {
        return fail(errnoError(errno, "open tracefs " + path, ErrorCode::NotSupported));
    }
    std::string text(64 * 1024, '\0');
    std::size_t size = 0;
    ssize_t count = 0;
    while (size < text.size() && (count = ::read(fd, text.data() + size, text.size() - size)) > 0) {
        size += static_cast<std::size_t>(count);
    }
    const int error = errno;
    ::close(fd);
    if (count < 0) {
        return fail(errnoError(error, "read tracefs " + path, ErrorCode::ReadFailed));
    }
    text.resize(size);
    return TracepointFormat::parse(text);
}

} // namespace tracedeck::linux_source

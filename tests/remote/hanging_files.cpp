// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/remote/hanging_files.h"

#include <fcntl.h>
#include <linux/fuse.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <vector>

namespace tracedeck::test {
namespace {

constexpr std::uint64_t kFile = 2;

fuse_attr attributesOf(std::uint64_t node) {
    fuse_attr attributes{};
    attributes.ino = node;
    attributes.mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755U : S_IFREG | 0666U;
    attributes.nlink = 1;
    attributes.blksize = 4096;
    return attributes;
}

template <class T>
void answer(int device, const fuse_in_header& request, const T& body) {
    fuse_out_header header{};
    header.len = sizeof(header) + sizeof(body);
    header.unique = request.unique;
    std::array<iovec, 2> parts{{{&header, sizeof(header)}, {const_cast<T*>(&body), sizeof(body)}}};
    [[maybe_unused]] const ssize_t written = ::writev(device, parts.data(), parts.size());
}

void refuse(int device, const fuse_in_header& request, int error) {
    fuse_out_header header{};
    header.len = sizeof(header);
    header.unique = request.unique;
    header.error = -error;
    [[maybe_unused]] const ssize_t written = ::write(device, &header, sizeof(header));
}

void answerTo(int device, const fuse_in_header& request) {
    switch (request.opcode) {
    case FUSE_INIT: {
        fuse_init_out out{};
        out.major = FUSE_KERNEL_VERSION;
        out.minor = 31;
        out.max_write = 4096;
        answer(device, request, out);
        break;
    }
    case FUSE_GETATTR: {
        fuse_attr_out out{};
        out.attr = attributesOf(request.nodeid);
        answer(device, request, out);
        break;
    }
    case FUSE_LOOKUP: {
        fuse_entry_out out{};
        out.nodeid = kFile;
        out.attr = attributesOf(kFile);
        answer(device, request, out);
        break;
    }
    case FUSE_OPEN: {
        fuse_open_out out{};
        out.fh = 1;
        answer(device, request, out);
        break;
    }
    case FUSE_FORGET:
    case FUSE_INTERRUPT:
        break; // not answered by anybody
    default:
        refuse(device, request, ENOTSUP); // not ENOSYS, after which it would not be asked again
        break;
    }
}

} // namespace

HangingFiles::HangingFiles() : m_device(::open("/dev/fuse", O_RDWR | O_CLOEXEC)) {
    if (m_device < 0) {
        return;
    }
    const std::string options = "fd=" + std::to_string(m_device) + ",rootmode=40755,user_id=0,group_id=0,allow_other";
    m_isMounted = ::mount("test", m_folder.path().c_str(), "fuse", MS_NOSUID | MS_NODEV, options.c_str()) == 0;
    m_thread = std::thread([this] { serve(); });
}

HangingFiles::~HangingFiles() {
    end();
}

int HangingFiles::open() const {
    return ::open(m_folder.file("file").c_str(), O_RDWR | O_CLOEXEC);
}

void HangingFiles::end() {
    if (m_isMounted) {
        // Aborts the connection: what waits gets an error, and so does the thread.
        ::umount2(m_folder.path().c_str(), MNT_FORCE);
        ::umount2(m_folder.path().c_str(), MNT_DETACH);
        m_isMounted = false;
    }
    if (m_thread.joinable()) {
        m_thread.join();
    }
    if (m_device >= 0) {
        ::close(m_device);
        m_device = -1;
    }
}

void HangingFiles::serve() {
    std::vector<char> room(1 << 17);
    while (true) {
        const ssize_t size = ::read(m_device, room.data(), room.size());
        if (size < 0 && (errno == EINTR || errno == ENOENT)) {
            continue;
        }
        fuse_in_header request{};
        if (size < static_cast<ssize_t>(sizeof(request))) {
            return; // unmounted, or never mounted
        }
        std::memcpy(&request, room.data(), sizeof(request));
        if (m_isHanging) {
            ++m_unanswered;
        } else {
            answerTo(m_device, request);
        }
    }
}

} // namespace tracedeck::test

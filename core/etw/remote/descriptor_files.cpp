// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/remote/descriptor_files.h"

#include "core/etw/types.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>

namespace tracedeck::etw::remote {
namespace {

constexpr std::uint64_t kUnlimited = std::numeric_limits<std::uint64_t>::max();

// Not in <linux/magic.h>.
constexpr std::uint64_t kZfs = 0x2FC12FC1;
constexpr std::uint64_t kBcachefs = 0xCA451A4E;
constexpr std::array<std::uint64_t, 8> kLocal{
    EXT4_SUPER_MAGIC, XFS_SUPER_MAGIC, BTRFS_SUPER_MAGIC,    F2FS_SUPER_MAGIC, kZfs,
    kBcachefs,        TMPFS_MAGIC,     OVERLAYFS_SUPER_MAGIC};

/// Anybody can make one of these in a user namespace, on top of what he likes; only those that this host sees mounted
/// were made by an administrator. (A memfd is on a tmpfs that is mounted nowhere.)
bool isOfAnyonesMaking(std::uint64_t magic) {
    return magic == TMPFS_MAGIC || magic == OVERLAYFS_SUPER_MAGIC;
}

/// The kind of the file system of that device, as it is mounted where this process runs; empty: nowhere.
std::string kindOfMount(unsigned deviceMajor, unsigned deviceMinor) {
    // 36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue (proc(5))
    const std::string wanted = std::to_string(deviceMajor) + ":" + std::to_string(deviceMinor);
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string word;
        for (int field = 0; field < 3; ++field) {
            words >> word;
        }
        if (word != wanted) {
            continue;
        }
        while (words >> word && word != "-") {
        }
        words >> word;
        return word;
    }
    return {};
}

bool isMountedHere(dev_t device) {
    return !kindOfMount(major(device), minor(device)).empty();
}

tl::unexpected<Error> refused(const char* why) {
    return fail(ErrorCode::AccessDenied, std::string("the file offered: ") + why, win32::kAccessDenied);
}

Status checkFileSystem(int file, const struct stat& status) {
    struct statfs volume {};
    if (::fstatfs(file, &volume) != 0) {
        return fail(errnoError(errno, "the file offered: fstatfs"));
    }
    const auto magic = static_cast<std::uint64_t>(static_cast<std::uint32_t>(volume.f_type));
    if (std::find(kLocal.begin(), kLocal.end(), magic) == kLocal.end()) {
        return refused("it is not on a local file system that the host writes to");
    }
    if (isOfAnyonesMaking(magic) && !isMountedHere(status.st_dev)) {
        return refused("it is on a file system that is not mounted where the host runs");
    }
    return {};
}

} // namespace

bool mayWait(int file) {
    // Asked for nothing, and not to be brought up to date: what is known without asking whoever serves the file.
    struct statx known {};
    if (::statx(file, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, 0, &known) != 0) {
        return true;
    }
    if (known.stx_dev_major != 0) {
        return false; // on a device
    }
    constexpr std::array<std::string_view, 7> kKernels{"tmpfs", "devtmpfs", "ramfs", "proc", "sysfs", "btrfs", "zfs"};
    const std::string kind = kindOfMount(known.stx_dev_major, known.stx_dev_minor);
    // An overlay that is mounted here lies on what the administrator has chosen.
    return kind != "overlay" && std::find(kKernels.begin(), kKernels.end(), kind) == kKernels.end();
}

Status checkOffered(int file, std::uint32_t owner) {
    const int flags = ::fcntl(file, F_GETFL);
    struct stat status {};
    if (flags < 0 || ::fstat(file, &status) != 0) {
        return fail(errnoError(errno, "the file offered"));
    }
    if (!S_ISREG(status.st_mode)) {
        return refused("it is no regular file");
    }
    if (status.st_uid != owner) {
        return refused("it belongs to somebody else");
    }
    if ((flags & O_ACCMODE) != O_RDWR || (flags & (O_APPEND | O_PATH)) != 0) {
        return refused("it is not open for reading and writing anywhere in it");
    }
    return checkFileSystem(file, status);
}

/// What the open files of a user have grown by.
class DescriptorFiles::Account {
public:
    explicit Account(Bytes most) : m_most(most.count == 0 ? kUnlimited : most.count) {}
    [[nodiscard]] bool take(std::uint64_t bytes) noexcept {
        std::uint64_t used = m_used.load();
        do {
            if (bytes > m_most - used) {
                return false;
            }
        } while (!m_used.compare_exchange_weak(used, used + bytes));
        return true;
    }
    void giveBack(std::uint64_t bytes) noexcept { m_used.fetch_sub(bytes); }

private:
    const std::uint64_t m_most;
    std::atomic<std::uint64_t> m_used{0}; ///< never more than m_most
};

/// One name, with its descriptor or the reason why there is none.
struct DescriptorFiles::Entry {
    std::string path;
    Descriptor file;
    std::optional<Error> whyNot;
    std::atomic<bool> isTaken{false};
};

class DescriptorFiles::Output final : public OutputFile {
public:
    Output(std::shared_ptr<Entry> entry, std::shared_ptr<Account> account, Descriptor file, std::uint64_t size)
        : m_entry(std::move(entry)), m_account(std::move(account)), m_file(std::move(file)), m_begin(size),
          m_end(size) {}
    ~Output() override {
        m_account->giveBack(m_end - m_begin);
        m_entry->isTaken = false;
    }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
        if (Status room = grow(offset + data.size()); !room) {
            return room;
        }
        while (!data.empty()) {
            const ssize_t done = ::pwrite(m_file.get(), data.data(), data.size(), static_cast<off_t>(offset));
            if (done < 0 && errno == EINTR) {
                continue;
            }
            if (done < 0) {
                return fail(errnoError(errno, "write " + m_entry->path, ErrorCode::WriteFailed));
            }
            data = data.subspan(static_cast<std::size_t>(done));
            offset += static_cast<std::uint64_t>(done);
        }
        return {};
    }
    Status resize(std::uint64_t size) override {
        if (Status room = grow(size); !room) {
            return room;
        }
        if (::ftruncate(m_file.get(), static_cast<off_t>(size)) != 0) {
            return fail(errnoError(errno, "resize " + m_entry->path, ErrorCode::WriteFailed));
        }
        const std::uint64_t end = std::max(size, m_begin);
        m_account->giveBack(m_end - end);
        m_end = end;
        return {};
    }
    Status sync() override {
        if (::fsync(m_file.get()) != 0) {
            return fail(errnoError(errno, "sync " + m_entry->path, ErrorCode::WriteFailed));
        }
        return {};
    }
    Status close() override {
        if (const int fd = m_file.release(); fd >= 0 && ::close(fd) != 0) {
            return fail(errnoError(errno, "close " + m_entry->path, ErrorCode::WriteFailed));
        }
        return {};
    }

private:
    Status grow(std::uint64_t end) {
        if (end <= m_end) {
            return {};
        }
        if (!m_account->take(end - m_end)) {
            return fail(ErrorCode::DiskFull, m_entry->path + ": the host writes no more for this user at a time",
                        win32::kDiskFull);
        }
        m_end = end;
        return {};
    }

    const std::shared_ptr<Entry> m_entry;
    const std::shared_ptr<Account> m_account;
    Descriptor m_file;
    const std::uint64_t m_begin; ///< what the client had written itself
    std::uint64_t m_end;         ///< the farthest that was accounted for
};

class DescriptorFiles::Input final : public InputFile {
public:
    Input(std::shared_ptr<Entry> entry, std::uint64_t size) : m_entry(std::move(entry)), m_size(size) {}
    std::uint64_t size() const noexcept override { return m_size; }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
        std::size_t total = 0;
        while (total < into.size()) {
            const ssize_t done = ::pread(m_entry->file.get(), into.data() + total, into.size() - total,
                                         static_cast<off_t>(offset + total));
            if (done < 0 && errno == EINTR) {
                continue;
            }
            if (done < 0) {
                return fail(errnoError(errno, "read " + m_entry->path, ErrorCode::ReadFailed));
            }
            if (done == 0) {
                break;
            }
            total += static_cast<std::size_t>(done);
        }
        return total;
    }

private:
    const std::shared_ptr<Entry> m_entry;
    const std::uint64_t m_size;
};

DescriptorFiles::DescriptorFiles(Bytes mostDisk) : m_account(std::make_shared<Account>(mostDisk)) {}

DescriptorFiles::~DescriptorFiles() = default;

Result<DescriptorFiles::Offer> DescriptorFiles::offer(const std::string& path, Descriptor file) {
    auto entry = std::make_shared<Entry>();
    entry->path = path;
    entry->file = std::move(file);
    return add(std::move(entry));
}

Result<DescriptorFiles::Offer> DescriptorFiles::offer(const std::string& path, Error whyNot) {
    auto entry = std::make_shared<Entry>();
    entry->path = path;
    entry->whyNot = std::move(whyNot);
    return add(std::move(entry));
}

Result<DescriptorFiles::Offer> DescriptorFiles::add(std::shared_ptr<Entry> entry) {
    const std::lock_guard lock(m_mutex);
    std::erase_if(m_entries, [](const auto& each) { return each.second.expired(); });
    if (!m_entries.try_emplace(entry->path, entry).second) {
        return fail(ErrorCode::SessionNameTaken, entry->path + " is in use already", win32::kBadPathname);
    }
    Offer offer;
    offer.m_kept = std::make_shared<std::shared_ptr<Entry>>(std::move(entry));
    return offer;
}

std::shared_ptr<DescriptorFiles::Entry> DescriptorFiles::find(const std::string& path) {
    const std::lock_guard lock(m_mutex);
    const auto found = m_entries.find(path);
    return found == m_entries.end() ? nullptr : found->second.lock();
}

Result<std::unique_ptr<OutputFile>> DescriptorFiles::create(const std::string& path, Existing existing) {
    std::shared_ptr<Entry> entry = find(path);
    if (!entry) {
        return fail(ErrorCode::AccessDenied, "create " + path + ": the client has offered no file of that name",
                    win32::kAccessDenied);
    }
    if (entry->whyNot) {
        return fail(*entry->whyNot);
    }
    struct stat status {};
    if (::fstat(entry->file.get(), &status) != 0) {
        return fail(errnoError(errno, "create " + path, ErrorCode::WriteFailed));
    }
    if ((existing == Existing::Refuse && status.st_size != 0) || entry->isTaken.exchange(true)) {
        return fail(errnoError(EEXIST, "create " + path, ErrorCode::WriteFailed));
    }
    Descriptor file(::fcntl(entry->file.get(), F_DUPFD_CLOEXEC, 0));
    if (!file.isOpen() || (existing == Existing::Replace && ::ftruncate(file.get(), 0) != 0)) {
        const int cause = errno;
        entry->isTaken = false;
        return fail(errnoError(cause, "create " + path, ErrorCode::WriteFailed));
    }
    const std::uint64_t size = existing == Existing::Keep ? static_cast<std::uint64_t>(status.st_size) : 0;
    return std::make_unique<Output>(std::move(entry), m_account, std::move(file), size);
}

Result<std::unique_ptr<InputFile>> DescriptorFiles::open(const std::string& path) {
    std::shared_ptr<Entry> entry = find(path);
    if (entry && entry->whyNot) {
        return fail(*entry->whyNot);
    }
    struct stat status {};
    if (entry && ::fstat(entry->file.get(), &status) != 0) {
        return fail(errnoError(errno, "open " + path, ErrorCode::ReadFailed));
    }
    if (!entry || status.st_size == 0) {
        return fail(errnoError(ENOENT, "open " + path, ErrorCode::ReadFailed));
    }
    return std::make_unique<Input>(std::move(entry), static_cast<std::uint64_t>(status.st_size));
}

Result<Bytes> DescriptorFiles::freeSpace(const std::string& path) {
    const std::shared_ptr<Entry> entry = find(path);
    struct statvfs volume {};
    if (!entry || !entry->file.isOpen() || ::fstatvfs(entry->file.get(), &volume) != 0) {
        return fail(errnoError(entry ? errno : ENOENT, "free space of " + path, ErrorCode::ReadFailed));
    }
    // What the host allows this user is none of the volume's: where it ends growing fails with DiskFull.
    return Bytes{std::uint64_t{volume.f_bavail} * volume.f_frsize};
}

Result<std::uint64_t> DescriptorFiles::volumeOf(const std::string& path) {
    const std::shared_ptr<Entry> entry = find(path);
    struct stat status {};
    if (!entry || !entry->file.isOpen() || ::fstat(entry->file.get(), &status) != 0) {
        return fail(errnoError(entry ? errno : ENOENT, "volume of " + path, ErrorCode::ReadFailed));
    }
    return std::uint64_t{status.st_dev};
}

Status DescriptorFiles::rename(const std::string& from, const std::string&, Existing) {
    return fail(ErrorCode::NotSupported, "rename " + from + ": a host knows no names of files");
}

Status DescriptorFiles::remove(const std::string& path) {
    const std::shared_ptr<Entry> entry = find(path);
    if (entry && entry->file.isOpen() && ::ftruncate(entry->file.get(), 0) != 0) {
        return fail(errnoError(errno, "remove " + path, ErrorCode::WriteFailed));
    }
    return {};
}

} // namespace tracedeck::etw::remote

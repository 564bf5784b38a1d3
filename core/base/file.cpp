// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/file.h"

#include "core/base/utf.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <limits>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <windows.h>
#else
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>
#endif

namespace tracedeck {
namespace {

#ifdef _WIN32

std::wstring wide(const std::string& path) {
    const std::u16string text = toUtf16(path);
    return {text.begin(), text.end()};
}

Error lastError(std::string what, ErrorCode otherwise) {
    const DWORD native = GetLastError();
    ErrorCode code = otherwise;
    switch (native) {
    case ERROR_FILE_NOT_FOUND:
        code = ErrorCode::FileNotFound;
        break;
    case ERROR_PATH_NOT_FOUND:
        code = ErrorCode::FolderNotFound;
        break;
    case ERROR_FILE_EXISTS:
    case ERROR_ALREADY_EXISTS:
        code = ErrorCode::FileExists;
        break;
    case ERROR_ACCESS_DENIED:
    case ERROR_SHARING_VIOLATION:
    case ERROR_WRITE_PROTECT:
        code = ErrorCode::AccessDenied;
        break;
    case ERROR_DISK_FULL:
    case ERROR_HANDLE_DISK_FULL:
        code = ErrorCode::DiskFull;
        break;
    default:
        break;
    }
    what += ": Win32 error " + std::to_string(native);
    return Error{code, std::move(what), native};
}

class Handle {
public:
    explicit Handle(HANDLE handle) : m_handle(handle) {}
    Handle(const Handle&) = delete;
    Handle& operator=(const Handle&) = delete;
    ~Handle() { static_cast<void>(close()); }
    [[nodiscard]] HANDLE get() const { return m_handle; }
    bool close() {
        const HANDLE handle = m_handle;
        m_handle = INVALID_HANDLE_VALUE;
        return handle == INVALID_HANDLE_VALUE || CloseHandle(handle) != 0;
    }

private:
    HANDLE m_handle;
};

OVERLAPPED overlappedAt(std::uint64_t offset) {
    OVERLAPPED place{};
    place.Offset = static_cast<DWORD>(offset);
    place.OffsetHigh = static_cast<DWORD>(offset >> 32U);
    return place;
}

constexpr std::size_t kLargestTransfer = 1U << 30U;

class WindowsOutput final : public OutputFile {
public:
    WindowsOutput(HANDLE handle, std::string path) : m_handle(handle), m_path(std::move(path)) {}
    Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
        while (!data.empty()) {
            OVERLAPPED place = overlappedAt(offset);
            DWORD done = 0;
            const auto part = static_cast<DWORD>(std::min(data.size(), kLargestTransfer));
            if (WriteFile(m_handle.get(), data.data(), part, &done, &place) == 0) {
                return fail(lastError("write " + m_path, ErrorCode::WriteFailed));
            }
            data = data.subspan(done);
            offset += done;
        }
        return {};
    }
    Status resize(std::uint64_t size) override {
        LARGE_INTEGER end;
        end.QuadPart = static_cast<LONGLONG>(size);
        if (SetFilePointerEx(m_handle.get(), end, nullptr, FILE_BEGIN) == 0 || SetEndOfFile(m_handle.get()) == 0) {
            return fail(lastError("resize " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }
    Status sync() override {
        if (FlushFileBuffers(m_handle.get()) == 0) {
            return fail(lastError("flush " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }
    Status close() override {
        if (!m_handle.close()) {
            return fail(lastError("close " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }

private:
    Handle m_handle;
    std::string m_path;
};

class WindowsInput final : public InputFile {
public:
    WindowsInput(HANDLE handle, std::string path, std::uint64_t size)
        : m_handle(handle), m_path(std::move(path)), m_size(size) {}
    std::uint64_t size() const noexcept override { return m_size; }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
        std::size_t total = 0;
        while (total < into.size() && offset + total < m_size) {
            OVERLAPPED place = overlappedAt(offset + total);
            DWORD done = 0;
            const auto part = static_cast<DWORD>(std::min(into.size() - total, kLargestTransfer));
            if (ReadFile(m_handle.get(), into.data() + total, part, &done, &place) == 0) {
                if (GetLastError() == ERROR_HANDLE_EOF) {
                    break;
                }
                return fail(lastError("read " + m_path, ErrorCode::ReadFailed));
            }
            if (done == 0) {
                break;
            }
            total += done;
        }
        return total;
    }

private:
    Handle m_handle;
    std::string m_path;
    std::uint64_t m_size;
};

DWORD dispositionOf(FileSystem::Existing existing) {
    switch (existing) {
    case FileSystem::Existing::Refuse:
        return CREATE_NEW;
    case FileSystem::Existing::Replace:
        return CREATE_ALWAYS;
    case FileSystem::Existing::Keep:
        return OPEN_ALWAYS;
    }
    return CREATE_NEW;
}

class WindowsFiles final : public FileSystem {
public:
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        const HANDLE handle = CreateFileW(wide(path).c_str(), GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, nullptr,
                                          dispositionOf(existing), FILE_ATTRIBUTE_NORMAL, nullptr);
        if (handle == INVALID_HANDLE_VALUE) {
            return fail(lastError("create " + path, ErrorCode::WriteFailed));
        }
        return std::make_unique<WindowsOutput>(handle, path);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        const HANDLE handle = CreateFileW(wide(path).c_str(), GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, nullptr,
                                          OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, nullptr);
        if (handle == INVALID_HANDLE_VALUE) {
            return fail(lastError("open " + path, ErrorCode::ReadFailed));
        }
        LARGE_INTEGER size;
        if (GetFileSizeEx(handle, &size) == 0) {
            const Error error = lastError("size of " + path, ErrorCode::ReadFailed);
            CloseHandle(handle);
            return fail(error);
        }
        return std::make_unique<WindowsInput>(handle, path, static_cast<std::uint64_t>(size.QuadPart));
    }
    Result<Bytes> freeSpace(const std::string& path) override {
        std::error_code ignored;
        const std::filesystem::path given(wide(path));
        const std::filesystem::path folder =
            std::filesystem::is_directory(given, ignored) ? given : given.parent_path();
        ULARGE_INTEGER available;
        if (GetDiskFreeSpaceExW(folder.c_str(), &available, nullptr, nullptr) == 0) {
            return fail(lastError("free space of " + path, ErrorCode::ReadFailed));
        }
        return Bytes{available.QuadPart};
    }
    Result<std::uint64_t> volumeOf(const std::string& path) override {
        std::array<wchar_t, MAX_PATH + 1> root{};
        DWORD serial = 0;
        if (GetVolumePathNameW(wide(path).c_str(), root.data(), static_cast<DWORD>(root.size())) == 0 ||
            GetVolumeInformationW(root.data(), nullptr, 0, &serial, nullptr, nullptr, nullptr, 0) == 0) {
            return fail(lastError("volume of " + path, ErrorCode::ReadFailed));
        }
        return serial;
    }
    Status rename(const std::string& from, const std::string& to, Existing existing) override {
        const DWORD flags = MOVEFILE_WRITE_THROUGH | (existing == Existing::Replace ? MOVEFILE_REPLACE_EXISTING : 0UL);
        if (MoveFileExW(wide(from).c_str(), wide(to).c_str(), flags) == 0) {
            return fail(lastError("rename " + from + " to " + to, ErrorCode::WriteFailed));
        }
        return {};
    }
    Status remove(const std::string& path) override {
        if (DeleteFileW(wide(path).c_str()) == 0 && GetLastError() != ERROR_FILE_NOT_FOUND) {
            return fail(lastError("remove " + path, ErrorCode::WriteFailed));
        }
        return {};
    }
};

using PlatformFiles = WindowsFiles;

std::uint32_t ownProcess() {
    return GetCurrentProcessId();
}

#else

class PosixOutput final : public OutputFile {
public:
    PosixOutput(int fd, std::string path) : m_fd(fd), m_path(std::move(path)) {}
    PosixOutput(const PosixOutput&) = delete;
    PosixOutput& operator=(const PosixOutput&) = delete;
    ~PosixOutput() override { static_cast<void>(PosixOutput::close()); }
    Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
        while (!data.empty()) {
            const ssize_t done = ::pwrite(m_fd, data.data(), data.size(), static_cast<off_t>(offset));
            if (done < 0) {
                if (errno == EINTR) {
                    continue;
                }
                return fail(errnoError(errno, "write " + m_path, ErrorCode::WriteFailed));
            }
            data = data.subspan(static_cast<std::size_t>(done));
            offset += static_cast<std::uint64_t>(done);
        }
        return {};
    }
    Status resize(std::uint64_t size) override {
        if (::ftruncate(m_fd, static_cast<off_t>(size)) != 0) {
            return fail(errnoError(errno, "resize " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }
    void beginSync(std::uint64_t offset, std::uint64_t size) noexcept override {
#ifdef __linux__
        ::sync_file_range(m_fd, static_cast<off64_t>(offset), static_cast<off64_t>(size), SYNC_FILE_RANGE_WRITE);
#else
        static_cast<void>(offset);
        static_cast<void>(size);
#endif
    }
    Status sync() override {
        if (::fsync(m_fd) != 0) {
            return fail(errnoError(errno, "sync " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }
    Status close() override {
        const int fd = m_fd;
        m_fd = -1;
        if (fd >= 0 && ::close(fd) != 0) {
            return fail(errnoError(errno, "close " + m_path, ErrorCode::WriteFailed));
        }
        return {};
    }

private:
    int m_fd;
    std::string m_path;
};

class PosixInput final : public InputFile {
public:
    PosixInput(int fd, std::string path, std::uint64_t size) : m_fd(fd), m_path(std::move(path)), m_size(size) {}
    PosixInput(const PosixInput&) = delete;
    PosixInput& operator=(const PosixInput&) = delete;
    ~PosixInput() override { ::close(m_fd); }
    std::uint64_t size() const noexcept override { return m_size; }
    Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
        std::size_t total = 0;
        while (total < into.size()) {
            const ssize_t done =
                ::pread(m_fd, into.data() + total, into.size() - total, static_cast<off_t>(offset + total));
            if (done < 0) {
                if (errno == EINTR) {
                    continue;
                }
                return fail(errnoError(errno, "read " + m_path, ErrorCode::ReadFailed));
            }
            if (done == 0) {
                break;
            }
            total += static_cast<std::size_t>(done);
        }
        return total;
    }
    std::uint64_t dataAt(std::uint64_t offset) const noexcept override {
        if (offset >= m_size) {
            return m_size;
        }
        // Reading is by pread(): the file position is nobody's.
        const off_t data = ::lseek(m_fd, static_cast<off_t>(offset), SEEK_DATA);
        if (data >= 0) {
            return std::min(static_cast<std::uint64_t>(data), m_size);
        }
        return errno == ENXIO ? m_size : offset;
    }

private:
    int m_fd;
    std::string m_path;
    std::uint64_t m_size;
};

/// What file systems answer that have no such call.
bool isUnsupported(int errnoValue) {
    return errnoValue == EINVAL || errnoValue == ENOSYS || errnoValue == EOPNOTSUPP || errnoValue == ENOTSUP ||
           errnoValue == EPERM || errnoValue == EMLINK;
}

Status moveOver(const std::string& from, const std::string& to) {
    if (::rename(from.c_str(), to.c_str()) != 0) {
        return fail(errnoError(errno, "rename " + from + " to " + to, ErrorCode::WriteFailed));
    }
    return {};
}

/// Takes the name by creating an empty file of it, which the other one then replaces.
Status moveOverPlaceholder(const std::string& from, const std::string& to) {
    const int fd = ::open(to.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (fd < 0) {
        return fail(errnoError(errno, "create " + to, ErrorCode::WriteFailed));
    }
    ::close(fd);
    Status moved = moveOver(from, to);
    if (!moved && ::unlink(to.c_str()) != 0) {
        moved.error().detail += "; " + errnoError(errno, "an empty file stays: " + to).detail;
    }
    return moved;
}

/// Moves without replacing anything, by the best means that the file system has.
Status moveBeside(const std::string& from, const std::string& to) {
    if (::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), RENAME_NOREPLACE) == 0) {
        return {};
    }
    if (!isUnsupported(errno)) {
        return fail(errnoError(errno, "rename " + from + " to " + to, ErrorCode::WriteFailed));
    }
    // A hard link refuses an existing name as well.
    if (::link(from.c_str(), to.c_str()) != 0) {
        return isUnsupported(errno)
                   ? moveOverPlaceholder(from, to)
                   : Status(fail(errnoError(errno, "link " + from + " to " + to, ErrorCode::WriteFailed)));
    }
    if (::unlink(from.c_str()) != 0) {
        Error error = errnoError(errno, "remove " + from, ErrorCode::WriteFailed);
        if (::unlink(to.c_str()) != 0) {
            error.detail += "; it stays as " + to + " too";
        }
        return fail(std::move(error));
    }
    return {};
}

/// A name lives in its folder, which has to reach the device as well.
Status syncFolderOf(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    const std::string folder = slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
    const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return {}; // a folder that may be written but not read
    }
    const int failure = ::fsync(fd) == 0 ? 0 : errno;
    ::close(fd);
    if (failure != 0 && failure != EROFS && !isUnsupported(failure)) {
        return fail(errnoError(failure, "sync " + folder, ErrorCode::WriteFailed));
    }
    return {};
}

/// None of them follows a link; exclusive creation does not by itself.
int creationFlags(FileSystem::Existing existing) {
    switch (existing) {
    case FileSystem::Existing::Refuse:
        return O_EXCL;
    case FileSystem::Existing::Replace:
        return O_TRUNC | O_NOFOLLOW;
    case FileSystem::Existing::Keep:
        return O_NOFOLLOW;
    }
    return O_EXCL;
}

class PosixFiles final : public FileSystem {
public:
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        // A recording holds other people's command lines: it is created for its owner alone.
        const int fd = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC | creationFlags(existing), 0600);
        if (fd < 0) {
            Error error = errnoError(errno, "create " + path, ErrorCode::WriteFailed);
            if (error.code == ErrorCode::FileNotFound) {
                error.code = ErrorCode::FolderNotFound;
            }
            return fail(std::move(error));
        }
        return std::make_unique<PosixOutput>(fd, path);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        // Not to wait for a writer where it is a pipe.
        const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
        if (fd < 0) {
            return fail(errnoError(errno, "open " + path, ErrorCode::ReadFailed));
        }
        struct stat status {};
        if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
            const bool isKnown = status.st_mode != 0;
            const int cause = S_ISDIR(status.st_mode) ? EISDIR : errno;
            ::close(fd);
            if (isKnown && !S_ISDIR(status.st_mode)) {
                return fail(ErrorCode::ReadFailed, "open " + path + ": a device, a pipe or the like is no file");
            }
            return fail(errnoError(cause, "open " + path, ErrorCode::ReadFailed));
        }
        return std::make_unique<PosixInput>(fd, path, static_cast<std::uint64_t>(status.st_size));
    }
    Result<Bytes> freeSpace(const std::string& path) override {
        struct statvfs volume {};
        if (::statvfs(path.c_str(), &volume) != 0) {
            return fail(errnoError(errno, "free space of " + path, ErrorCode::ReadFailed));
        }
        return Bytes{std::uint64_t{volume.f_bavail} * volume.f_frsize};
    }
    Result<std::uint64_t> volumeOf(const std::string& path) override {
        struct stat status {};
        if (::stat(path.c_str(), &status) != 0) {
            return fail(errnoError(errno, "volume of " + path, ErrorCode::ReadFailed));
        }
        return std::uint64_t{status.st_dev};
    }
    Status rename(const std::string& from, const std::string& to, Existing existing) override {
        Status moved = existing == Existing::Replace ? moveOver(from, to) : moveBeside(from, to);
        return moved ? syncFolderOf(to) : moved;
    }
    Status remove(const std::string& path) override {
        if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
            return fail(errnoError(errno, "remove " + path, ErrorCode::WriteFailed));
        }
        return {};
    }
};

using PlatformFiles = PosixFiles;

std::uint32_t ownProcess() {
    return static_cast<std::uint32_t>(getpid());
}

#endif

} // namespace

Result<TemporaryFile> createTemporary(FileSystem& files, const std::string& folder, std::string_view suffix) {
    constexpr int kMostNumbers = 10'000;
    const bool needsSlash = !folder.empty() && folder.back() != '/' && folder.back() != '\\';
    const std::string stem = folder + (needsSlash ? "/" : "") + ".tracedeck-" + std::to_string(ownProcess()) + "-";
    Error last;
    for (int number = 1; number <= kMostNumbers; ++number) {
        std::string path = stem + std::to_string(number) + std::string(suffix);
        auto file = files.create(path, FileSystem::Existing::Refuse);
        if (file) {
            return TemporaryFile{std::move(path), std::move(*file)};
        }
        last = std::move(file).error();
        if (last.code != ErrorCode::FileExists) {
            break;
        }
    }
    return fail(std::move(last));
}

FileSystem& systemFiles() {
    static PlatformFiles files;
    return files;
}

} // namespace tracedeck

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etw/engine/shared_ring.h"

#include "core/etw/engine/log_file.h"
#include "core/etw/engine/memory.h"
#include "core/etw/engine/session_clock.h"
#include "core/etw/types.h"

#ifndef _WIN32
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <new>
#include <optional>
#include <string_view>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <tuple>
#include <unistd.h>
#include <utility>
#endif

namespace tracedeck::etw::engine {

#ifdef _WIN32

Result<std::unique_ptr<SharedRing>> SharedRing::create(const std::string& folder, const RingDescription&, std::uint32_t,
                                                       std::uint32_t) {
    return fail(ErrorCode::NotSupported, "shared ring in " + folder);
}

std::vector<LeftRing> leftRings(const std::string&) {
    return {};
}

Result<SavedRing> saveLeftRing(FileSystem&, const Clock&, const std::string& ring, const std::string&,
                               const std::stop_token&) {
    return fail(ErrorCode::NotSupported, "shared ring " + ring);
}

Status discardLeftRing(const std::string& ring) {
    return fail(ErrorCode::NotSupported, "shared ring " + ring);
}

#else

namespace {

constexpr std::string_view kPrefix = "tracedeck-ring-";
constexpr std::array<char, 8> kMagic{'T', 'D', 'R', 'I', 'N', 'G', '0', '1'};
constexpr std::size_t kPage = 4096;

template <std::size_t Size>
void putText(std::array<char, Size>& into, std::string_view text) {
    into.fill('\0');
    std::copy_n(text.begin(), std::min(text.size(), Size - 1), into.begin());
}

template <std::size_t Size>
std::string textOf(const std::array<char, Size>& from) {
    return {from.begin(), std::find(from.begin(), from.end(), '\0')};
}

/// Where things are in a ring's file: the header, the buffers' control blocks, their bytes, each at a whole page.
struct Layout {
    std::uint32_t bufferSize = 0;
    std::uint32_t buffers = 0;

    [[nodiscard]] std::size_t controlsAt() const noexcept;
    [[nodiscard]] std::size_t bytesAt() const noexcept { return controlsAt() + pages(sizeof(Buffer) * buffers); }
    [[nodiscard]] std::size_t bytesAt(std::uint32_t index) const noexcept {
        return bytesAt() + std::size_t{index} * bufferSize;
    }
    [[nodiscard]] std::size_t fileSize() const noexcept { return bytesAt(buffers); }
    [[nodiscard]] bool isPossible() const noexcept {
        return bufferSize >= kSmallestBufferKib * 1024 && bufferSize <= kLargestBufferKib * 1024 &&
               bufferSize % 1024 == 0 && buffers != 0 && buffers <= BufferPool::kMostBuffers;
    }

private:
    [[nodiscard]] static constexpr std::size_t pages(std::size_t size) noexcept {
        return (size + kPage - 1) / kPage * kPage;
    }
};

struct RingHeader {
    std::array<char, 8> magic = kMagic;
    // Another build's structures are not to be read.
    std::uint32_t headerSize = sizeof(RingHeader);
    std::uint32_t controlSize = sizeof(Buffer);
    Layout layout;
    // RingDescription
    Guid session;
    std::uint32_t owner = 0;
    std::uint32_t logFileMode = 0;
    std::uint32_t processId = 0;
    std::uint16_t loggerId = 0;
    etlformat::GroupMasks kernelGroups;
    std::array<char, 4096> sessionName{}; ///< 1,024 UTF-16 units are 3,072 bytes at most
    // TraceIdentity
    std::uint32_t numberOfProcessors = 0;
    std::uint32_t cpuSpeedInMhz = 0;
    std::uint32_t timerResolution = 0;
    std::uint32_t clockType = 0;
    std::int32_t bias = 0;
    std::int64_t clockFrequency = 0;
    FileTime bootTime = 0;
    std::int64_t perfFreq = 0;
    Ticks startTicks = 0;
    FileTime startTime = 0;
    std::array<char, 128> standardName{};
    std::array<char, 128> daylightName{};

    LossLedger ledger;
    std::atomic<std::uint64_t> overwritten{0};
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free, "what lies in the file needs no lock beside it");

std::size_t Layout::controlsAt() const noexcept {
    return pages(sizeof(RingHeader));
}

void describe(RingHeader& header, const RingDescription& description) {
    header.session = description.session;
    header.owner = description.owner;
    header.logFileMode = description.logFileMode;
    header.processId = description.processId;
    header.loggerId = description.loggerId;
    header.kernelGroups = description.kernelGroups;
    putText(header.sessionName, description.sessionName);
    const etlformat::TraceIdentity& identity = description.identity;
    header.numberOfProcessors = identity.numberOfProcessors;
    header.cpuSpeedInMhz = identity.cpuSpeedInMhz;
    header.timerResolution = identity.timerResolution;
    header.bias = identity.bias;
    header.bootTime = identity.bootTime;
    header.perfFreq = identity.perfFreq;
    header.clockType = identity.clockType;
    header.clockFrequency = description.clockFrequency;
    header.startTicks = identity.startTicks;
    header.startTime = identity.startTime;
    putText(header.standardName, identity.standardName);
    putText(header.daylightName, identity.daylightName);
}

RingDescription descriptionOf(const RingHeader& header) {
    RingDescription description;
    description.session = header.session;
    description.owner = header.owner;
    description.logFileMode = header.logFileMode;
    description.processId = header.processId;
    description.loggerId = header.loggerId;
    description.kernelGroups = header.kernelGroups;
    description.sessionName = textOf(header.sessionName);
    etlformat::TraceIdentity& identity = description.identity;
    identity.numberOfProcessors = header.numberOfProcessors;
    identity.cpuSpeedInMhz = header.cpuSpeedInMhz;
    identity.timerResolution = header.timerResolution;
    identity.bias = header.bias;
    identity.bootTime = header.bootTime;
    identity.perfFreq = header.perfFreq;
    identity.clockType = header.clockType;
    description.clockFrequency = header.clockFrequency;
    identity.startTicks = header.startTicks;
    identity.startTime = header.startTime;
    identity.standardName = textOf(header.standardName);
    identity.daylightName = textOf(header.daylightName);
    return description;
}

/// Closed when it goes.
class Descriptor {
public:
    explicit Descriptor(int fd) noexcept : m_fd(fd) {}
    Descriptor(Descriptor&& other) noexcept : m_fd(std::exchange(other.m_fd, -1)) {}
    Descriptor& operator=(Descriptor&&) = delete;
    ~Descriptor() {
        if (m_fd >= 0) {
            ::close(m_fd);
        }
    }
    [[nodiscard]] int get() const noexcept { return m_fd; }

private:
    int m_fd;
};

/// Unmapped when it goes.
class Mapping {
public:
    Mapping(const Descriptor& file, std::size_t size, int protection) noexcept
        : m_size(size), m_memory(::mmap(nullptr, size, protection, MAP_SHARED, file.get(), 0)) {}
    Mapping(Mapping&& other) noexcept : m_size(other.m_size), m_memory(std::exchange(other.m_memory, MAP_FAILED)) {}
    Mapping& operator=(Mapping&&) = delete;
    ~Mapping() {
        if (isThere()) {
            ::munmap(m_memory, m_size);
        }
    }
    [[nodiscard]] bool isThere() const noexcept { return m_memory != MAP_FAILED; }
    [[nodiscard]] std::byte* at(std::size_t offset) const noexcept {
        return static_cast<std::byte*>(m_memory) + offset;
    }

private:
    std::size_t m_size;
    void* m_memory;
};

/// A ring that this process records to.
class OwnRing final : public SharedRing {
public:
    OwnRing(Descriptor file, Mapping memory, const RingDescription& description, const Layout& layout)
        : m_file(std::move(file)), m_memory(std::move(memory)), m_header(new (m_memory.at(0)) RingHeader) {
        m_header->layout = layout;
        describe(*m_header, description);
        for (std::uint32_t i = 0; i < layout.buffers; ++i) {
            auto* const control = new (m_memory.at(layout.controlsAt() + i * sizeof(Buffer))) Buffer;
            control->memory = m_memory.at(layout.bytesAt(i));
            if (i == 0) {
                m_first = control;
            }
        }
    }
    ~OwnRing() override {
        if (!m_path.empty() && !m_isLeft) {
            ::unlink(m_path.c_str()); // what stays is offered as left over: nothing is lost by it
        }
    }
    OwnRing(const OwnRing&) = delete;
    OwnRing& operator=(const OwnRing&) = delete;

    /// Gives the file a name in `folder`; until then it has none, and goes with the process.
    [[nodiscard]] Status publish(const std::string& folder) {
        const std::string self = "/proc/self/fd/" + std::to_string(m_file.get());
        for (int tries = 1;; ++tries) {
            std::string path = folder + "/" + std::string(kPrefix) + toString(randomGuid());
            if (::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, path.c_str(), AT_SYMLINK_FOLLOW) == 0) {
                m_path = std::move(path);
                return {};
            }
            if (errno != EEXIST || tries == kMostTries) {
                return fail(errnoError(errno, "name " + path, ErrorCode::WriteFailed));
            }
        }
    }

    std::span<Buffer> buffers() noexcept override { return {m_first, m_header->layout.buffers}; }
    LossLedger& ledger() noexcept override { return m_header->ledger; }
    std::atomic<std::uint64_t>& overwritten() noexcept override { return m_header->overwritten; }
    const std::string& path() const noexcept override { return m_path; }
    void leave() noexcept override { m_isLeft = true; }

private:
    static constexpr int kMostTries = 10;

    std::string m_path;
    bool m_isLeft = false;
    Descriptor m_file; ///< its lock says that somebody records
    Mapping m_memory;
    RingHeader* m_header;
    Buffer* m_first = nullptr;
};

/// A ring that nobody records to, locked while it is looked at, or taken away.
class LockedRing {
public:
    enum class Lock : int { Shared = LOCK_SH, Exclusive = LOCK_EX };
    [[nodiscard]] static Result<LockedRing> open(const std::string& path, Lock lock = Lock::Shared) {
        Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file.get() < 0) {
            return fail(errnoError(errno, "open " + path, ErrorCode::ReadFailed));
        }
        struct stat status {};
        if (::fstat(file.get(), &status) != 0) {
            return fail(errnoError(errno, "stat " + path, ErrorCode::ReadFailed));
        }
        const bool isOurs = S_ISREG(status.st_mode) && status.st_uid == ::geteuid() && (status.st_mode & 0077U) == 0;
        const auto size = static_cast<std::size_t>(status.st_size);
        if (!isOurs || size < sizeof(RingHeader)) {
            return fail(ErrorCode::NotAnEtl, path + ": no ring of this user");
        }
        if (::flock(file.get(), static_cast<int>(lock) | LOCK_NB) != 0) {
            return fail(ErrorCode::WrongState, path + ": a process records to it, saves it or discards it",
                        static_cast<std::uint32_t>(errno));
        }
        Mapping memory(file, size, PROT_READ);
        if (!memory.isThere()) {
            return fail(errnoError(errno, "map " + path, ErrorCode::OutOfMemory));
        }
        LockedRing ring(path, std::move(file), std::move(memory));
        const RingHeader& header = ring.header();
        if (header.magic != kMagic || header.headerSize != sizeof(RingHeader) || header.controlSize != sizeof(Buffer) ||
            !header.layout.isPossible() || header.layout.fileSize() != size || header.numberOfProcessors == 0 ||
            header.perfFreq <= 0 || header.clockFrequency <= 0 || header.clockType < 1 || header.clockType > 3) {
            return fail(ErrorCode::NotAnEtl, path + ": no ring of this version");
        }
        return ring;
    }

    [[nodiscard]] const std::string& path() const noexcept { return m_path; }
    [[nodiscard]] const RingHeader& header() const noexcept {
        return *std::launder(reinterpret_cast<const RingHeader*>(m_memory.at(0))); // NOLINT(*-reinterpret-cast)
    }
    [[nodiscard]] const Buffer& control(std::uint32_t index) const noexcept {
        const std::byte* const place = m_memory.at(header().layout.controlsAt() + index * sizeof(Buffer));
        return *std::launder(reinterpret_cast<const Buffer*>(place)); // NOLINT(*-reinterpret-cast)
    }
    [[nodiscard]] std::span<const std::byte> bytes(std::uint32_t index) const noexcept {
        return {m_memory.at(header().layout.bytesAt(index)), header().layout.bufferSize};
    }

private:
    LockedRing(std::string path, Descriptor file, Mapping memory)
        : m_path(std::move(path)), m_file(std::move(file)), m_memory(std::move(memory)) {}

    std::string m_path;
    Descriptor m_file;
    Mapping m_memory;
};

/// Up to where the buffer's present use is complete: all of it, or as far as was noted.
std::uint32_t completeEnd(const Buffer& buffer) {
    const std::uint64_t word = buffer.word.load();
    if (buffer.committed.load() == Buffer::Word::offset(word)) {
        return Buffer::Word::offset(word);
    }
    const std::uint64_t noted = buffer.complete.load();
    const bool isOfThisUse = noted >> 32U == Buffer::Word::use(word);
    return isOfThisUse ? static_cast<std::uint32_t>(noted) : 0;
}

/// The buffers that hold events, as BufferPool::fullBuffers() gives those of a running ring.
std::vector<BufferPool::FullBuffer> buffersWithEvents(const LockedRing& ring) {
    std::vector<BufferPool::FullBuffer> found;
    const RingHeader& header = ring.header();
    for (std::uint32_t index = 0; index < header.layout.buffers; ++index) {
        const Buffer& each = ring.control(index);
        const BufferPool::FullBuffer full{index, each.processor.load(), each.sequence.load(),
                                          Buffer::Word::events(each.word.load()), each.first.load()};
        // One that was about to be emptied counts as overwritten.
        const Buffer::State state = each.state.load();
        const bool isInUse = state == Buffer::State::Current || state == Buffer::State::Full;
        const bool isPossible = full.processor < header.numberOfProcessors &&
                                Buffer::Word::offset(each.word.load()) <= header.layout.bufferSize;
        if (isInUse && isPossible && full.events != 0 && full.first != kNoTime) {
            found.push_back(full);
        }
    }
    BufferPool::putInOrder(found, header.numberOfProcessors);
    return found;
}

struct Walked {
    std::uint32_t end = etlformat::kBufferHeaderSize;
    std::uint64_t events = 0;
    Ticks last = 0;
};

/// The events up to `complete`, as this engine writes them.
Walked walk(std::span<const std::byte> buffer, std::uint32_t complete, Ticks first) {
    Walked walked;
    walked.last = first;
    while (walked.end + sizeof(etlformat::PerfinfoHeader) <= complete) {
        const auto event = etlformat::eventPlace(buffer.subspan(walked.end));
        if (!event || walked.end + etlformat::alignEvent(event->size) > complete || event->time < walked.last) {
            break;
        }
        walked.last = event->time;
        walked.end += static_cast<std::uint32_t>(etlformat::alignEvent(event->size));
        ++walked.events;
    }
    return walked;
}

LogFile::Description fileDescription(const RingHeader& header) {
    const RingDescription described = descriptionOf(header);
    LogFile::Description description;
    description.identity = described.identity;
    description.summary.bufferSize = header.layout.bufferSize;
    description.summary.logFileMode =
        etlformat::mode::kSequential | (described.logFileMode & etlformat::mode::kSystemLogger);
    description.summary.loggerId = described.loggerId;
    description.summary.loggerName = described.sessionName;
    description.summary.processId = described.processId;
    if ((described.logFileMode & etlformat::mode::kSystemLogger) != 0) {
        description.groupMasks.assign(described.kernelGroups.words.begin(), described.kernelGroups.words.end());
    }
    return description;
}

/// Writes the events; `saved` counts.
Status writeEvents(const LockedRing& ring, LogFile& file, const std::stop_token& stop, SavedRing& saved) {
    std::vector<std::byte> copy(ring.header().layout.bufferSize);
    for (const BufferPool::FullBuffer& full : buffersWithEvents(ring)) {
        if (stop.stop_requested()) {
            return fail(ErrorCode::Cancelled, "saving " + ring.path());
        }
        if (full.isBeforeHole) {
            saved.eventsOverwritten += full.events; // younger ones of its processor have been
            continue;
        }
        const std::span<const std::byte> bytes = ring.bytes(full.index);
        const Walked walked =
            walk(bytes, std::min(completeEnd(ring.control(full.index)), ring.header().layout.bufferSize), full.first);
        saved.eventsIncomplete += full.events - std::min<std::uint64_t>(full.events, walked.events);
        if (walked.events == 0) {
            continue;
        }
        std::memcpy(copy.data(), bytes.data(), walked.end);
        if (Status written = file.append(copy, {walked.end, full.processor, walked.events, full.first}); !written) {
            return written;
        }
        saved.first = saved.events == 0 ? full.first : std::min(saved.first, full.first);
        saved.last = std::max(saved.last, walked.last);
        saved.events += walked.events;
    }
    return {};
}

} // namespace

Result<std::unique_ptr<SharedRing>> SharedRing::create(const std::string& folder, const RingDescription& description,
                                                       std::uint32_t bufferSize, std::uint32_t buffers) {
    const std::string what = "ring of session " + description.sessionName + " in " + folder;
    const Layout layout{bufferSize, buffers};
    if (!layout.isPossible()) {
        return fail(ErrorCode::InvalidArgument, what + ": buffer size or number");
    }
    Descriptor file(::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (file.get() < 0) {
        return fail(errnoError(errno, what, ErrorCode::WriteFailed));
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        return fail(errnoError(errno, what + ": lock", ErrorCode::WriteFailed));
    }
    // Room that exists: a page that is not there when it is written to would end the process.
    if (const int error = ::posix_fallocate(file.get(), 0, static_cast<off_t>(layout.fileSize())); error != 0) {
        return fail(errnoError(error, what, ErrorCode::WriteFailed));
    }
    Mapping memory(file, layout.fileSize(), PROT_READ | PROT_WRITE);
    if (!memory.isThere()) {
        return fail(errnoError(errno, what + ": map", ErrorCode::OutOfMemory));
    }
    if (!populate(memory.at(0), layout.fileSize())) {
        return fail(ErrorCode::OutOfMemory, what + ": no memory");
    }
    auto ring = std::make_unique<OwnRing>(std::move(file), std::move(memory), description, layout);
    if (const Status published = ring->publish(folder); !published) {
        return fail(published.error());
    }
    return ring;
}

std::vector<LeftRing> leftRings(const std::string& folder) {
    std::vector<LeftRing> left;
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::opendir(folder.c_str()), &::closedir);
    if (!entries) {
        return left;
    }
    while (const dirent* const entry = ::readdir(entries.get())) { // NOLINT(concurrency-mt-unsafe): a stream of its own
        const std::string_view name = entry->d_name;
        if (!name.starts_with(kPrefix)) {
            continue;
        }
        const auto ring = LockedRing::open(folder + "/" + std::string(name));
        if (ring) {
            left.push_back({ring->path(), descriptionOf(ring->header()), Bytes{ring->header().layout.fileSize()}});
        }
    }
    std::sort(left.begin(), left.end(), [](const LeftRing& a, const LeftRing& b) {
        const auto key = [](const LeftRing& ring) { return std::tie(ring.description.identity.startTicks, ring.path); };
        return key(a) < key(b);
    });
    return left;
}

Result<SavedRing> saveLeftRing(FileSystem& files, const Clock& clock, const std::string& ring,
                               const std::string& target, const std::stop_token& stop) {
    const auto left = LockedRing::open(ring);
    if (!left) {
        return fail(left.error());
    }
    const RingDescription described = descriptionOf(left->header());
    const auto stamp = makeSessionClock(static_cast<ClockType>(described.identity.clockType), clock);
    if (!stamp) {
        return fail(stamp.error());
    }
    LogFile::Description description = fileDescription(left->header());
    description.stamp = stamp->get();
    auto file = LogFile::create(files, clock, target, std::move(description));
    if (!file) {
        return fail(file.error());
    }
    SavedRing saved;
    const Status written = writeEvents(*left, **file, stop, saved);
    saved.eventsOverwritten += left->header().overwritten.load();
    saved.eventsLost = left->header().ledger.total() + saved.eventsIncomplete;
    const etlformat::TraceIdentity& identity = described.identity;
    const Ticks end = std::max(saved.last, identity.startTicks);
    const FileTime endTime = etlformat::wallTimeOf(identity, end, described.clockFrequency);
    const Status closed = (*file)->close({end, endTime, saved.eventsLost, 0});
    if (!written || !closed) {
        Error error = written ? closed.error() : written.error();
        if (const Status removed = files.remove(target); !removed) {
            error.detail += "; half a file stays: " + removed.error().detail;
        }
        return fail(std::move(error));
    }
    saved.size = Bytes{(*file)->size()};
    return saved;
}

Status discardLeftRing(const std::string& ring) {
    const auto left = LockedRing::open(ring, LockedRing::Lock::Exclusive);
    if (!left) {
        if (left.error().code == ErrorCode::FileNotFound) {
            return {};
        }
        return fail(left.error());
    }
    if (::unlink(ring.c_str()) != 0) {
        return fail(errnoError(errno, "remove " + ring, ErrorCode::WriteFailed));
    }
    return {};
}

#endif

} // namespace tracedeck::etw::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/disk_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tracedeck::recorder {
namespace {

constexpr Bytes kEverything{std::numeric_limits<std::uint64_t>::max()};

/// 0 where `b` is more.
constexpr Bytes lessened(Bytes a, Bytes b) {
    return {a.count - std::min(a.count, b.count)};
}

bool isCircular(const plan::PlannedSession& session) noexcept {
    return (session.config.logFileMode & etlformat::mode::kCircular) != 0;
}

Bytes floorOf(const plan::RecordingPlan& plan) {
    Bytes floor;
    for (const plan::PlannedSession& session : plan.sessions) {
        floor = std::max(floor, session.config.minimumFreeDisk);
    }
    return floor;
}

/// What a recording has written and is about to.
struct Use {
    Bytes written;
    Bytes pending;
    bool isOverwriting = false;
};

Use useOf(const LiveStatus& status) {
    Use use;
    for (const SessionStatus& session : status.sessions) {
        const etw::SessionStats& stats = session.stats;
        use.written = use.written + stats.fileSize;
        const std::uint32_t used = stats.numberOfBuffers - std::min(stats.freeBuffers, stats.numberOfBuffers);
        use.pending = use.pending + kib(stats.bufferSizeKib) * used;
        use.isOverwriting = use.isOverwriting || stats.eventsOverwritten > 0;
    }
    return use;
}

/// What the files may still grow by because of their own sizes.
Bytes roomInFiles(const LiveStatus& status, const plan::RecordingPlan& plan, const Use& use) {
    Bytes circular;
    Bytes limit = kEverything;
    bool isAllCircular = true;
    for (const plan::PlannedSession& session : plan.sessions) {
        const Bytes largest = mib(session.config.maximumFileSizeMib);
        if (isCircular(session)) {
            const auto known = std::find_if(status.sessions.begin(), status.sessions.end(),
                                            [&](const auto& each) { return each.name == session.config.name; });
            circular = circular + (known == status.sessions.end() ? Bytes{} : lessened(largest, known->stats.fileSize));
            continue;
        }
        isAllCircular = false;
        if (largest.count > 0) {
            limit = std::min(limit, lessened(largest, use.written));
        }
    }
    return isAllCircular && !plan.sessions.empty() ? circular : limit;
}

/// Of one volume: what is left of `free` and what is missing there.
struct Left {
    Bytes bytes;
    bool isExhausted = false;
};

Left leftOf(Bytes free, Bytes needed, std::uint64_t each = 1) {
    return {{lessened(free, needed).count / each}, free < needed};
}

} // namespace

FreeSpace freeSpaceOf(FileSystem& files, const Request& request) {
    FreeSpace free;
    const auto told = [&](const std::string& folder) {
        const Result<Bytes> space = files.freeSpace(folder);
        return space ? std::optional(*space) : std::nullopt;
    };
    free.raw = told(request.workFolder);
    if (request.targetFolder.empty() || request.targetFolder == request.workFolder) {
        free.target = free.raw;
        return free;
    }
    free.target = told(request.targetFolder);
    const Result<std::uint64_t> raw = files.volumeOf(request.workFolder);
    const Result<std::uint64_t> target = files.volumeOf(request.targetFolder);
    free.isOneVolume = (raw && target && *raw == *target) || (free.raw && free.raw == free.target);
    return free;
}

std::optional<Bytes> roomAtStart(const FreeSpace& free, Bytes floor) {
    if (!free.raw) {
        return std::nullopt;
    }
    const Bytes raw = lessened(*free.raw, floor);
    if (free.isOneVolume) {
        return Bytes{lessened(raw, kSavedMore).count / 2};
    }
    return free.target ? std::min(raw, lessened(*free.target, kSavedMore)) : raw;
}

tracedeck::Status keepNewest(plan::RecordingPlan& plan, const FreeSpace& free) {
    if (plan.mode != plan::LoggingMode::File) {
        return {};
    }
    const std::optional<Bytes> room = roomAtStart(free, floorOf(plan));
    if (!room) {
        return fail(ErrorCode::ReadFailed, "how much space is free, which keeping the newest events depends on");
    }
    const std::uint64_t largestMib = room->count / mib(1).count;
    if (largestMib == 0) {
        return fail(ErrorCode::DiskFull, "no space is free for a recording and the file that it is saved as");
    }
    for (plan::PlannedSession& session : plan.sessions) {
        etw::SessionConfig& config = session.config;
        if (!isCircular(session) && config.maximumFileSizeMib == 0) {
            config.logFileMode &= ~etlformat::mode::kSequential;
            config.logFileMode |= etlformat::mode::kCircular;
            config.maximumFileSizeMib = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(largestMib, std::numeric_limits<std::uint32_t>::max()));
        }
        if (isCircular(session)) {
            config.minimumFreeDisk = std::max(config.minimumFreeDisk, lessened(*free.raw, *room));
        }
    }
    return {};
}

bool isKeepingNewest(const plan::RecordingPlan& plan, WhenDiskShort action) noexcept {
    return action == WhenDiskShort::KeepNewest && plan.mode == plan::LoggingMode::File &&
           std::all_of(plan.sessions.begin(), plan.sessions.end(), isCircular);
}

std::optional<DiskRoom> DiskGuard::look(const LiveStatus& status, const FreeSpace& free,
                                        const plan::RecordingPlan& plan, WhenDiskShort action) {
    if (plan.mode != plan::LoggingMode::File || !free.raw) {
        return std::nullopt;
    }
    followRate(status);
    const Use use = useOf(status);
    DiskRoom room;
    room.keepsNewest = isKeepingNewest(plan, action);
    room.isOverwriting = room.keepsNewest && use.isOverwriting;
    const Bytes floor = floorOf(plan);
    const Left raw = leftOf(*free.raw, floor + use.pending);
    Left saving{kEverything};
    if (room.keepsNewest) {
        // The raised floor leaves room for the saved file.
    } else if (free.isOneVolume) {
        saving = leftOf(*free.raw, use.written + use.pending * 2 + kSavedMore, 2);
    } else if (free.target) {
        saving = leftOf(*free.target, use.written + use.pending + kSavedMore);
    }
    room.isOfTarget = !free.isOneVolume && saving.bytes < raw.bytes;
    room.left = std::min(raw.bytes, saving.bytes);
    room.isExhausted = !room.keepsNewest && use.written.count > 0 && (raw.isExhausted || saving.isExhausted);
    const Bytes inFiles = roomInFiles(status, plan, use);
    if (room.keepsNewest) {
        room.left = room.isOverwriting ? Bytes{} : std::min(room.left, inFiles);
    }
    if (m_bytesPerSecond >= 1) {
        room.timeLeft = std::chrono::milliseconds(
            static_cast<std::int64_t>(std::min(static_cast<double>(room.left.count) / m_bytesPerSecond * 1000, 1e15)));
    }
    // A file that has its largest size before never comes to the disk's end.
    const bool endsBefore = !room.keepsNewest && inFiles < room.left;
    m_isShort = !endsBefore && isShort(room);
    room.isShort = m_isShort;
    return room;
}

void DiskGuard::followRate(const LiveStatus& status) {
    double rate = 0;
    for (const SessionStatus& session : status.sessions) {
        rate += session.bytesPerSecond;
    }
    const std::chrono::duration<double> since = status.elapsed - m_last;
    if (since.count() > 0) {
        const double share = 1 - std::exp(-since / std::chrono::duration<double>(kSmoothing));
        m_bytesPerSecond += (rate - m_bytesPerSecond) * share;
        m_last = status.elapsed;
    }
}

bool DiskGuard::isShort(const DiskRoom& room) const noexcept {
    const std::uint64_t factor = m_isShort ? 2 : 1;
    return room.left < kShortSpace * factor ||
           (room.timeLeft && *room.timeLeft < kShortTime * static_cast<std::int64_t>(factor));
}

} // namespace tracedeck::recorder

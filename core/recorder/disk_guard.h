// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recorder/recorder.h"

#include <chrono>
#include <optional>

/// What a recording in files needs of its disks, and when it gets too little. A recording in memory writes nothing
/// while it goes on: nothing here concerns it.
///
/// The arithmetic, with `written` for the size of all raw files, `pending` for what waits in buffers to be written
/// into them, and `floor` for the plan's minimum of free space (of the raw files' volume, kept by the sessions):
/// - The saved file lies beside the raw files until it has been read back, and is about as large; what it may be larger
///   by is kSavedMore.
/// - On one volume the raw files still grow by `pending` and the saved file needs `written + pending + kSavedMore`:
///   saving works while free ≥ written + 2 × pending + kSavedMore. Each byte that is recorded takes two of it.
/// - On two volumes the one of the raw files must hold `floor + pending`, that of the target
///   `written + pending + kSavedMore`.
///   Compressing is not counted on.
namespace tracedeck::recorder {

/// Larger buffers, of which each processor's last one is not full, and what a merge adds (which builds images are).
constexpr Bytes kSavedMore = mib(4);

/// Free bytes where the raw files are and where the saved file will be; nothing where that cannot be told.
struct FreeSpace {
    std::optional<Bytes> raw;
    std::optional<Bytes> target; ///< as `raw` on one volume
    bool isOneVolume = true;
};

/// Volumes that say to have exactly as much free are taken for one: so are subvolumes seen through.
[[nodiscard]] FreeSpace freeSpaceOf(FileSystem& files, const Request& request);

/// How many bytes the raw files of a recording that begins now may have, so that the saved file has room, too. 0:
/// none; nothing where the free space cannot be told.
[[nodiscard]] std::optional<Bytes> roomAtStart(const FreeSpace& free, Bytes floor);

/// Makes sequential files without a largest size circular (KeepNewest): they grow until the volume has no more left
/// than the saved file and the plan's floor want, whichever session needs it, and overwrite their oldest buffers from
/// there on. ETW cannot turn a sequential session into a circular one while it runs, so that it is begun as one. A file
/// with a largest size keeps it, and the disk guard stops such a recording as ever.
/// Errors: ReadFailed where the free space cannot be told, DiskFull where there is none to begin with.
[[nodiscard]] tracedeck::Status keepNewest(plan::RecordingPlan& plan, const FreeSpace& free);

/// Whether all files of the plan overwrite their oldest events: KeepNewest then stops nothing.
[[nodiscard]] bool isKeepingNewest(const plan::RecordingPlan& plan, WhenDiskShort action) noexcept;

/// Looks at the disks of one recording, again and again.
class DiskGuard {
public:
    /// It is short with less than one of these left; it is no more when there is twice as much of both, so that a
    /// warning does not come and go.
    static constexpr Bytes kShortSpace = mib(256);
    static constexpr std::chrono::minutes kShortTime{5};
    /// Rates are averaged over about this time, from 0 on: a rundown's burst is no alarm.
    static constexpr std::chrono::seconds kSmoothing{5};

    /// `status` without its disk. Nothing in memory mode, and where nothing can be told.
    [[nodiscard]] std::optional<DiskRoom> look(const LiveStatus& status, const FreeSpace& free,
                                               const plan::RecordingPlan& plan, WhenDiskShort action);

private:
    void followRate(const LiveStatus& status);
    [[nodiscard]] bool isShort(const DiskRoom& room) const noexcept;

    std::chrono::milliseconds m_last{0};
    double m_bytesPerSecond = 0;
    bool m_isShort = false;
};

} // namespace tracedeck::recorder

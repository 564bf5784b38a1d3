// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/result.h"
#include "core/etl/damage.h"
#include "core/etl/event_view.h"
#include "core/etl/progress.h"
#include "core/etlformat/hooks.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

namespace tracedeck::etl {

/// An event that the merge itself adds, complete with its header (see etlformat), not padded.
struct AddedEvent {
    std::uint32_t processor = 0;
    Ticks time = 0; ///< as in its header
    std::vector<std::byte> bytes;
};

class ImageIdentities;

/// Chooses which events of the inputs go on; see trim.h.
class EventFilter {
public:
    virtual ~EventFilter() = default;
    /// `time`: the event's own, or that of the event before it. Events of one processor come in time order.
    [[nodiscard]] virtual bool keeps(const EventView& event, Ticks time) = 0;
};

struct MergeRequest {
    std::vector<std::string> inputs; ///< raw files of one boot and one clock
    std::string output;              ///< must not exist unless `replace`
    bool replace = false;
    std::string sessionName;       ///< of the merged file, UTF-8
    std::string logFileName;       ///< as the header names the file, UTF-8; empty: `output`
    std::vector<AddedEvent> added; ///< in any order; put into their places by time
    /// What the sessions of the inputs say they have recorded and lost, all together; 0 where nobody says so.
    std::uint64_t eventsRecorded = 0;
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = 0; ///< beside those that the headers of the inputs count
    /// Puts ImageID events before the events of images; null: none. For files of this machine, before its files change.
    ImageIdentities* images = nullptr;
    /// Modes in the header of the output; those of a merged file.
    std::uint32_t logFileMode = etlformat::mode::kSequential | etlformat::mode::kSystemLogger;
    bool endsWithEvents = false;   ///< the end time is the last event's, whatever the inputs say
    EventFilter* filter = nullptr; ///< null: every event goes on. Stacks go with their events and are not asked for
};

struct MergeResult {
    std::uint64_t events = 0;       ///< written, header events excluded
    std::uint64_t headerEvents = 0; ///< those
    std::uint64_t imageEvents = 0;  ///< of `events`: those that MergeRequest::images gave
    std::uint64_t eventsLost = 0;   ///< as in the header: those of the inputs or of the request, and the two below
    /// Said to be recorded, and in no input.
    std::uint64_t eventsMissing = 0;
    /// Stacks whose event is in no file: overwritten by the ring. In file mode a stack is lost with its event, so there
    /// are none: what the sessions recorded is what is written.
    std::uint64_t stacksDropped = 0;
    std::uint64_t buffersDamaged = 0; ///< of the inputs, left out or cut short
    std::vector<Damage> damage;       ///< of each input, in their order
    std::uint64_t eventsCut = 0;      ///< left out by the filter
    /// Left out because what was already written of their processor is later (an input out of order); in eventsLost.
    std::uint64_t eventsOutOfOrder = 0;
    std::uint64_t bytes = 0;   ///< size of the output
    std::uint64_t buffers = 0; ///< header buffer included
    Ticks first = 0;
    Ticks last = 0;
};

using MergeProgress = Progress;

/// Writes one file from several: one buffer size (128 KiB, which any event fits), mode 0x02000001, sequence numbers
/// 1…n, one sorted stream per processor, header of the system logger's file where there is one, else of the first.
/// The output appears under its name only when it is whole and synced: it is written beside itself under a temporary
/// name first.
///
/// Memory: 32 MiB for the blocks of the inputs however many there are, 256 KiB for each processor, and one or two bytes
/// for each buffer of the inputs (see PlaceList).
///
/// Stacks (0x1820) whose event does not precede them in their processor's stream (see TimeWindow) are left out and
/// counted.
/// Errors: NotAnEtl (with the file's name), files of different clocks or boots: EtlDamaged, DiskFull, FileExists,
/// Cancelled when `stop` is requested. After an error no output and no temporary file is left; inputs are never
/// touched.
[[nodiscard]] Result<MergeResult> merge(FileSystem& files, const MergeRequest& request,
                                        const MergeProgress& progress = {}, std::stop_token stop = {});

/// The same into a file that is open, empty, and the caller's to name. Does not ask what has the output's name.
[[nodiscard]] Result<MergeResult> mergeInto(FileSystem& files, const MergeRequest& request, OutputFile& output,
                                            const MergeProgress& progress, const std::stop_token& stop);

} // namespace tracedeck::etl

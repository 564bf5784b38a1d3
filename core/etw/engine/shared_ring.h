// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/base/file.h"
#include "core/base/guid.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"
#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/loss_ledger.h"

#include <cstdint>
#include <memory>
#include <span>
#include <stop_token>
#include <string>
#include <vector>

/// Rings in named shared memory: what a memory recording holds outlives the process that made it, killed or crashed,
/// until the machine is switched off or loses its power.
///
/// A ring's file lies in a folder of memory (/dev/shm) as "tracedeck-ring-<random>", for the user of the process that
/// records alone. That process holds a lock on it: a file without one is left over. On Windows there are none: sessions
/// of the operating system outlive their controllers as they are.
namespace tracedeck::etw::engine {

/// Whose ring it is, and what the header of its file will say.
struct RingDescription {
    std::string sessionName;
    Guid session;
    std::uint32_t owner = 0; ///< user id of whom it is recorded for
    std::uint32_t logFileMode = 0;
    std::uint16_t loggerId = 0;
    std::uint32_t processId = 0; ///< of the process that records
    etlformat::GroupMasks kernelGroups;
    etlformat::TraceIdentity identity;
    std::int64_t clockFrequency = 0; ///< ticks per second of the clock that stamps the events
};

/// The memory of one ring.
///
/// Threading: of one thread but for what lies in the memory. Ownership: the pool that uses it goes first; the
/// destructor removes the file, but for one that was left.
class SharedRing {
public:
    /// Makes the file, its memory there at once and for good. DiskFull where the folder's volume has no room for it,
    /// NotSupported on Windows, else what the file system says; nothing is left then.
    [[nodiscard]] static Result<std::unique_ptr<SharedRing>> create(const std::string& folder,
                                                                    const RingDescription& description,
                                                                    std::uint32_t bufferSize, std::uint32_t buffers);
    virtual ~SharedRing() = default;

    [[nodiscard]] virtual std::span<Buffer> buffers() noexcept = 0;
    [[nodiscard]] virtual LossLedger& ledger() noexcept = 0;
    [[nodiscard]] virtual std::atomic<std::uint64_t>& overwritten() noexcept = 0;
    [[nodiscard]] virtual const std::string& path() const noexcept = 0;
    /// The file stays behind, as if the process had been killed.
    virtual void leave() noexcept = 0;
};

/// A ring whose process is gone.
struct LeftRing {
    std::string path;
    RingDescription description;
    Bytes size{0};
};

/// Rings of this user's processes in `folder` that nobody records to any more, oldest first. What is no ring of this
/// version of the program, or somebody else's, is passed over.
[[nodiscard]] std::vector<LeftRing> leftRings(const std::string& folder);

struct SavedRing {
    std::uint64_t events = 0;
    std::uint64_t eventsLost = 0; ///< while recording, and those below
    /// Being written when the process died, or behind such a one: left out.
    std::uint64_t eventsIncomplete = 0;
    std::uint64_t eventsOverwritten = 0; ///< by younger ones
    Ticks first = 0;
    Ticks last = 0;
    Bytes size{0};
};

/// Writes a left ring to `target` (a complete raw file, without a rundown; must not exist). The ring stays. WrongState
/// where a process records to it, NotAnEtl where it is no ring, EtlDamaged where it contradicts itself, Cancelled after
/// `stop`; nothing is left of the target after an error.
[[nodiscard]] Result<SavedRing> saveLeftRing(FileSystem& files, const Clock& clock, const std::string& ring,
                                             const std::string& target, const std::stop_token& stop = {});

/// Removes a left ring. WrongState also where a process looks at it or saves it; NotAnEtl as above; one that is missing
/// is no error.
[[nodiscard]] Status discardLeftRing(const std::string& ring);

} // namespace tracedeck::etw::engine

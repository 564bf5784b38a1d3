// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/file.h"
#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/current_thread.h"
#include "core/etw/engine/kernel_driver.h"
#include "core/etw/engine/kernel_source.h"
#include "core/etw/engine/loss_ledger.h"
#include "core/etw/engine/mover.h"
#include "core/etw/engine/real_time.h"
#include "core/etw/engine/shared_ring.h"

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tracedeck::etw::engine {

/// One session: buffers, and a file (or one file after another), consumers in real time, both, or neither (ring).
///
/// Threading: writeEvent() from any thread; the KernelSink part from the kernel source's; everything else from the
/// control thread.
class Session final : public KernelSink {
public:
    struct Setup {
        SessionId id;
        std::uint16_t loggerId = 0;
        SessionConfig config;                  ///< checked by session_rules.h
        std::uint32_t askedMinimumBuffers = 0; ///< before it was checked, as the next
        std::uint32_t askedMaximumBuffers = 0;
        const Clock* clock = nullptr;
        std::unique_ptr<const Clock> stampClock; ///< stamps the events; null: `clock` does (session_clock.h)
        FileSystem* files = nullptr;
        std::function<Bytes()> availableMemory;
        etlformat::TraceIdentity identity; ///< start times are set here
        std::string ringFolder;            ///< of rings that outlive the process; empty: there are none
        std::uint32_t ringOwner = 0;       ///< see RingDescription
    };
    /// Gets the buffers and, in file mode, creates the file.
    [[nodiscard]] static Result<std::unique_ptr<Session>> create(Setup setup);
    /// Stops and closes what still runs.
    ~Session() override;
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// System loggers: begins to record the kernel. A source that does not answer within `limit`, then or later, is
    /// given up: KernelSourceFailed, here or in the statistics.
    [[nodiscard]] Status startKernel(KernelSource& source, std::chrono::milliseconds limit,
                                     std::shared_ptr<void> ownerOfSource);
    /// As if it had never been: for a start that fails after create(). Fails where the file stays.
    [[nodiscard]] Status discard();

    [[nodiscard]] const SessionConfig& config() const noexcept { return m_config; }
    [[nodiscard]] Bytes bufferMemory() const noexcept { return kib(m_config.bufferSizeKib) * m_pool.size(); }
    [[nodiscard]] SessionId id() const noexcept { return m_id; }
    [[nodiscard]] bool isRing() const noexcept { return m_pool.shape().isRing; }
    [[nodiscard]] bool isSystemLogger() const noexcept;
    [[nodiscard]] std::vector<Limitation> limitations() const;
    /// Of what was asked of it while it runs.
    void noteLimitation(Limitation limitation);

    /// Writes an event of `size` bytes: `fill(place, time)` puts it into the buffer, with the time that it gets. Never
    /// blocks; loss is counted, and a lost event is not filled in.
    template <class Fill>
    void writeEvent(std::size_t size, Fill fill) noexcept;

    // KernelSink
    bool write(std::uint32_t processor, Ticks time, std::span<const std::byte> head, std::span<const std::byte> payload,
               std::span<const std::byte> more) noexcept override;
    void refused(std::uint32_t processor, Ticks time) noexcept override;
    void lost(LossCause cause, std::uint64_t events, Ticks first) noexcept override;
    [[nodiscard]] Ticks oldest() const noexcept override;

    [[nodiscard]] SessionStats stats();
    /// `mostBuffers`: what maximumBuffers is held to.
    [[nodiscard]] Result<SessionStats> update(const SessionConfig& config, std::uint32_t mostBuffers);
    [[nodiscard]] Result<SessionStats> flush(const std::string& fileName);
    /// Ends the recording, not the session: the kernel's events stop, with the final rundown. Nobody but the kernel
    /// source may write any more. A second call does nothing.
    void end();
    [[nodiscard]] bool hasEnded() const noexcept { return m_hasEnded; }
    /// Of a real-time session: to be told of its events. SessionBadParameters of another one.
    [[nodiscard]] Result<std::shared_ptr<RealTimeConsumer>> openRealTime();
    /// After end(): completes the file, or writes the ring to `fileName`, or drops it where that is empty. After an
    /// error, which a ring alone can give, the ring is as before and nothing is left of the file.
    [[nodiscard]] Result<SessionStats> stop(const std::string& fileName);
    /// A ring in shared memory stays behind when the session goes (SharedRing::leave()).
    void leaveRing() noexcept;
    [[nodiscard]] Status mark(const std::string& text);
    /// Providers: from now on nothing new is written; who is inside may be about to. The kernel: as KernelRun.
    [[nodiscard]] Status pause();
    [[nodiscard]] Status resume();

private:
    Session(Setup setup, BufferPool::Shape shape);
    [[nodiscard]] Status getReady(const std::string& ringFolder, std::uint32_t ringOwner);
    [[nodiscard]] Status getBuffers(const std::string& ringFolder, std::uint32_t ringOwner);
    void readClocks();
    [[nodiscard]] bool hasMode(std::uint32_t mode) const noexcept { return (m_config.logFileMode & mode) != 0; }
    /// Only the newest events are kept, in the ring or in a circular file.
    [[nodiscard]] bool keepsNewest() const noexcept { return isRing() || hasMode(etlformat::mode::kCircular); }
    [[nodiscard]] LogFile::Description description(std::uint32_t mode, LogFile::Limits limits) const;
    [[nodiscard]] Result<std::unique_ptr<LogFile>> createFile();
    [[nodiscard]] Result<std::unique_ptr<LogFile>> nextFile(std::int64_t firstNumber, Ticks oldest);
    [[nodiscard]] std::string nextFileName();
    [[nodiscard]] Result<std::unique_ptr<LogFile>> createRingFile(const std::string& fileName);
    [[nodiscard]] Result<SessionStats> writeRing(std::unique_ptr<LogFile> file);
    [[nodiscard]] FileTime wallTimeOf(Ticks ticks) const noexcept;
    [[nodiscard]] bool isTooLarge(std::size_t size) const noexcept {
        return size > etlformat::kLargestEvent || size > m_pool.largestEvent();
    }
    /// Counts an event that there was no place for, unless it came after the end of a recording of limited size. The
    /// cause it was lost by.
    std::optional<LossCause> countRefused(BufferPool::Outcome outcome, Ticks time) noexcept;
    void stopKernel();
    [[nodiscard]] KernelRequest kernelRequest(const SessionConfig& config) const;
    [[nodiscard]] Mover::Settings moverSettings() const;
    [[nodiscard]] Status changeKernel(const SessionConfig& config);

    SessionId m_id;
    std::uint16_t m_loggerId;
    SessionConfig m_config;
    std::uint32_t m_askedMinimumBuffers;
    std::uint32_t m_askedMaximumBuffers;
    const Clock& m_clock; ///< time passes by it
    const std::unique_ptr<const Clock> m_ownStamp;
    const Clock& m_stamp; ///< of the events' times
    FileSystem& m_files;
    std::function<Bytes()> m_availableMemory;
    etlformat::TraceIdentity m_identity;

    std::unique_ptr<SharedRing> m_sharedRing; ///< the pool's memory
    mutable BufferPool m_pool;
    LossLedger m_ownLedger;
    LossLedger* m_ledger = &m_ownLedger;                  ///< or the shared ring's
    GroupMasks m_recordedGroups;                          ///< of the kernel, at any time since the start
    std::vector<Ticks> m_lastTimes;                       ///< of the kernel's events, by processor
    std::vector<std::optional<LossCause>> m_lastRefusals; ///< why the last one refused was, by processor
    std::uint32_t m_fileNumber = 0;       ///< NEWFILE: of the last one; of the mover's thread once there is one
    std::shared_ptr<RealTimeFeed> m_feed; ///< of a real-time session
    std::unique_ptr<Mover> m_mover;       ///< with a file, or in real time
    std::unique_ptr<KernelDriver> m_kernel;
    std::vector<Limitation> m_providerLimitations;
    std::vector<Limitation> m_lastLimitations; ///< of a kernel run that has ended
    std::optional<Error> m_sourceError;        ///< of a kernel run that has ended
    std::uint64_t m_lastProduced = 0;
    std::atomic<bool> m_isAtSizeLimit{false}; ///< the recording has ended there
    std::atomic<Ticks> m_sizeLimitTime{0};    ///< about when
    std::atomic<bool> m_isPaused{false};
    bool m_hasEnded = false;
};

template <class Fill>
void Session::writeEvent(std::size_t size, Fill fill) noexcept {
    if (m_isAtSizeLimit.load(std::memory_order_relaxed) || m_isPaused.load(std::memory_order_relaxed)) {
        return;
    }
    if (m_mover) {
        if (const auto refusal = m_mover->refusal()) {
            m_ledger->add(*refusal, 1, m_stamp.ticks());
            return;
        }
    }
    if (isTooLarge(size)) {
        m_ledger->add(LossCause::EventTooLarge, 1, m_stamp.ticks());
        return;
    }
    const BufferPool::Outcome outcome = m_pool.write(
        m_pool.slotOf(currentProcessor()), static_cast<std::uint32_t>(size), [this] { return m_stamp.ticks(); }, fill);
    if (outcome != BufferPool::Outcome::Written) {
        countRefused(outcome, m_stamp.ticks());
    }
}

} // namespace tracedeck::etw::engine

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/buffer_pool.h"
#include "core/etw/engine/log_file.h"
#include "core/etw/engine/loss_ledger.h"
#include "core/etw/engine/real_time.h"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::etw::engine {

/// Moves the full buffers of a session to its file, its consumers or both, each processor's in the order of their use,
/// and makes the pool larger while buffers run short.
///
/// It looks after the queue by itself, every few milliseconds: writers never signal it, as that would be a system call.
///
/// Threading: owns its thread; the functions are for the control thread, refusal() for any.
class Mover {
public:
    struct Settings {
        std::chrono::seconds flushTimer{0};
        std::uint32_t maximumBuffers = 0;
        GroupMasks groupMasks; ///< of a system logger: all that it has recorded, for the file's header
    };
    struct Figures {
        std::uint64_t buffersWritten = 0; ///< header buffer included
        std::uint64_t fileSize = 0;
        std::uint64_t buffersLost = 0;
        std::uint64_t eventsLost = 0;        ///< of all causes
        std::uint64_t eventsDiscarded = 0;   ///< of eventsLost: had been accepted into buffers that were not written
        std::uint64_t eventsOverwritten = 0; ///< by younger ones, in a circular file
        std::vector<std::string> paths;      ///< of the files, oldest first
        std::optional<Error> error;          ///< why writing stopped
    };

    /// What the mover asks for on its own thread.
    struct Callbacks {
        std::function<Bytes()> availableMemory; ///< before the pool grows
        std::function<FileTime(Ticks)> wallTimeOf;
        /// EVENT_TRACE_FILE_MODE_NEWFILE: the file that follows one that has its largest size. Its first buffer is to
        /// have this number, and none of its events is older than that.
        std::function<Result<std::unique_ptr<LogFile>>(std::int64_t firstNumber, Ticks oldest)> nextFile;
    };

    struct Clocks {
        const Clock& passing; ///< of the timers
        const Clock& stamp;   ///< of the events' times
    };
    /// One of them at least. With both, a buffer goes to the file and then to the consumers that are not behind.
    struct Destinations {
        std::unique_ptr<LogFile>* file = nullptr; ///< is taken where it holds one
        std::shared_ptr<RealTimeFeed> feed;
    };
    /// Throws std::system_error where there is no thread to be had; the file is as it was then.
    Mover(Clocks clocks, BufferPool& pool, LossLedger& ledger, const Destinations& destinations, Settings settings,
          Callbacks callbacks);
    /// Stops the thread. finish() comes first wherever the file matters.
    ~Mover();
    Mover(const Mover&) = delete;
    Mover& operator=(const Mover&) = delete;

    /// Returns when every event committed before the call is in the file or counted as lost. Without a file: when the
    /// consumers have what they have room for.
    void flush();
    /// As flush(), then completes and closes the file, and ends the consumers, who get all that is left. Where there
    /// are none, and no file, that is lost (NoFreeBuffer). Nobody may write any more.
    void finish();
    void update(Settings settings);
    [[nodiscard]] Settings settings();
    [[nodiscard]] Figures figures();
    /// Stops the thread and leaves the file as if the session had never been.
    [[nodiscard]] Status abandon();
    /// No event in the files is older; may lag behind. Any thread.
    [[nodiscard]] Ticks oldest() const noexcept { return m_oldest.load(std::memory_order_relaxed); }

    /// Set once writing has stopped for good: further events are lost by this cause.
    [[nodiscard]] std::optional<LossCause> refusal() const noexcept {
        const std::uint8_t refusal = m_refusal.load(std::memory_order_relaxed);
        return refusal == kAccepting ? std::nullopt : std::optional(static_cast<LossCause>(refusal));
    }

    /// While one lives, the mover looks after the queue as often as it can: a burst of events is known to come.
    class Hurry {
    public:
        explicit Hurry(Mover* mover) : m_mover(mover) {
            if (m_mover != nullptr) {
                m_mover->m_hurries.fetch_add(1);
                m_mover->wake();
            }
        }
        ~Hurry() {
            if (m_mover != nullptr) {
                m_mover->m_hurries.fetch_sub(1);
            }
        }
        Hurry(const Hurry&) = delete;
        Hurry& operator=(const Hurry&) = delete;

    private:
        Mover* m_mover;
    };

private:
    static constexpr std::uint8_t kAccepting = 0xFF;

    struct Waiting {
        std::uint32_t sequence;
        std::uint32_t index;
    };
    struct Stream {
        std::deque<Waiting> waiting; ///< by sequence
        std::uint32_t next = 1;      ///< sequence of the next buffer to be written
    };

    void run();
    void wake();
    [[nodiscard]] std::chrono::milliseconds pause() const;
    bool moveReady();
    void collect();
    void moveAll();
    /// Closes the processors' buffers: behind them a mark follows for the consumers.
    void beginMark();
    void endMark();
    /// Up to the last buffers that beginMark() or a flush has closed.
    [[nodiscard]] bool isBehind(const std::vector<std::uint32_t>& last) const;
    [[nodiscard]] bool canStore();
    void store(std::uint32_t index);
    [[nodiscard]] Status append(std::uint32_t index);
    /// False where nobody gets it.
    [[nodiscard]] bool deliver(const Buffer& full);
    [[nodiscard]] static std::shared_ptr<RealTimeBuffer> copyOf(const Buffer& full) noexcept;
    [[nodiscard]] std::string name() const;
    [[nodiscard]] Status beginNextFile();
    [[nodiscard]] Status closeFile();
    void stopThread();
    void refuse(const Error& error);
    void growIfShort();
    void watchDisk();

    const Clock& m_clock;
    const Clock& m_stamp;
    BufferPool& m_pool;
    LossLedger& m_ledger;
    std::unique_ptr<LogFile> m_file; ///< of the mover's thread; of the control thread before and after; may be none
    const std::shared_ptr<RealTimeFeed> m_feed; ///< may be none
    struct Mark {
        Ticks time = 0;
        std::vector<std::uint32_t> last; ///< sequence numbers by processor
    };
    std::optional<Mark> m_mark;    ///< of the mover's thread: to be made when everything before it is delivered
    std::size_t m_sinceMark = 0;   ///< buffers delivered; of the mover's thread
    std::uint64_t m_delivered = 0; ///< buffers, without a file; of the mover's thread
    std::atomic<bool> m_isFinishing{false};
    std::vector<Stream> m_streams;        ///< of the mover's thread
    Ticks m_lastTimedFlush;               ///< of the mover's thread
    Ticks m_lastDiskCheck;                ///< of the mover's thread
    std::optional<Ticks> m_memoryRefused; ///< when last; asked again a second later; of the mover's thread
    Callbacks m_callbacks;
    // Of the files before m_file; as that:
    std::uint64_t m_buffersBefore = 0;
    std::uint64_t m_sizeBefore = 0;
    std::uint64_t m_eventsLostBefore = 0;
    std::uint64_t m_buffersLostBefore = 0;

    std::atomic<std::uint8_t> m_refusal{kAccepting};
    std::atomic<Ticks> m_oldest;
    std::atomic<int> m_hurries{0};

    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_flushed;
    // Guarded by m_mutex:
    Settings m_settings;
    Figures m_figures;
    std::uint64_t m_flushesWanted = 0;
    std::uint64_t m_flushesDone = 0;
    bool m_isWoken = false;
    bool m_isStopping = false;

    std::thread m_thread; ///< last: it uses all of the above
};

} // namespace tracedeck::etw::engine

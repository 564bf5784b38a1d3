// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etw/engine/kernel_source.h"
#include "core/sources/linux/event_output.h"
#include "core/sources/linux/live_facts.h"
#include "core/sources/linux/machine.h"
#include "core/sources/linux/perf_session.h"
#include "core/sources/linux/process_scan.h"
#include "core/sources/linux/process_table.h"
#include "core/sources/linux/processor_watch.h"
#include "core/sources/linux/rundown.h"
#include "core/sources/linux/translator.h"

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace tracedeck::linux_source {

/// Everything that a run needs, decided before it starts.
struct RunPlan {
    PerfPlan perf;
    TranslationPlan translation;
    RundownFacts rundown;
    bool isRing = false;
    std::string onlineFile;                   ///< says which processors are online
    std::vector<etw::Limitation> limitations; ///< known before the start
};

/// A running recording.
///
///   kernel ──► rings, per processor ──► drain thread: gather, merge by time, translate ──► sink
///
/// The drain thread wakes every 50 ms, when a ring is half full, and at once when a program is started, to read its
/// command line while it lives. A round translates what is not newer than the round before, in the time order of all
/// processors: whatever the kernel was still writing then has long been written. The thread also carries out what the
/// engine asks for, so that the sink has one writer. Once a second it looks which processors are online. A ring whose
/// processor is gone holds nothing up: what is translated is decided by time alone.
///
/// What the thread cannot get over (no memory) ends the kernel's events: failure(). What had been translated stays.
///
/// Threading: as KernelRun. Ownership: joins its thread in stop() and in the destructor.
class LinuxKernelRun final : public etw::engine::KernelRun {
public:
    /// Opens the perf events, looks through /proc, writes the start rundown (file mode) and starts recording.
    /// `planner` makes the plan of another request; it is called on the engine's control thread.
    using Planner = std::function<Result<RunPlan>(const etw::engine::KernelRequest& request)>;
    static Result<std::unique_ptr<LinuxKernelRun>> start(PerfApi& api, const Clock& clock, const Roots& roots,
                                                         RunPlan plan, Planner planner, etw::engine::KernelSink& sink);
    ~LinuxKernelRun() override;

    void drain() override;
    void rundown() override;
    void mark(const std::string& text) override;
    [[nodiscard]] Status pause() override;
    [[nodiscard]] Status resume() override;
    [[nodiscard]] Status reconfigure(const etw::engine::KernelRequest& request) override;
    void stop() override;
    [[nodiscard]] std::optional<Error> failure() const override;
    [[nodiscard]] std::vector<etw::Limitation> limitations() const override;

private:
    enum class Request { None, Drain, Rundown, Mark, Pause, Resume, Reconfigure, Stop };

    LinuxKernelRun(PerfApi& api, const Clock& clock, const Roots& roots, RunPlan plan, Planner planner,
                   PerfSession session, int wakeUp, etw::engine::KernelSink& sink);
    Status begin();
    void run();
    /// Waits and does what is to be done; false where that was to stop.
    [[nodiscard]] bool turn();
    /// Ends the kernel's events after what turn() has thrown, and answers whoever waits.
    [[nodiscard]] bool giveUp(ErrorCode why);
    /// Hands a request to the drain thread and waits until it is carried out.
    Status ask(Request request, std::string text = {});
    [[nodiscard]] bool serve();
    [[nodiscard]] Status carryOut(Request request, const std::string& text, Ticks asked);
    [[nodiscard]] Status carryOutPause(Request request);
    [[nodiscard]] Status carryOutReconfigure();

    /// Reads the rings that wake the reader.
    void noteExecs();
    void round(Ticks watermark);
    /// Translates everything up to `time`.
    void drainUpTo(Ticks time);
    void finish();
    void publishCounts();
    /// Closes and opens rings as processors go and come.
    void followProcessors();
    /// Says what is to be polled: our own wake-up, the rings, the rings that wake us.
    void pollAll();
    /// Waits; true where a ring is half full.
    bool wait(std::chrono::nanoseconds timeout);
    [[nodiscard]] bool pollRings(std::chrono::nanoseconds timeout);

    PerfApi& m_api;
    const Clock& m_clock;
    RunPlan m_plan;
    const Planner m_planner;
    ProcFiles m_proc;
    PerfSession m_session;
    SystemLiveFacts m_facts;
    ProcessTable m_table;
    EventOutput m_output;
    Translator m_translator;
    RecordMerger m_merger;
    std::optional<ProcessorWatch> m_watch; ///< from the recording's start on
    std::vector<pollfd> m_polled;          ///< as pollAll() has it; empty: polling has failed
    int m_wakeUp = -1;
    Ticks m_gatheredAt = 0; ///< when the last round looked at the rings
    Ticks m_nextRound = 0;
    Ticks m_prunedAt = 0;
    bool m_isPaused = false;
    Ticks m_lookedAt = 0; ///< when followProcessors() did

    std::atomic<std::uint64_t> m_shortStacks{0};
    std::atomic<std::uint64_t> m_userStacks{0};
    std::atomic<std::uint64_t> m_missedExecs{0};
    std::atomic<std::uint64_t> m_unreportedSwitches{0};
    std::atomic<std::uint64_t> m_unreportedWakings{0};
    std::vector<std::atomic<std::uint64_t>> m_unreportedActivities; ///< by kind
    std::atomic<std::uint64_t> m_untouchedFiles{0};
    ScanGaps m_gaps;

    mutable std::mutex m_mutex;      ///< guards the request and the failure
    std::condition_variable m_asked; ///< for a thread that cannot poll
    std::condition_variable m_carriedOut;
    Request m_request = Request::None;
    Ticks m_askedAt = 0;
    std::string m_text;
    std::optional<RunPlan> m_newPlan;   ///< of Request::Reconfigure
    Status m_outcome;                   ///< of the last request
    std::optional<ErrorCode> m_failure; ///< written by the drain thread alone
    std::thread m_thread;
};

} // namespace tracedeck::linux_source

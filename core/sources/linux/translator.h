// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/activities.h"
#include "core/sources/linux/elf_layout.h"
#include "core/sources/linux/event_output.h"
#include "core/sources/linux/live_facts.h"
#include "core/sources/linux/perf_ring.h"
#include "core/sources/linux/perf_session.h"
#include "core/sources/linux/process_table.h"
#include "core/sources/linux/stack_pool.h"
#include "core/sources/linux/tracepoint_format.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tracedeck::linux_source {

/// What becomes of records.
struct TranslationPlan {
    bool hasProcesses = false;
    bool hasThreads = false;
    bool hasImages = false;
    bool hasProfileStacks = false;
    bool hasSwitchStacks = false;
    bool hasWakingStacks = false;
    struct SwitchFields {
        TracepointField previousId, previousPrio, previousState, nextId, nextPrio;
        TaskStates states;
    } switches;
    struct WakingFields {
        TracepointField id, flags;
    } waking;
    std::vector<ActivityPlan> activities;
    std::uint32_t processors = 1;
    Ticks clockTick = 4'000'000; ///< of the timer, trace clock
    Ticks profileInterval = 1'000'000;
};

/// Turns perf records, given in time order over all processors, into the kernel's ETW events, and keeps the table of
/// processes, threads and images by them. mapping.h says what becomes what.
///
/// Threading: one thread at a time. Samples, switches and wakes neither allocate nor call the system.
class Translator : private ActivitySink {
public:
    Translator(const TranslationPlan& plan, ProcessTable& table, EventOutput& output, LiveFacts& facts,
               const ProcFiles& proc, const Clock& clock);

    void translate(const Record& record);
    /// What the processor does from now on is not known: its events have ended.
    void loseProcessor(std::uint32_t processor);
    /// Activity ends for a while, or goes on otherwise: nothing is known of it until there is more.
    void breakOff(Ticks now);
    /// After breakOff(), for what happens from now on. The number of processors stays.
    void changePlan(const TranslationPlan& plan);
    /// Every so often: forgets what nobody can ask for any more.
    void prune(Ticks now);
    /// At the end: closes throttled spans and counts what the kernel lost or left out without saying so in a record.
    void finish(const std::optional<KernelCounts>& counts, Ticks now);

    /// Where the image lies whose mapping `image` tells (codeBegin, codeEnd, fileName, buildId where it is known), from
    /// `offset` of the file. Tells the build-id where it was not known. `inode`: 0 where it is not known.
    ImagePlace place(std::uint32_t process, Image& image, std::uint64_t offset, std::uint64_t inode);
    /// Files whose layout is not known because reading them might have waited for others.
    [[nodiscard]] std::uint64_t untouchedFiles() const noexcept { return m_layouts.untouchedFiles(); }

    /// User stacks without a caller, and all user stacks.
    struct StackCounts {
        std::uint64_t shortOnes = 0;
        std::uint64_t all = 0;
    };
    [[nodiscard]] StackCounts stackCounts() const noexcept { return m_stackCounts; }

    /// What happened, by the kernel's own word, and came as no record although no ring was full.
    ///
    /// Some kernels keep a few threads out of every record (sandboxes their init, and with it the idle threads of all
    /// processors but the first). A switch away from such a thread shows as a gap: the next switch of that processor
    /// leaves a thread to which none led. A wake shows in the count of the event alone.
    struct Unreported {
        std::uint64_t switches = 0;
        std::uint64_t wakings = 0; ///< known only after finish()
    };
    [[nodiscard]] Unreported unreported() const noexcept { return m_unreported; }
    [[nodiscard]] const Activities& activities() const noexcept { return m_activities; }

private:
    struct ProcessorState {
        std::uint32_t threadId = kUnknownId; ///< by the last switch
        bool isSwitchKnown = false;          ///< nothing was lost since then
        Ticks lastTime = 0;
        bool isThrottled = false;
        Ticks throttledSince = 0; ///< while throttled and not idle
        Ticks firstThrottled = 0; ///< of this span
        Ticks throttledTicks = 0; ///< of this span until throttledSince, idle time left out
        bool isGuessed = false;   ///< since throttledSince it is not known what runs

        [[nodiscard]] bool isIdle() const noexcept { return isSwitchKnown && threadId == 0; }
    };

    EventOutput& output() noexcept override { return m_output; }
    ProcessTable& table() noexcept override { return m_table; }
    void stack(const Record& record, Ticks eventTime, std::span<const std::uint64_t> chain) noexcept override;

    void onClock(const Record& record);
    void onSwitch(const Record& record);
    void onWaking(const Record& record);
    void onFork(const Record& record);
    void onExit(const Record& record);
    void onComm(const Record& record);
    void onExec(const Record& record, std::string comm);
    void onMapping(const Record& record);
    void onLost(const Record& record);
    void onThrottle(const Record& record);
    void endThrottle(std::uint32_t processor, Ticks end);

    void noteSwitch(const Record& record, std::uint32_t oldId, std::uint32_t newId) noexcept;
    void pauseThrottle(ProcessorState& state, Ticks time) const noexcept;
    static void resumeThrottle(ProcessorState& state, Ticks time) noexcept;
    void leave(const Record& record, std::uint32_t tid, char state, std::span<const std::uint64_t> chain);
    void writeProcess(const Record& record, std::uint16_t hookId, const Process& process, std::uint32_t actorProcess,
                      std::uint32_t actorThread);
    void writeThread(const Record& record, std::uint16_t hookId, const Thread& thread, std::uint32_t actorProcess,
                     std::uint32_t actorThread);
    void writeImage(const Record& record, std::uint16_t hookId, const Process& process, const Image& image,
                    std::uint32_t actorThread);
    void endThread(const Record& record, Thread& thread);
    void endProcess(const Record& record, Process& process, std::uint32_t actorThread);
    void startProcess(const Record& record, const Process& parent, std::uint32_t process, std::uint32_t parentThread);
    void addImage(const Record& record, Process& process, Image image);
    void unloadImage(const Record& record, Process& process, std::size_t index);
    void unloadUnmapped(const Record& record, Process& process);
    void count(const Frames& frames) noexcept;
    [[nodiscard]] FileTime wallTimeOf(Ticks time) const noexcept;

    TranslationPlan m_plan;
    ProcessTable& m_table;
    EventOutput& m_output;
    LiveFacts& m_facts;
    const ProcFiles& m_proc;
    const Clock& m_clock;
    ElfLayouts m_layouts;
    StackPool m_stacks;
    Frames m_frames;
    std::vector<ProcessorState> m_processors;
    Activities m_activities{*this};
    std::uint64_t m_lostReported = 0;
    StackCounts m_stackCounts;
    std::uint64_t m_wakings = 0;
    Unreported m_unreported;
};

/// A process as an event tells it; used by the rundown too.
etlformat::ProcessFields fieldsOf(const Process& process);
etlformat::ThreadFields fieldsOf(const Thread& thread);
etlformat::ImageFields fieldsOf(const Image& image, std::uint32_t processId);

} // namespace tracedeck::linux_source

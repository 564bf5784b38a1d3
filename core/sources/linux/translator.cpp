// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/translator.h"

#include <algorithm>

namespace tracedeck::linux_source {

namespace hook = etlformat::hook;
namespace version = etlformat::event_version;

namespace {

/// More threads than this that take turns lose their stacks of context switches now and then.
constexpr std::uint32_t kStackSlots = 4096;
/// More images than this can only be ones that were unmapped and of which /proc does not tell.
constexpr std::size_t kMostImages = 16'384;
/// common_flags of a tracepoint: in a hardware or soft interrupt.
constexpr std::int64_t kInInterrupt = 0x08 | 0x10;

// Places in the bodies of records, from linux/perf_event.h.
namespace task {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kParent = 4;
constexpr std::size_t kThread = 8;
constexpr std::size_t kParentThread = 12;
} // namespace task
namespace comm {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kThread = 4;
constexpr std::size_t kName = 8;
} // namespace comm
namespace mapping {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kAddress = 8;
constexpr std::size_t kLength = 16;
constexpr std::size_t kOffset = 24;
constexpr std::size_t kInode = 40;
constexpr std::size_t kBuildIdSize = 32;
constexpr std::size_t kBuildId = 36;
constexpr std::size_t kName = 64;
constexpr std::size_t kLongestBuildId = 20;
} // namespace mapping

std::string text(const Record& record, std::size_t offset) {
    if (offset >= record.body.size()) {
        return {};
    }
    const auto* begin = reinterpret_cast<const char*>(record.body.data() + offset);
    return {begin, ::strnlen(begin, record.body.size() - offset)};
}

} // namespace

etlformat::ProcessFields fieldsOf(const Process& process) {
    etlformat::ProcessFields fields;
    fields.uniqueProcessKey = process.key;
    fields.processId = process.id;
    fields.parentId = process.parent;
    fields.sessionId = process.session;
    fields.exitStatus = process.exitStatus;
    fields.user = sidOfUser(process.uid);
    fields.imageFileName = process.name;
    fields.commandLine = process.commandLine;
    fields.exitTime = process.exitTime;
    return fields;
}

etlformat::ThreadFields fieldsOf(const Thread& thread) {
    etlformat::ThreadFields fields;
    fields.processId = thread.process;
    fields.threadId = thread.id;
    fields.affinity = thread.affinity;
    fields.basePriority = thread.priority;
    fields.name = thread.name;
    return fields;
}

etlformat::ImageFields fieldsOf(const Image& image, std::uint32_t processId) {
    etlformat::ImageFields fields;
    fields.base = image.place.base;
    fields.size = image.place.size;
    fields.defaultBase = image.place.defaultBase;
    fields.processId = processId;
    fields.fileName = image.fileName;
    return fields;
}

Translator::Translator(const TranslationPlan& plan, ProcessTable& table, EventOutput& output, LiveFacts& facts,
                       const ProcFiles& proc, const Clock& clock)
    : m_plan(plan), m_table(table), m_output(output), m_facts(facts), m_proc(proc), m_clock(clock),
      m_layouts(proc, clock), m_stacks(kStackSlots), m_processors(plan.processors) {
    m_activities.change(m_plan.activities);
}

void Translator::changePlan(const TranslationPlan& plan) {
    m_plan = plan;
    m_activities.change(m_plan.activities);
}

void Translator::translate(const Record& record) {
    switch (record.type) {
    case PERF_RECORD_SAMPLE:
        if (record.origin == Origin::Clock) {
            onClock(record);
        } else if (record.origin == Origin::Switch) {
            onSwitch(record);
        } else if (record.origin == Origin::Waking) {
            onWaking(record);
        } else if (record.origin == Origin::Point) {
            m_activities.translate(record);
        }
        break;
    case PERF_RECORD_FORK:
        onFork(record);
        break;
    case PERF_RECORD_EXIT:
        onExit(record);
        break;
    case PERF_RECORD_COMM:
        onComm(record);
        break;
    case PERF_RECORD_MMAP2:
        onMapping(record);
        break;
    case PERF_RECORD_LOST:
    case PERF_RECORD_LOST_SAMPLES:
        onLost(record);
        break;
    case PERF_RECORD_THROTTLE:
        onThrottle(record);
        break;
    case PERF_RECORD_UNTHROTTLE:
        endThrottle(record.processor, record.time);
        break;
    default:
        break; // nothing else was asked for
    }
    m_processors[record.processor].lastTime = record.time;
}

void Translator::onClock(const Record& record) {
    // A thread on its way out has no id any more (-1); the processor still runs it.
    std::uint32_t tid = record.threadId;
    if (tid == kUnknownId) {
        tid = m_processors[record.processor].threadId;
    }
    const etlformat::SampledProfilePayload payload{record.instructionPointer, tid, 1, 0};
    const Ticks time =
        m_output.perfinfo(record.processor, record.time, hook::kSampledProfile, version::kSampledProfile, payload);
    if (m_plan.hasProfileStacks) {
        m_frames.assign(SampleBody::of(record, true, false).chain);
        count(m_frames);
        m_output.stack(record.processor, time, m_table.processOf(record.processId, tid), tid, m_frames.view());
    }
}

void Translator::onSwitch(const Record& record) {
    const SampleBody sample = SampleBody::of(record, m_plan.hasSwitchStacks, true);
    const TranslationPlan::SwitchFields& fields = m_plan.switches;
    const auto oldId = static_cast<std::uint32_t>(fields.previousId.read(sample.raw));
    const auto newId = static_cast<std::uint32_t>(fields.nextId.read(sample.raw));
    const char state = fields.states.letter(fields.previousState.read(sample.raw));

    etlformat::CSwitchPayload payload;
    payload.newThreadId = newId;
    payload.oldThreadId = oldId;
    payload.newThreadPriority =
        newId == 0 ? std::int8_t{0} : priorityOf(static_cast<int>(fields.nextPrio.read(sample.raw)));
    payload.oldThreadPriority =
        oldId == 0 ? std::int8_t{0} : priorityOf(static_cast<int>(fields.previousPrio.read(sample.raw)));
    if (oldId != 0) {
        const OldThread old = oldThreadOf(state);
        payload.oldThreadState = old.state;
        payload.oldThreadWaitReason = old.reason;
    }
    payload.oldThreadWaitIdealProcessor = static_cast<std::int8_t>(record.processor);

    Thread* next = newId == 0 ? nullptr : m_table.findThread(newId);
    const bool hasBeenAway = next != nullptr && next->switchedOut != 0;
    if (hasBeenAway) {
        const Ticks away = std::max<Ticks>(record.time - next->switchedOut, 0);
        payload.newThreadWaitTime = static_cast<std::uint32_t>(away / m_plan.clockTick);
    }
    const Ticks time = m_output.perfinfo(record.processor, record.time, hook::kCSwitch, version::kCSwitch, payload);
    if (hasBeenAway) {
        m_output.stack(record.processor, time, next->process, newId, m_stacks.frames(next->stackSlot));
        next->switchedOut = 0;
    }
    noteSwitch(record, oldId, newId);
    if (oldId != 0) {
        leave(record, oldId, state, sample.chain);
    }
}

void Translator::noteSwitch(const Record& record, std::uint32_t oldId, std::uint32_t newId) noexcept {
    ProcessorState& state = m_processors[record.processor];
    if (state.isSwitchKnown && state.threadId != oldId) {
        // A thread that starts a program takes over the id of its process: that is no gap.
        const Thread* last = m_table.findThread(state.threadId);
        m_unreported.switches += last != nullptr && last->process == oldId ? 0U : 1U;
    }
    state.threadId = newId;
    state.isSwitchKnown = true;
    if (state.isThrottled && (newId == 0 || state.isGuessed)) {
        pauseThrottle(state, record.time);
    }
    if (state.isThrottled && newId != 0 && state.throttledSince == 0) {
        resumeThrottle(state, record.time);
    }
}

void Translator::leave(const Record& record, std::uint32_t tid, char state, std::span<const std::uint64_t> chain) {
    Thread* thread = m_table.findThread(tid);
    const bool isDead = state == 'X' || state == 'Z';
    if (thread == nullptr && !isDead && record.processId != kUnknownId) {
        // Its start was lost; what it does from here on is known.
        Thread unknown;
        unknown.id = tid;
        unknown.process = record.processId;
        unknown.affinity = ~std::uint64_t{0};
        thread = &m_table.addThread(std::move(unknown));
    }
    if (thread == nullptr || isDead) {
        return;
    }
    thread->switchedOut = record.time;
    if (m_plan.hasSwitchStacks) {
        m_frames.assign(chain);
        count(m_frames);
        m_stacks.keep(thread->stackSlot, m_frames.view());
    }
}

void Translator::onWaking(const Record& record) {
    ++m_wakings;
    const SampleBody sample = SampleBody::of(record, m_plan.hasWakingStacks, true);
    etlformat::ReadyThreadPayload payload;
    payload.threadId = static_cast<std::uint32_t>(m_plan.waking.id.read(sample.raw));
    payload.adjustReason = etlformat::ReadyThreadPayload::kUnwait;
    if ((m_plan.waking.flags.read(sample.raw) & kInInterrupt) != 0) {
        payload.flag = etlformat::ReadyThreadPayload::kExecutingDpc;
    }
    const Ticks time =
        m_output.perfinfo(record.processor, record.time, hook::kReadyThread, version::kReadyThread, payload);
    if (m_plan.hasWakingStacks) {
        stack(record, time, sample.chain);
    }
}

void Translator::stack(const Record& record, Ticks eventTime, std::span<const std::uint64_t> chain) noexcept {
    m_frames.assign(chain);
    count(m_frames);
    m_output.stack(record.processor, eventTime, m_table.processOf(record.processId, record.threadId), record.threadId,
                   m_frames.view());
}

void Translator::count(const Frames& frames) noexcept {
    m_stackCounts.all += frames.userCount > 0 ? 1U : 0U;
    m_stackCounts.shortOnes += frames.userCount == 1 ? 1U : 0U;
}

void Translator::onFork(const Record& record) {
    const auto linuxProcess = record.at<std::uint32_t>(task::kProcess);
    const auto linuxParent = record.at<std::uint32_t>(task::kParent);
    const auto tid = record.at<std::uint32_t>(task::kThread);
    const auto parentThread = record.at<std::uint32_t>(task::kParentThread);
    const std::uint32_t parentId = m_table.processOf(linuxParent, parentThread);

    const Thread* maker = m_table.findThread(parentThread);
    Thread thread;
    thread.id = tid;
    thread.affinity = maker != nullptr ? maker->affinity : ~std::uint64_t{0};
    thread.priority = maker != nullptr ? maker->priority : std::uint8_t{8};
    thread.name = maker != nullptr ? maker->name : std::string();
    if (linuxParent == kKthreadd || (parentId == kSystemProcess && linuxProcess != linuxParent)) {
        // A kernel worker that makes a process does so to start a program: it is the kernel's until its exec.
        thread.process = kSystemProcess;
    } else if (linuxProcess == linuxParent) {
        thread.process = parentId;
    } else {
        thread.process = linuxProcess;
        const Process* parent = m_table.findProcess(parentId);
        Process unknown; // its own start was lost
        unknown.id = parentId;
        startProcess(record, parent != nullptr ? *parent : unknown, linuxProcess, parentThread);
    }
    writeThread(record, hook::kThreadStart, m_table.addThread(std::move(thread)), parentId, parentThread);
    if (linuxProcess != linuxParent && m_plan.hasImages) {
        if (const Process* process = m_table.findProcess(linuxProcess)) {
            for (const Image& image : process->images) {
                writeImage(record, hook::kImageLoad, *process, image, tid);
            }
        }
    }
}

void Translator::startProcess(const Record& record, const Process& parent, std::uint32_t process,
                              std::uint32_t parentThread) {
    const std::uint32_t parentId = parent.id;
    Process child = parent;
    child.id = process;
    child.parent = parentId;
    child.exitStatus = etlformat::ProcessFields::kStillActive;
    child.liveThreads = 0;
    child.unloadedImages.clear();
    writeProcess(record, hook::kProcessStart, m_table.addProcess(std::move(child)), parentId, parentThread);
}

void Translator::onExit(const Record& record) {
    const auto tid = record.at<std::uint32_t>(task::kThread);
    Thread* thread = m_table.findThread(tid);
    if (thread == nullptr || thread->ended != 0) {
        return; // it started before anybody looked, or its start was lost
    }
    const std::uint32_t processId = thread->process;
    endThread(record, *thread);
    Process* process = m_table.findProcess(processId);
    if (process != nullptr && process->liveThreads == 0 && processId != kSystemProcess && processId != kIdleProcess) {
        if (const auto status = m_facts.takeExit(processId, record.time)) {
            process->exitStatus = *status;
        }
        endProcess(record, *process, tid);
    }
}

void Translator::endThread(const Record& record, Thread& thread) {
    writeThread(record, hook::kThreadEnd, thread, thread.process, thread.id);
    m_table.endThread(thread, record.time);
}

void Translator::endProcess(const Record& record, Process& process, std::uint32_t actorThread) {
    for (const Image& image : process.images) {
        writeImage(record, hook::kImageUnload, process, image, actorThread);
    }
    const std::uint32_t id = process.id;
    const Process& ended = m_table.endProcess(process, record.time, wallTimeOf(record.time));
    writeProcess(record, hook::kProcessEnd, ended, id, actorThread);
}

void Translator::onComm(const Record& record) {
    const auto tid = record.at<std::uint32_t>(comm::kThread);
    std::string name = text(record, comm::kName);
    if ((record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
        onExec(record, std::move(name));
        return;
    }
    Thread* thread = m_table.findThread(tid);
    if (thread == nullptr || thread->name == name) {
        return;
    }
    thread->name = std::move(name);
    if (m_plan.hasThreads) {
        const auto payload = etlformat::encodeThreadSetName(thread->process, tid, thread->name);
        m_output.system(record.processor, record.time, hook::kThreadSetName, version::kThreadSetName, payload,
                        m_table.processOf(record.processId, record.threadId), record.threadId);
    }
}

void Translator::onExec(const Record& record, std::string comm) {
    const auto id = record.at<std::uint32_t>(comm::kProcess);
    Process started;
    started.id = id;
    Thread main;
    main.id = id;
    main.process = id;
    main.affinity = ~std::uint64_t{0};
    if (Thread* thread = m_table.findThread(id)) {
        main.affinity = thread->affinity;
        main.priority = thread->priority;
        if (thread->process != id) { // a program that the kernel starts
            started.parent = thread->process;
            started.session = 0;
            endThread(record, *thread);
        }
    }
    if (Process* process = m_table.findProcess(id)) {
        started.parent = process->parent;
        started.session = process->session;
        started.uid = process->uid;
        // The thread that calls exec goes on as the main thread; all others are dead, and their ends may come late.
        for (auto& [tid, thread] : m_table.threads()) {
            if (thread.process == id && thread.ended == 0) {
                endThread(record, thread);
            }
        }
        process->exitStatus = 0; // a program that makes room for another has not failed
        endProcess(record, *process, id);
    }
    const auto facts = m_facts.takeExec(id, record.time, comm);
    started.commandLine = facts ? facts->commandLine : std::string();
    started.name = processName(comm, facts ? facts->executable : std::string(), started.commandLine);
    if (facts) {
        started.uid = facts->uid.value_or(started.uid);
        started.session = facts->session.value_or(started.session);
    }
    main.name = std::move(comm);
    writeProcess(record, hook::kProcessStart, m_table.addProcess(std::move(started)), id, id);
    writeThread(record, hook::kThreadStart, m_table.addThread(std::move(main)), id, id);
}

void Translator::onMapping(const Record& record) {
    const auto linuxProcess = record.at<std::uint32_t>(mapping::kProcess);
    Process* process = linuxProcess == kUnknownId ? nullptr : m_table.findProcess(linuxProcess);
    Image image;
    if (process == nullptr || !imageFileName(text(record, mapping::kName), image.fileName)) {
        return;
    }
    const auto address = record.at<std::uint64_t>(mapping::kAddress);
    const auto length = record.at<std::uint64_t>(mapping::kLength);
    std::uint64_t inode = 0;
    if ((record.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
        const std::size_t size =
            std::min<std::size_t>(record.at<std::uint8_t>(mapping::kBuildIdSize), mapping::kLongestBuildId);
        for (std::size_t i = 0; i < size; ++i) {
            image.buildId += record.at<char>(mapping::kBuildId + i);
        }
    } else {
        inode = record.at<std::uint64_t>(mapping::kInode);
    }
    image.codeBegin = address;
    image.codeEnd = address + length;
    image.place = place(process->id, image, record.at<std::uint64_t>(mapping::kOffset), inode);
    addImage(record, *process, std::move(image));
}

ImagePlace Translator::place(std::uint32_t process, Image& image, std::uint64_t offset, std::uint64_t inode) {
    const std::uint64_t length = image.codeEnd - image.codeBegin;
    if (image.fileName.front() != '/') {
        return {image.codeBegin, length, 0}; // [vdso]
    }
    const ElfLayout& layout = m_layouts.find({image.fileName, image.buildId, inode, process});
    if (image.buildId.empty()) {
        image.buildId = layout.buildId;
    }
    return placeImage(layout, image.codeBegin, length, offset);
}

void Translator::addImage(const Record& record, Process& process, Image image) {
    if (process.images.size() >= process.manyImages) {
        unloadUnmapped(record, process);
    }
    for (std::size_t i = 0; i < process.images.size();) {
        Image& other = process.images[i];
        if (other.fileName == image.fileName && other.place.base == image.place.base) {
            other.codeBegin = std::min(other.codeBegin, image.codeBegin);
            other.codeEnd = std::max(other.codeEnd, image.codeEnd);
            return; // another mapping of the same image, or its rights were changed
        }
        if (image.codeBegin < other.codeEnd && other.codeBegin < image.codeEnd) {
            unloadImage(record, process, i);
        } else {
            ++i;
        }
    }
    writeImage(record, hook::kImageLoad, process, image, record.threadId);
    process.images.push_back(std::move(image));
}

void Translator::unloadImage(const Record& record, Process& process, std::size_t index) {
    writeImage(record, hook::kImageUnload, process, process.images[index], record.threadId);
    m_table.unloadImage(process, index, record.time);
}

/// A program that loads and unloads plug-ins, each time at another address, would fill the table without end. What is
/// mapped now tells what of it has gone; asked at each doubling only, it costs next to nothing.
void Translator::unloadUnmapped(const Record& record, Process& process) {
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };
    std::vector<Range> mapped; // in order, as /proc has it
    if (const auto maps = readWhole(m_proc.path(process.id, "maps"))) {
        forEachLine(*maps, [&](std::string_view line) {
            const auto map = parseMapLine(line);
            if (map && map->isExecutable) {
                mapped.push_back({map->start, map->end});
            }
        });
    }
    // By address alone: a process in a container knows its files by other names than we do.
    const auto isMapped = [&](const Image& image) {
        const auto at = std::upper_bound(mapped.begin(), mapped.end(), image.codeBegin,
                                         [](std::uint64_t begin, const Range& range) { return begin < range.end; });
        return at != mapped.end() && at->begin < image.codeEnd;
    };
    for (std::size_t i = process.images.size(); i > 0 && !mapped.empty(); --i) {
        if (!isMapped(process.images[i - 1])) {
            unloadImage(record, process, i - 1);
        }
    }
    while (process.images.size() >= kMostImages) {
        unloadImage(record, process, 0);
    }
    process.manyImages = std::clamp(2 * process.images.size(), kManyImages, kMostImages);
}

void Translator::onLost(const Record& record) {
    const bool isCounted = record.type == PERF_RECORD_LOST; // in PERF_FORMAT_LOST too
    const auto lost = record.at<std::uint64_t>(isCounted ? 8 : 0);
    m_lostReported += isCounted ? lost : 0;
    m_processors[record.processor].isSwitchKnown = false;
    m_output.lost(etw::LossCause::SourceOverflow, lost, m_processors[record.processor].lastTime);
}

/// The kernel does not count what it skips: it is the samples that were due in that time. It throttles idle processors,
/// too, as a matter of course: with their clock tick stopped, the count that is to be kept low is never reset. What is
/// skipped then are samples of the idle thread, and nobody has lost anything. Where the switches do not tell (they are
/// not recorded, or some were lost), the span tells: a processor that is busy ends it at its next clock tick.
void Translator::onThrottle(const Record& record) {
    ProcessorState& state = m_processors[record.processor];
    if (state.isThrottled) {
        return;
    }
    state.isThrottled = true;
    state.firstThrottled = 0;
    state.throttledTicks = 0;
    state.throttledSince = 0;
    if (!state.isIdle()) {
        resumeThrottle(state, record.time);
    }
}

void Translator::resumeThrottle(ProcessorState& state, Ticks time) noexcept {
    state.throttledSince = time;
    state.isGuessed = !state.isSwitchKnown;
    state.firstThrottled = state.firstThrottled == 0 ? time : state.firstThrottled;
}

void Translator::pauseThrottle(ProcessorState& state, Ticks time) const noexcept {
    if (state.throttledSince != 0) {
        const Ticks span = std::max<Ticks>(time - state.throttledSince, 0);
        state.throttledTicks += state.isGuessed ? std::min(span, m_plan.clockTick) : span;
        state.throttledSince = 0;
    }
}

void Translator::endThrottle(std::uint32_t processor, Ticks end) {
    ProcessorState& state = m_processors[processor];
    if (!state.isThrottled) {
        return;
    }
    pauseThrottle(state, end);
    state.isThrottled = false;
    const Ticks missed = (state.throttledTicks + m_plan.profileInterval / 2) / m_plan.profileInterval;
    if (missed > 0) {
        m_output.lost(etw::LossCause::SourceThrottled, static_cast<std::uint64_t>(missed), state.firstThrottled);
    }
}

void Translator::finish(const std::optional<KernelCounts>& counts, Ticks now) {
    Ticks last = 0;
    for (std::uint32_t processor = 0; processor < m_processors.size(); ++processor) {
        endThrottle(processor, now);
        last = std::max(last, m_processors[processor].lastTime);
    }
    // A LOST record is written with the next record that fits; after the last one there is none.
    if (counts && counts->lost > m_lostReported) {
        m_output.lost(etw::LossCause::SourceOverflow, counts->lost - m_lostReported, last);
        m_lostReported = counts->lost;
    }
    if (counts && counts->wakings > m_wakings) {
        m_unreported.wakings = counts->wakings - m_wakings;
    }
    if (counts) {
        m_activities.finish(*counts);
    }
}

void Translator::loseProcessor(std::uint32_t processor) {
    endThrottle(processor, m_processors[processor].lastTime);
    m_processors[processor].isSwitchKnown = false;
}

void Translator::breakOff(Ticks now) {
    for (std::uint32_t processor = 0; processor < m_processors.size(); ++processor) {
        endThrottle(processor, now);
        m_processors[processor].isSwitchKnown = false;
    }
    for (auto& [tid, thread] : m_table.threads()) {
        thread.switchedOut = 0; // it may come and go unseen: how long it was away then, and where, is not known
    }
    m_activities.breakOff();
}

void Translator::prune(Ticks now) {
    m_table.prune(m_output.oldest(), now, [this](Thread& thread) { m_stacks.forget(thread.stackSlot); });
}

FileTime Translator::wallTimeOf(Ticks time) const noexcept {
    return m_clock.wallTime() - (m_clock.ticks() - time) / (m_clock.frequency() / 10'000'000);
}

void Translator::writeProcess(const Record& record, std::uint16_t hookId, const Process& process,
                              std::uint32_t actorProcess, std::uint32_t actorThread) {
    if (m_plan.hasProcesses) {
        m_output.system(record.processor, record.time, hookId, version::kProcess,
                        etlformat::encodeProcess(hookId, fieldsOf(process)), actorProcess, actorThread);
    }
}

void Translator::writeThread(const Record& record, std::uint16_t hookId, const Thread& thread,
                             std::uint32_t actorProcess, std::uint32_t actorThread) {
    if (m_plan.hasThreads) {
        m_output.system(record.processor, record.time, hookId, version::kThread,
                        etlformat::encodeThread(fieldsOf(thread)), actorProcess, actorThread);
    }
}

void Translator::writeImage(const Record& record, std::uint16_t hookId, const Process& process, const Image& image,
                            std::uint32_t actorThread) {
    if (m_plan.hasImages) {
        m_output.system(record.processor, record.time, hookId, version::kImage,
                        etlformat::encodeImage(fieldsOf(image, process.id)), process.id, actorThread);
    }
}

} // namespace tracedeck::linux_source

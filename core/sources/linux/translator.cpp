// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/translator.h"

#include <algorithm>

namespace tracedeck::linux_source {

namespace hook = etlformat::hook;
namespace version = etlformat::event_version;

namespace {

/// More threads than this that take turns lose their stacks of context switches now and then.
constexpr std::uint32_t kStackSlots = 4096;
/// common_flags of a tracepoint: in a hardware or soft interrupt.
constexpr std::int64_t kInInterrupt = 0x08 | 0x10;

} // namespace

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

} // namespace tracedeck::linux_source

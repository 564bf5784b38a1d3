// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/linux_kernel_run.h"

#include "core/sources/linux/quiet_thread.h"

#include <algorithm>
#include <cerrno>
#include <exception>
#include <iterator>
#include <limits>
#include <new>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace tracedeck::linux_source {
namespace {

constexpr Ticks kMillisecond = 1'000'000;
constexpr Ticks kRound = 50 * kMillisecond;
/// After a ring was half full: soon enough, and long enough for the kernel to finish what it was writing.
constexpr Ticks kBusyRound = 2 * kMillisecond;
/// A record is written within microseconds of its time stamp, unless an interrupt or the hypervisor comes between.
constexpr std::chrono::milliseconds kPublication{1};
constexpr Ticks kPruneEvery = 1000 * kMillisecond;
constexpr Ticks kLookEvery = 1000 * kMillisecond;
constexpr int kMostStartRetries = 5;
constexpr Origin kActivity[] = {Origin::Clock, Origin::Switch, Origin::Waking, Origin::Point};

} // namespace

Result<std::unique_ptr<LinuxKernelRun>> LinuxKernelRun::start(PerfApi& api, const Clock& clock, const Roots& roots,
                                                              RunPlan plan, Planner planner,
                                                              etw::engine::KernelSink& sink) {
    auto session = PerfSession::open(api, plan.perf);
    if (!session) {
        return fail(session.error());
    }
    if (session->ringSize() < plan.perf.ringSize) {
        plan.limitations.push_back({etw::LimitationCode::MlockLimit,
                                    std::to_string(session->ringSize().count / 1024) + " KiB instead of " +
                                        std::to_string(plan.perf.ringSize.count / 1024) + " KiB for each processor",
                                    0});
    }
    const int wakeUp = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (wakeUp < 0) {
        return fail(errnoError(errno, "eventfd", ErrorCode::KernelSourceFailed));
    }
    std::unique_ptr<LinuxKernelRun> run(
        new LinuxKernelRun(api, clock, roots, std::move(plan), std::move(planner), *std::move(session), wakeUp, sink));
    if (const Status begun = run->begin(); !begun) {
        return fail(begun.error());
    }
    return run;
}

LinuxKernelRun::LinuxKernelRun(PerfApi& api, const Clock& clock, const Roots& roots, RunPlan plan, Planner planner,
                               PerfSession session, int wakeUp, etw::engine::KernelSink& sink)
    : m_api(api), m_clock(clock), m_plan(std::move(plan)), m_planner(std::move(planner)), m_proc(roots.proc),
      m_session(std::move(session)), m_facts(m_proc), m_table(m_plan.isRing),
      m_output(sink, m_plan.translation.processors),
      m_translator(m_plan.translation, m_table, m_output, m_facts, m_proc, clock), m_merger(m_session.streams()),
      m_wakeUp(wakeUp), m_unreportedActivities(activityKinds().size()) {
    pollAll();
}

void LinuxKernelRun::pollAll() {
    m_polled.assign(1, {m_wakeUp, POLLIN, 0});
    for (const std::vector<int>* descriptors : {&m_session.descriptors(), &m_session.wakeUpDescriptors()}) {
        for (const int fd : *descriptors) {
            m_polled.push_back({fd, POLLIN, 0});
        }
    }
}

LinuxKernelRun::~LinuxKernelRun() {
    if (m_thread.joinable()) {
        stop();
    }
    ::close(m_wakeUp);
}

Status LinuxKernelRun::begin() {
    // What happens while /proc is read is in the rings: played back onto the table, without a word to the sink, it
    // leaves the table as the machine is at `now`, which is where the recording begins.
    m_output.mute(true);
    constexpr Origin kTable[] = {Origin::Sideband, Origin::WakeUp};
    if (Status enabled = m_session.enable(kTable); !enabled) {
        return enabled;
    }
    m_facts.listenForExits();
    m_gaps = scanProcesses(m_proc, m_table, m_translator);
    noteExecs();
    for (int i = 0; i < kMostStartRetries && m_facts.retryIn(); ++i) {
        m_facts.retry();
    }
    const Ticks now = m_clock.ticks();
    drainUpTo(now);
    m_output.mute(false);
    if (!m_plan.isRing) {
        writeRundown(RundownKind::Start, m_plan.rundown, m_table, m_output, m_plan.perf.processors.front(), now);
    }
    if (Status enabled = m_session.enable(kActivity); !enabled) {
        return enabled;
    }
    m_watch.emplace(m_session, m_clock,
                    ProcessorWatch::Plan{m_plan.onlineFile, m_plan.perf.processors, m_plan.translation.processors});
    m_lookedAt = now;
    auto thread = startQuietThread("tracedeck-drain", [this] { run(); });
    if (!thread) {
        return fail(std::move(thread).error());
    }
    m_thread = *std::move(thread);
    return {};
}

void LinuxKernelRun::run() {
    // Rings do not wait: a little more urgent than what it records, where that is allowed.
    constexpr int kUrgency = -10;
    ::setpriority(PRIO_PROCESS, static_cast<id_t>(::syscall(SYS_gettid)), kUrgency);
    m_nextRound = m_clock.ticks() + kRound;
    for (bool goesOn = true; goesOn;) {
        try {
            goesOn = turn();
        } catch (const std::bad_alloc&) {
            goesOn = giveUp(ErrorCode::OutOfMemory);
        } catch (const std::exception& error) {
            spdlog::error("kernel source: {}", error.what());
            goesOn = giveUp(ErrorCode::KernelSourceFailed);
        }
    }
}

bool LinuxKernelRun::turn() {
    if (m_failure) {
        wait(std::chrono::nanoseconds(kRound));
        return serve();
    }
    const Ticks left = std::clamp<Ticks>(m_nextRound - m_clock.ticks(), 0, kRound);
    const bool isFilling = wait(m_facts.retryIn().value_or(std::chrono::nanoseconds(left)));
    noteExecs();
    m_facts.retry();
    if (!serve()) {
        return false;
    }
    const Ticks now = m_clock.ticks();
    if (now >= m_nextRound || isFilling) {
        round(m_gatheredAt);
        m_nextRound = now + (isFilling ? kBusyRound : kRound);
        if (now - m_lookedAt >= kLookEvery) {
            followProcessors();
            m_lookedAt = now;
        }
    }
    return true;
}

bool LinuxKernelRun::giveUp(ErrorCode why) {
    m_session.disable();
    const std::lock_guard lock(m_mutex);
    if (!m_failure) {
        spdlog::error("kernel source: no more events are taken: {}", toString(why));
        m_failure = why;
        if (!m_polled.empty()) {
            m_polled.erase(m_polled.begin() + 1, m_polled.end()); // the rings wake nobody any more
        }
    }
    const bool isStop = m_request == Request::Stop;
    if (m_request == Request::Reconfigure) {
        m_outcome = fail(why, "kernel source: its events have ended");
    }
    m_request = Request::None;
    m_carriedOut.notify_one();
    return !isStop;
}

bool LinuxKernelRun::wait(std::chrono::nanoseconds timeout) {
    if (!m_polled.empty()) {
        return pollRings(timeout);
    }
    std::unique_lock lock(m_mutex);
    m_asked.wait_for(lock, timeout, [this] { return m_request != Request::None; });
    return false;
}

bool LinuxKernelRun::pollRings(std::chrono::nanoseconds timeout) {
    const int ready = m_api.poll(m_polled, timeout);
    if (ready < 0 && ready != -EINTR) {
        spdlog::error("kernel source: poll failed with errno {}; reading goes on by time alone", -ready);
        m_polled.clear();
        return false;
    }
    if (ready <= 0) {
        return false;
    }
    if (m_polled.front().revents != 0) {
        std::uint64_t count = 0;
        // Nothing to read is as good: the request itself is under the mutex.
        static_cast<void>(!::read(m_wakeUp, &count, sizeof(count)));
    }
    bool isFilling = false;
    const std::size_t rings = m_session.descriptors().size();
    for (std::size_t i = 1; i < m_polled.size(); ++i) {
        if ((m_polled[i].revents & POLLIN) != 0) {
            isFilling = isFilling || i <= rings;
        } else if ((m_polled[i].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0) {
            m_polled[i].fd = -1; // the kernel gave the event up; poll would return at once for ever
        }
    }
    return isFilling;
}

void LinuxKernelRun::noteExecs() {
    for (RecordStream& stream : m_session.wakeUpStreams()) {
        stream.gather();
        while (!stream.isEmpty()) {
            const Record record = stream.take();
            const bool isExec = record.type == PERF_RECORD_COMM && (record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
            if (record.origin == Origin::WakeUp && (record.type == PERF_RECORD_SAMPLE || isExec)) {
                m_facts.noteExec(record.processId, record.time); // who calls exec is who becomes the program
            }
        }
        stream.release();
    }
}

void LinuxKernelRun::round(Ticks watermark) {
    const Ticks now = m_clock.ticks();
    for (RecordStream& stream : m_session.streams()) {
        stream.gather();
    }
    m_facts.readExits();
    m_merger.takeUpTo(watermark, [this](const Record& record) { m_translator.translate(record); });
    for (RecordStream& stream : m_session.streams()) {
        stream.release();
    }
    m_gatheredAt = now;
    if (now - m_prunedAt > kPruneEvery) {
        m_translator.prune(now);
        m_prunedAt = now;
    }
    publishCounts();
}

void LinuxKernelRun::followProcessors() {
    const ProcessorWatch::Change change = m_watch->look();
    if (change.isEmpty()) {
        return;
    }
    for (const std::uint32_t processor : change.closed) {
        m_translator.loseProcessor(processor);
    }
    std::vector<std::uint32_t>& known = m_plan.rundown.processors;
    for (const std::uint32_t processor : change.opened) {
        if (std::find(known.begin(), known.end(), processor) == known.end()) {
            known.push_back(processor); // its idle thread is there from now on
        }
    }
    if (!m_polled.empty()) {
        pollAll();
    }
}

void LinuxKernelRun::drainUpTo(Ticks time) {
    std::this_thread::sleep_for(kPublication);
    round(time);
}

void LinuxKernelRun::finish() {
    m_session.disable();
    if (!m_failure) {
        drainUpTo(std::numeric_limits<Ticks>::max());
    }
    const Ticks now = m_clock.ticks();
    m_translator.finish(m_session.counts(), now);
    for (const RecordStream& stream : m_session.streams()) {
        reportBroken(stream);
    }
    writeRundown(m_plan.isRing ? RundownKind::Ring : RundownKind::End, m_plan.rundown, m_table, m_output,
                 m_plan.perf.processors.front(), now);
    publishCounts();
}

void LinuxKernelRun::publishCounts() {
    m_shortStacks = m_translator.stackCounts().shortOnes;
    m_userStacks = m_translator.stackCounts().all;
    m_missedExecs = m_facts.missed();
    m_unreportedSwitches = m_translator.unreported().switches;
    m_unreportedWakings = m_translator.unreported().wakings;
    const std::vector<std::uint64_t> activities = m_translator.activities().unreported();
    std::copy(activities.begin(), activities.end(), m_unreportedActivities.begin());
    m_untouchedFiles = m_translator.untouchedFiles();
}

Status LinuxKernelRun::ask(Request request, std::string text) {
    std::unique_lock lock(m_mutex);
    if (!m_thread.joinable()) {
        return {}; // stopped
    }
    m_request = request;
    m_askedAt = m_clock.ticks();
    m_text = std::move(text);
    m_outcome = {};
    m_asked.notify_one();
    const std::uint64_t one = 1;
    // Cannot fail before 2^64 requests; the timeout of the wait would find the request all the same.
    static_cast<void>(!::write(m_wakeUp, &one, sizeof(one)));
    m_carriedOut.wait(lock, [this] { return m_request == Request::None; });
    return m_outcome;
}

/// Carries out what is asked for; false where that was to stop.
bool LinuxKernelRun::serve() {
    std::unique_lock lock(m_mutex);
    const Request request = m_request;
    if (request == Request::None) {
        return true;
    }
    m_outcome = carryOut(request, m_text, m_askedAt); // whoever asks waits, so the mutex holds nobody up
    m_request = Request::None;
    lock.unlock();
    m_carriedOut.notify_one();
    return request != Request::Stop;
}

Status LinuxKernelRun::carryOut(Request request, const std::string& text, Ticks asked) {
    if (request == Request::Stop) {
        finish();
        return {};
    }
    if (request == Request::Pause || request == Request::Resume) {
        return carryOutPause(request);
    }
    if (request == Request::Reconfigure) {
        return carryOutReconfigure();
    }
    // A mark stands where it was asked for, behind what happened until then and before what has happened since.
    const Ticks now = request == Request::Mark ? asked : m_clock.ticks();
    if (!m_failure) {
        drainUpTo(now);
    }
    if (request == Request::Rundown) {
        writeRundown(RundownKind::Ring, m_plan.rundown, m_table, m_output, m_plan.perf.processors.front(), now);
    } else if (request == Request::Mark) {
        m_output.perfinfoBytes(m_plan.perf.processors.front(), now, etlformat::hook::kMark,
                               etlformat::event_version::kMark, etlformat::encodeMark(text));
    }
    return {};
}

Status LinuxKernelRun::carryOutPause(Request request) {
    m_isPaused = request == Request::Pause;
    if (m_failure) {
        return {}; // there is no activity any more
    }
    if (!m_isPaused) {
        return m_session.enable(kActivity);
    }
    m_session.disable(kActivity);
    const Ticks now = m_clock.ticks();
    drainUpTo(now);
    m_translator.breakOff(now);
    return {};
}

Status LinuxKernelRun::carryOutReconfigure() {
    RunPlan plan = *std::exchange(m_newPlan, std::nullopt);
    if (m_failure) {
        return fail(*m_failure, "kernel source: its events have ended");
    }
    // Records of before are of another form: they come first.
    m_session.disable(kActivity);
    const Ticks now = m_clock.ticks();
    drainUpTo(now);
    Status changed = m_session.changeActivity(plan.perf);
    if (changed) {
        m_translator.breakOff(now);
        m_translator.changePlan(plan.translation);
        RundownFacts added = plan.rundown;
        added.hasProcesses = added.hasProcesses && !m_plan.rundown.hasProcesses;
        added.hasThreads = added.hasThreads && !m_plan.rundown.hasThreads;
        added.hasImages = added.hasImages && !m_plan.rundown.hasImages;
        plan.rundown.masks.unite(m_plan.rundown.masks); // of all that the recording holds
        plan.perf.ringSize = m_plan.perf.ringSize;
        std::copy_if(m_plan.limitations.begin(), m_plan.limitations.end(), std::back_inserter(plan.limitations),
                     [](const etw::Limitation& known) { return known.code == etw::LimitationCode::MlockLimit; });
        plan.rundown.processors = m_plan.rundown.processors;
        m_plan = std::move(plan);
        if (!m_plan.isRing) {
            writeRundown(RundownKind::Start, added, m_table, m_output, m_plan.perf.processors.front(), now);
        }
    }
    if (m_isPaused) {
        return changed;
    }
    const Status enabled = m_session.enable(kActivity);
    return changed ? enabled : changed;
}

void LinuxKernelRun::drain() {
    static_cast<void>(ask(Request::Drain)); // these cannot fail
}

void LinuxKernelRun::rundown() {
    static_cast<void>(ask(Request::Rundown));
}

void LinuxKernelRun::mark(const std::string& text) {
    static_cast<void>(ask(Request::Mark, text));
}

Status LinuxKernelRun::pause() {
    return ask(Request::Pause);
}

Status LinuxKernelRun::resume() {
    return ask(Request::Resume);
}

Status LinuxKernelRun::reconfigure(const etw::engine::KernelRequest& request) {
    auto plan = m_planner(request);
    if (!plan) {
        return fail(plan.error());
    }
    m_newPlan = std::move(*plan); // the drain thread looks at it when it is asked to
    return ask(Request::Reconfigure);
}

void LinuxKernelRun::stop() {
    static_cast<void>(ask(Request::Stop));
    if (m_thread.joinable()) {
        m_thread.join();
    }
}

std::optional<Error> LinuxKernelRun::failure() const {
    const std::lock_guard lock(m_mutex);
    return m_failure ? std::optional(Error{*m_failure, "kernel source: the thread that reads its events gave up", 0})
                     : std::nullopt;
}

std::vector<etw::Limitation> LinuxKernelRun::limitations() const {
    std::vector<etw::Limitation> all = m_plan.limitations;
    if (m_gaps.processesWithoutImages > 0) {
        all.push_back({etw::LimitationCode::ProcUnreadable, "images", m_gaps.processesWithoutImages});
    }
    const std::uint64_t withoutCommandLine = m_gaps.processesWithoutCommandLine + m_missedExecs;
    if (withoutCommandLine > 0) {
        all.push_back({etw::LimitationCode::ProcUnreadable, "command lines", withoutCommandLine});
    }
    if (m_shortStacks > 0) {
        all.push_back({etw::LimitationCode::ShortStacks,
                       "user stacks without a caller, of " + std::to_string(m_userStacks), m_shortStacks});
    }
    if (m_unreportedSwitches > 0) {
        all.push_back({etw::LimitationCode::EventsUnreported, "context switches", m_unreportedSwitches});
    }
    if (m_unreportedWakings > 0) {
        all.push_back({etw::LimitationCode::EventsUnreported, "thread wake-ups", m_unreportedWakings});
    }
    for (std::size_t i = 0; i < m_unreportedActivities.size(); ++i) {
        if (m_unreportedActivities[i] > 0) {
            all.push_back({etw::LimitationCode::EventsUnreported, activityKinds()[i].name, m_unreportedActivities[i]});
        }
    }
    if (auto missing = m_watch->limitation()) {
        all.push_back(*std::move(missing));
    }
    if (m_untouchedFiles > 0) {
        all.push_back({etw::LimitationCode::ImageFilesUntouched, {}, m_untouchedFiles});
    }
    return all;
}

} // namespace tracedeck::linux_source

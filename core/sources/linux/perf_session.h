// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/sources/linux/perf_api.h"
#include "core/sources/linux/perf_ring.h"

#include <array>
#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace tracedeck::linux_source {

/// What is to be recorded by perf events.
struct PerfPlan {
    std::vector<std::uint32_t> processors; ///< online ones
    bool hasClock = false;
    bool hasClockStacks = false;
    std::chrono::nanoseconds clockPeriod{std::chrono::milliseconds(1)};
    std::optional<std::uint64_t> switchId; ///< tracepoint id of sched:sched_switch
    bool hasSwitchStacks = false;
    std::optional<std::uint64_t> wakingId; ///< of sched:sched_waking
    bool hasWakingStacks = false;
    std::optional<std::uint64_t> execId; ///< of sched:sched_process_exec
    struct Point {
        std::uint64_t id = 0; ///< of the tracepoint
        bool hasStacks = false;
    };
    std::vector<Point> points; ///< others; their records' Record::point is the place here
    Bytes ringSize{0};         ///< per processor, a power of two
};

/// Attributes that not every kernel takes.
struct PerfFeatures {
    bool hasLostCount = true; ///< PERF_FORMAT_LOST, Linux 6.0
    bool hasBuildId = true;   ///< attr.build_id, Linux 5.12
};

/// The attributes of each event; the same for probing and recording.
perf_event_attr sidebandAttributes(const PerfFeatures& features);
/// Of the event that wakes the reader when a program was started: the tracepoint sched:sched_process_exec, which comes
/// when its arguments can be read. Without that, names (PERF_RECORD_COMM): they come a little earlier, and the kernel
/// adds every fork and exit to them, each of which wakes the reader for nothing.
perf_event_attr wakeUpAttributes(const PerfFeatures& features, std::optional<std::uint64_t> execId);
perf_event_attr clockAttributes(const PerfFeatures& features, std::chrono::nanoseconds period, bool hasStacks);
perf_event_attr tracepointAttributes(const PerfFeatures& features, std::uint64_t id, bool hasStacks);

/// Opens an event once to learn what this kernel takes of the features. The error is that of the plainest attempt.
Result<PerfFeatures> probeFeatures(PerfApi& api, std::uint32_t processor);
/// Opens and closes an event: 0 or a negative errno.
int probe(PerfApi& api, const perf_event_attr& attributes, std::uint32_t processor);

/// What the kernel itself counted.
struct KernelCounts {
    std::uint64_t lost = 0;    ///< events for which a ring had no room, without those of Origin::WakeUp
    std::uint64_t wakings = 0; ///< of Origin::Waking, without the lost ones
    /// By tracepoint id, of those of Origin::Point, without the lost ones.
    std::map<std::uint64_t, std::uint64_t> points{};
};

/// Logs what could not be read as records, if anything.
void reportBroken(const RecordStream& stream);

/// The open perf events of a recording and their rings: per processor one for everything, so that the kernel keeps
/// their order, and a small one of which any record wakes the reader, to look at a program that was started while it
/// lives. That one holds nothing that the other does not: no event is lost when it overflows.
///
/// The kernel takes the events of a processor that goes offline out of service, for good (perf_event_exit_cpu): when it
/// comes back they stay as they are, and only new ones record it. Suspending the machine does this to all processors
/// but the first, and no program sees them offline. What shows is that the time for which an event has been enabled
/// stands still.
///
/// Threading: one thread at a time.
/// Ownership: closes events and rings when destroyed.
class PerfSession {
public:
    /// Opens the events, disabled. A processor that went offline meanwhile is left out. Rings that the kernel refuses
    /// (EPERM: locked memory; ENOMEM) are halved, all alike, until it takes them. KernelSourceFailed with EMFILE or
    /// ENFILE where the process or the machine may have no more files open, KernelEventsRefused with errno otherwise.
    static Result<PerfSession> open(PerfApi& api, const PerfPlan& plan);
    PerfSession(PerfSession&&) noexcept = default;
    PerfSession& operator=(PerfSession&&) = delete;
    ~PerfSession();

    [[nodiscard]] Status enable(std::span<const Origin> origins);
    void disable(); ///< everything
    void disable(std::span<const Origin> origins);
    /// Samples, switches and wakes as `plan` has them, instead of those there are; processors and rings stay. In
    /// service where enable() was called for their origin. After an error everything is as before.
    [[nodiscard]] Status changeActivity(const PerfPlan& plan);
    /// How long a processor's events have been in service, by the clock that the kernel schedules by. It stands still
    /// when they are not; nothing where the kernel says that it has given them up.
    struct Service {
        std::uint32_t processor = 0;
        std::optional<std::chrono::nanoseconds> time;
    };
    /// Of the processors that are open; one whose events cannot be asked is left out.
    [[nodiscard]] std::vector<Service> services();
    [[nodiscard]] bool isOpen(std::uint32_t processor) const noexcept;
    /// True where nothing of the processor's ring waits to be taken.
    [[nodiscard]] bool isDrained(std::uint32_t processor) const noexcept;
    /// Closes a processor's events and rings. What its events counted stays in counts().
    void close(std::uint32_t processor);
    /// Opens the events of a processor that is not open, in service as those of the others; false where it is offline.
    /// Its rings are as large as those of the others. Errors as open(), after which nothing of it is open.
    [[nodiscard]] Result<bool> openAnew(std::uint32_t processor);
    /// So far (PERF_FORMAT_LOST); nothing where the kernel does not keep count.
    [[nodiscard]] std::optional<KernelCounts> counts();
    [[nodiscard]] std::vector<RecordStream>& streams() noexcept { return m_streams; }
    /// To be polled: each readable when its ring is half full.
    [[nodiscard]] const std::vector<int>& descriptors() const noexcept { return m_descriptors; }
    /// The rings that wake the reader: not to be merged with the others.
    [[nodiscard]] std::vector<RecordStream>& wakeUpStreams() noexcept { return m_wakeUpStreams; }
    /// To be polled: each readable when its ring has something.
    [[nodiscard]] const std::vector<int>& wakeUpDescriptors() const noexcept { return m_wakeUpDescriptors; }
    /// Of each processor's ring; smaller than planned where the kernel refused that.
    [[nodiscard]] Bytes ringSize() const noexcept { return m_ringSize; }

private:
    struct Event {
        int fd = -1;
        Origin origin = Origin::Unknown;
        std::uint32_t processor = 0;
        std::uint64_t tracepoint = 0; ///< Origin::Point: its id
    };
    struct Mapping {
        void* memory = nullptr;
        std::size_t bytes = 0;
        std::uint32_t processor = 0;
    };
    /// What the kernel says of an event, by read().
    struct Values {
        std::uint64_t count = 0;
        std::uint64_t enabledFor = 0; ///< ns
        std::uint64_t lost = 0;       ///< where features.hasLostCount
    };
    PerfSession(PerfApi& api, PerfPlan plan, PerfFeatures features)
        : m_api(&api), m_plan(std::move(plan)), m_features(features) {}
    Status openAll();
    Status openProcessor(std::uint32_t processor);
    Status openActivity(std::uint32_t processor, int leader, RecordStream& stream);
    [[nodiscard]] bool isInService(Origin origin) const noexcept;
    void closeEvents(std::size_t first, std::size_t last);
    Status openWakeUp(std::uint32_t processor);
    /// The event's descriptor; nothing where the processor is gone.
    Result<std::optional<int>> openEvent(const perf_event_attr& attributes, std::uint32_t processor, Origin origin);
    Status openInto(const perf_event_attr& attributes, std::uint32_t processor, Origin origin, int leader,
                    RecordStream& stream, std::uint16_t point = 0);
    [[nodiscard]] std::size_t eventsOfProcessor() const noexcept;
    Result<RecordStream> openRing(int fd, Bytes size, std::uint32_t processor);
    Status identify(int fd, Origin origin, RecordStream& stream, std::uint16_t point = 0);
    Status enable(const Event& event);
    /// Bytes read or a negative errno, as PerfApi::read; 0: the kernel has given the event up.
    std::int64_t readValues(int fd, Values& values);
    void add(const Event& event, KernelCounts& counts);
    template <class Function>
    void closeIf(Function&& isMeant);

    PerfApi* m_api;
    PerfPlan m_plan;
    PerfFeatures m_features;
    std::vector<Origin> m_inService;
    std::vector<Event> m_events;
    std::vector<Mapping> m_mappings;
    std::vector<RecordStream> m_streams;
    std::vector<int> m_descriptors; ///< of the event that each stream's ring belongs to
    std::vector<RecordStream> m_wakeUpStreams;
    std::vector<int> m_wakeUpDescriptors;
    KernelCounts m_closedCounts; ///< of events that are closed
    Bytes m_ringSize{0};
    bool m_isRingRefused = false;
};

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/perf_session.h"

#include "core/etlformat/kernel_events.h"

#include <algorithm>
#include <cerrno>
#include <ctime>
#include <spdlog/spdlog.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <utility>

namespace tracedeck::linux_source {
namespace {

constexpr Bytes kWakeUpRing = kib(64);
constexpr std::size_t kOwnEvents = 5; // of a processor: sideband, clock, switch, waking, wake-up
constexpr Bytes kSmallestRing = kib(32);

std::size_t pageSize() {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

perf_event_attr commonAttributes(const PerfFeatures& features, std::uint32_t type, std::uint64_t config) {
    perf_event_attr attributes{};
    attributes.size = sizeof(attributes);
    attributes.type = type;
    attributes.config = config;
    attributes.sample_type = kCommonSampleType;
    attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED;
    if (features.hasLostCount) {
        attributes.read_format |= PERF_FORMAT_LOST;
    }
    attributes.disabled = 1;
    attributes.sample_id_all = 1;
    attributes.use_clockid = 1;
    attributes.clockid = CLOCK_MONOTONIC;
    return attributes;
}

Error openError(const perf_event_attr& attributes, std::uint32_t processor, int error) {
    const bool isFull = error == -EMFILE || error == -ENFILE;
    return {isFull ? ErrorCode::KernelSourceFailed : ErrorCode::KernelEventsRefused,
            "perf_event_open, type " + std::to_string(attributes.type) + ", config " +
                std::to_string(attributes.config) + ", processor " + std::to_string(processor),
            static_cast<std::uint32_t>(-error)};
}

} // namespace

void reportBroken(const RecordStream& stream) {
    if (stream.brokenBytes() != 0) {
        spdlog::error("kernel source: {} bytes of processor {}'s ring were no records", stream.brokenBytes(),
                      stream.processor());
    }
}

perf_event_attr sidebandAttributes(const PerfFeatures& features) {
    perf_event_attr attributes = commonAttributes(features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    attributes.task = 1;
    attributes.mmap = 1;
    attributes.mmap2 = 1;
    attributes.comm = 1;
    attributes.comm_exec = 1;
    attributes.build_id = features.hasBuildId ? 1 : 0;
    return attributes;
}

perf_event_attr wakeUpAttributes(const PerfFeatures& features, std::optional<std::uint64_t> execId) {
    perf_event_attr attributes = execId ? commonAttributes(features, PERF_TYPE_TRACEPOINT, *execId)
                                        : commonAttributes(features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_DUMMY);
    if (execId) {
        attributes.sample_period = 1;
    } else {
        attributes.comm = 1;
        attributes.comm_exec = 1;
    }
    attributes.watermark = 1;
    attributes.wakeup_watermark = 1;
    return attributes;
}

perf_event_attr clockAttributes(const PerfFeatures& features, std::chrono::nanoseconds period, bool hasStacks) {
    perf_event_attr attributes = commonAttributes(features, PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK);
    attributes.sample_period = static_cast<std::uint64_t>(period.count());
    if (hasStacks) {
        attributes.sample_type |= PERF_SAMPLE_CALLCHAIN;
    }
    return attributes;
}

perf_event_attr tracepointAttributes(const PerfFeatures& features, std::uint64_t id, bool hasStacks) {
    perf_event_attr attributes = commonAttributes(features, PERF_TYPE_TRACEPOINT, id);
    attributes.sample_period = 1;
    attributes.sample_type |= PERF_SAMPLE_RAW;
    if (hasStacks) {
        attributes.sample_type |= PERF_SAMPLE_CALLCHAIN;
    }
    return attributes;
}

int probe(PerfApi& api, const perf_event_attr& attributes, std::uint32_t processor) {
    const int fd = api.open(attributes, static_cast<int>(processor));
    if (fd >= 0) {
        api.close(fd);
        return 0;
    }
    return fd;
}

Result<PerfFeatures> probeFeatures(PerfApi& api, std::uint32_t processor) {
    int error = 0;
    // Newest first: LOST came after build_id.
    for (const PerfFeatures features :
         {PerfFeatures{true, true}, PerfFeatures{false, true}, PerfFeatures{false, false}}) {
        const perf_event_attr attributes = sidebandAttributes(features);
        error = probe(api, attributes, processor);
        if (error == 0) {
            return features;
        }
        if (error != -EINVAL && error != -E2BIG) {
            break;
        }
    }
    return fail(openError(sidebandAttributes({}), processor, error));
}

Result<PerfSession> PerfSession::open(PerfApi& api, const PerfPlan& plan) {
    if (plan.processors.empty()) {
        return fail(ErrorCode::KernelEventsRefused, "no processor to record");
    }
    api.allowDescriptors(plan.processors.size() * (kOwnEvents + plan.points.size()));
    const auto features = probeFeatures(api, plan.processors.front());
    if (!features) {
        return fail(features.error());
    }
    // Each ring counts against one allowance of locked memory: all of them shrink together, so that no processor gets
    // the lion's share.
    for (Bytes ringSize = plan.ringSize;; ringSize = {ringSize.count / 2}) {
        PerfSession session(api, plan, *features);
        session.m_ringSize = ringSize;
        Status opened = session.openAll();
        if (opened) {
            return session;
        }
        if (!session.m_isRingRefused || ringSize <= kSmallestRing) {
            return fail(opened.error());
        }
    }
}

Status PerfSession::openAll() {
    for (const std::uint32_t processor : m_plan.processors) {
        if (Status opened = openProcessor(processor); !opened) {
            return opened;
        }
    }
    if (m_streams.empty()) {
        return fail(ErrorCode::KernelEventsRefused, "no processor is online any more", ENODEV);
    }
    return {};
}

Status PerfSession::openProcessor(std::uint32_t processor) {
    const auto leader = openEvent(sidebandAttributes(m_features), processor, Origin::Sideband);
    if (!leader || !*leader) {
        return leader ? Status() : fail(leader.error());
    }
    auto ring = openRing(**leader, m_ringSize, processor);
    if (!ring) {
        return fail(ring.error());
    }
    if (Status known = identify(**leader, Origin::Sideband, *ring); !known) {
        return known;
    }
    if (Status added = openActivity(processor, **leader, *ring); !added) {
        return added;
    }
    m_streams.push_back(*std::move(ring));
    m_descriptors.push_back(**leader);
    return openWakeUp(processor);
}

Status PerfSession::openActivity(std::uint32_t processor, int leader, RecordStream& stream) {
    const auto add = [&](const perf_event_attr& attributes, Origin origin) {
        return openInto(attributes, processor, origin, leader, stream);
    };
    Status added;
    if (m_plan.hasClock) {
        added = add(clockAttributes(m_features, m_plan.clockPeriod, m_plan.hasClockStacks), Origin::Clock);
    }
    if (added && m_plan.switchId) {
        added = add(tracepointAttributes(m_features, *m_plan.switchId, m_plan.hasSwitchStacks), Origin::Switch);
    }
    if (added && m_plan.wakingId) {
        added = add(tracepointAttributes(m_features, *m_plan.wakingId, m_plan.hasWakingStacks), Origin::Waking);
    }
    for (std::size_t i = 0; added && i < m_plan.points.size(); ++i) {
        const PerfPlan::Point& point = m_plan.points[i];
        added = openInto(tracepointAttributes(m_features, point.id, point.hasStacks), processor, Origin::Point, leader,
                         stream, static_cast<std::uint16_t>(i));
    }
    return added;
}

std::size_t PerfSession::eventsOfProcessor() const noexcept {
    return kOwnEvents + m_plan.points.size();
}

Status PerfSession::changeActivity(const PerfPlan& plan) {
    const std::size_t former = m_events.size();
    const PerfPlan formerPlan = std::exchange(m_plan, plan);
    m_plan.ringSize = formerPlan.ringSize;
    m_api->allowDescriptors(m_streams.size() * eventsOfProcessor()); // both kinds are open for a moment
    Status status;
    for (std::size_t i = 0; i < m_streams.size() && status; ++i) {
        status = openActivity(m_streams[i].processor(), m_descriptors[i], m_streams[i]);
    }
    for (std::size_t i = former; i < m_events.size() && status; ++i) {
        status = isInService(m_events[i].origin) ? enable(m_events[i]) : Status();
    }
    if (!status) {
        closeEvents(former, m_events.size());
        m_plan = formerPlan;
        return status;
    }
    for (std::size_t i = former; i-- > 0;) {
        const Origin origin = m_events[i].origin;
        if (origin != Origin::Sideband && origin != Origin::WakeUp) {
            add(m_events[i], m_closedCounts);
            closeEvents(i, i + 1);
        }
    }
    return {};
}

void PerfSession::closeEvents(std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
        m_api->close(m_events[i].fd);
    }
    m_events.erase(m_events.begin() + static_cast<std::ptrdiff_t>(first),
                   m_events.begin() + static_cast<std::ptrdiff_t>(last));
}

bool PerfSession::isInService(Origin origin) const noexcept {
    return std::find(m_inService.begin(), m_inService.end(), origin) != m_inService.end();
}

Status PerfSession::openWakeUp(std::uint32_t processor) {
    const auto event = openEvent(wakeUpAttributes(m_features, m_plan.execId), processor, Origin::WakeUp);
    if (!event || !*event) {
        return event ? Status() : fail(event.error());
    }
    auto ring = openRing(**event, std::min(kWakeUpRing, m_ringSize), processor);
    if (!ring) {
        return fail(ring.error());
    }
    if (Status known = identify(**event, Origin::WakeUp, *ring); !known) {
        return known;
    }
    m_wakeUpStreams.push_back(*std::move(ring));
    m_wakeUpDescriptors.push_back(**event);
    return {};
}

Result<std::optional<int>> PerfSession::openEvent(const perf_event_attr& attributes, std::uint32_t processor,
                                                  Origin origin) {
    const int fd = m_api->open(attributes, static_cast<int>(processor));
    if (fd == -ENODEV) {
        return std::optional<int>();
    }
    if (fd < 0) {
        return fail(openError(attributes, processor, fd));
    }
    m_events.push_back({fd, origin, processor, origin == Origin::Point ? attributes.config : 0});
    return std::optional(fd);
}

Status PerfSession::openInto(const perf_event_attr& attributes, std::uint32_t processor, Origin origin, int leader,
                             RecordStream& stream, std::uint16_t point) {
    const auto fd = openEvent(attributes, processor, origin);
    if (!fd || !*fd) {
        return fd ? Status() : fail(fd.error());
    }
    const int error = m_api->control(**fd, PERF_EVENT_IOC_SET_OUTPUT, static_cast<std::uint64_t>(leader));
    if (error != 0) {
        return fail(ErrorCode::KernelSourceFailed, "PERF_EVENT_IOC_SET_OUTPUT", static_cast<std::uint32_t>(-error));
    }
    return identify(**fd, origin, stream, point);
}

Result<RecordStream> PerfSession::openRing(int fd, Bytes size, std::uint32_t processor) {
    const std::size_t bytes = static_cast<std::size_t>(size.count) + pageSize();
    int error = 0;
    void* memory = m_api->map(fd, bytes, error);
    if (memory == nullptr) {
        m_isRingRefused = error == -EPERM || error == -ENOMEM;
        return fail(ErrorCode::KernelEventsRefused, "mmap of a perf ring of " + std::to_string(size.count) + " bytes",
                    static_cast<std::uint32_t>(-error));
    }
    m_mappings.push_back({memory, bytes, processor});
    return RecordStream(PerfRing(memory), processor);
}

Status PerfSession::identify(int fd, Origin origin, RecordStream& stream, std::uint16_t point) {
    std::uint64_t id = 0;
    const int error = m_api->control(fd, PERF_EVENT_IOC_ID, reinterpret_cast<std::uintptr_t>(&id));
    if (error != 0) {
        return fail(ErrorCode::KernelSourceFailed, "PERF_EVENT_IOC_ID", static_cast<std::uint32_t>(-error));
    }
    stream.addEvent(id, origin, point);
    return {};
}

Status PerfSession::enable(const Event& event) {
    const int error = m_api->control(event.fd, PERF_EVENT_IOC_ENABLE, 0);
    if (error != 0) {
        return fail(ErrorCode::KernelSourceFailed, "PERF_EVENT_IOC_ENABLE", static_cast<std::uint32_t>(-error));
    }
    return {};
}

Status PerfSession::enable(std::span<const Origin> origins) {
    m_inService.insert(m_inService.end(), origins.begin(), origins.end());
    for (const Event& event : m_events) {
        if (std::find(origins.begin(), origins.end(), event.origin) == origins.end()) {
            continue;
        }
        if (Status enabled = enable(event); !enabled) {
            return enabled;
        }
    }
    return {};
}

void PerfSession::disable() {
    for (const Event& event : m_events) {
        // Cannot fail for an open event; were it to, closing ends it all the same.
        m_api->control(event.fd, PERF_EVENT_IOC_DISABLE, 0);
    }
}

void PerfSession::disable(std::span<const Origin> origins) {
    const auto isMeant = [&](Origin origin) {
        return std::find(origins.begin(), origins.end(), origin) != origins.end();
    };
    std::erase_if(m_inService, isMeant);
    for (const Event& event : m_events) {
        if (isMeant(event.origin)) {
            m_api->control(event.fd, PERF_EVENT_IOC_DISABLE, 0); // as above
        }
    }
}

std::int64_t PerfSession::readValues(int fd, Values& values) {
    std::uint64_t words[3] = {}; // value, time enabled, lost
    const auto wanted = std::span(words).first(m_features.hasLostCount ? 3 : 2);
    const std::int64_t count = m_api->read(fd, std::as_writable_bytes(wanted));
    values = {words[0], words[1], words[2]};
    return count;
}

std::vector<PerfSession::Service> PerfSession::services() {
    std::vector<Service> services;
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        Values values;
        const std::int64_t count = readValues(m_descriptors[i], values);
        if (count == 0) {
            services.push_back({m_streams[i].processor(), std::nullopt});
        } else if (count > 0) {
            services.push_back({m_streams[i].processor(), std::chrono::nanoseconds(values.enabledFor)});
        }
    }
    return services;
}

bool PerfSession::isOpen(std::uint32_t processor) const noexcept {
    return std::any_of(m_streams.begin(), m_streams.end(),
                       [&](const RecordStream& stream) { return stream.processor() == processor; });
}

bool PerfSession::isDrained(std::uint32_t processor) const noexcept {
    return std::all_of(m_streams.begin(), m_streams.end(),
                       [&](const RecordStream& stream) { return stream.processor() != processor || stream.isEmpty(); });
}

Result<bool> PerfSession::openAnew(std::uint32_t processor) {
    m_api->allowDescriptors(eventsOfProcessor());
    Status status = openProcessor(processor);
    for (const Event& event : m_events) {
        if (status && event.processor == processor && isInService(event.origin)) {
            status = enable(event);
        }
    }
    if (!status || !isOpen(processor)) {
        close(processor);
    }
    if (!status) {
        return fail(std::move(status).error());
    }
    return isOpen(processor);
}

void PerfSession::add(const Event& event, KernelCounts& counts) {
    Values values;
    if (event.origin != Origin::WakeUp && m_features.hasLostCount && readValues(event.fd, values) > 0) {
        counts.lost += values.lost;
        counts.wakings += event.origin == Origin::Waking ? values.count - values.lost : 0;
        if (event.origin == Origin::Point) {
            counts.points[event.tracepoint] += values.count - values.lost;
        }
    }
}

std::optional<KernelCounts> PerfSession::counts() {
    if (!m_features.hasLostCount) {
        return std::nullopt;
    }
    KernelCounts counts = m_closedCounts;
    for (const Event& event : m_events) {
        add(event, counts);
    }
    return counts;
}

void PerfSession::close(std::uint32_t processor) {
    for (const Event& event : m_events) {
        if (event.processor == processor) {
            add(event, m_closedCounts);
        }
    }
    const auto drop = [&](std::vector<RecordStream>& streams, std::vector<int>& descriptors) {
        for (std::size_t i = streams.size(); i-- > 0;) {
            if (streams[i].processor() == processor) {
                reportBroken(streams[i]);
                streams.erase(streams.begin() + static_cast<std::ptrdiff_t>(i));
                descriptors.erase(descriptors.begin() + static_cast<std::ptrdiff_t>(i));
            }
        }
    };
    drop(m_streams, m_descriptors);
    drop(m_wakeUpStreams, m_wakeUpDescriptors);
    closeIf([&](const auto& owned) { return owned.processor == processor; });
}

PerfSession::~PerfSession() {
    closeIf([](const auto&) { return true; });
}

template <class Function>
void PerfSession::closeIf(Function&& isMeant) {
    for (const Mapping& mapping : m_mappings) {
        if (isMeant(mapping)) {
            m_api->unmap(mapping.memory, mapping.bytes);
        }
    }
    for (const Event& event : m_events) {
        if (isMeant(event)) {
            m_api->close(event.fd);
        }
    }
    std::erase_if(m_mappings, isMeant);
    std::erase_if(m_events, isMeant);
}

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/summary.h"

#include "core/base/own_provider.h"
#include "core/base/utf.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/event_counter.h"
#include "core/etl/event_view.h"
#include "core/etl/file_header.h"
#include "core/etl/recent_events.h"
#include "core/etl/trace_logging_reader.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

namespace tracedeck::etl {
namespace {

using etlformat::BufferType;
using etlformat::kBufferHeaderSize;
using Severity = Finding::Severity;
using Code = Finding::Code;

constexpr std::size_t kReadBlock = 1024 * 1024;
constexpr std::size_t kMostRecorderFields = 1024;
constexpr std::size_t kMostLossRecords = 1024;
/// ImageID events with the identity of an image's debug data: RSDS, ILRSDS, portable PDB, deterministic builds.
constexpr Guid kImageIdClass = Guid::of(0xb3e675d7, 0x2554, 0x4f18, {0x83, 0x0b, 0x27, 0x62, 0x73, 0x25, 0x60, 0xde});
constexpr std::uint8_t kFirstIdentity = 36;
constexpr std::uint8_t kLastIdentity = 40;
constexpr const char* kMissingBuffers = "sequence numbers of buffers are missing";
/// Modes whose files begin with a later buffer, or hold some no more.
constexpr std::uint32_t kModesWithGaps =
    etlformat::mode::kCircular | etlformat::mode::kNewFile | etlformat::mode::kBuffering;

/// Those of the header buffer (group EventTrace), which Windows repeats at the ends of a stream.
bool describesTrace(const EventView& event) noexcept {
    constexpr std::uint16_t kGroup = 0xFF00;
    return event.kind == EventKind::System && (event.hookId & kGroup) == etlformat::hook::kHeader;
}

/// When a buffer began and ended, kept until all buffers of its processor are known.
struct Span {
    std::int64_t sequenceNumber = 0;
    Ticks first = 0;
    Ticks last = 0;
    std::uint64_t offset = 0;
};

struct Processor {
    RecentEvents recent;
    std::vector<Span> spans;
    ProcessorSummary summary;
};

/// Reads one file from end to end.
class Reader {
public:
    Reader(InputFile& file, FileHeader header, WalkWatcher watcher)
        : m_header(std::move(header)), m_window(file, kReadBlock), m_walk(m_window, m_header, std::move(watcher)),
          m_recorderId(guidFromProviderName(kOwnProviderName)) {
        m_summary.header = m_header.summary;
        m_summary.fileBytes = file.size();
    }
    [[nodiscard]] Result<Summary> run();

private:
    void readEvents(const BufferPlace& place, std::span<const std::byte> bytes);
    void takeEvent(const EventView& event, const BufferPlace& place, std::uint64_t offset, Processor& processor);
    void takeStack(const EventView& stack, const BufferPlace& place, std::uint64_t offset, Processor& processor);
    void takeTime(const EventView& event);
    void takeSample(Ticks time, Processor& processor);
    [[nodiscard]] double ticksPerSecond() const noexcept;
    void takeRecorderEvent(const EventView& event, const ExtendedData& extended);
    void takeLoss(const std::vector<std::pair<std::string, std::string>>& fields);
    void noteBuffer(const BufferPlace& place);
    Processor& processorOf(const BufferPlace& place);

    void conclude();
    void concludeProcessors();
    void estimateLoss();
    void judgeClosing();
    void judgeOrder();
    void judgeSequence();
    void judgeLoss();
    void add(Severity severity, Code code, std::uint64_t offset, std::uint64_t count, std::string detail);
    void add(Severity severity, Code code, const Damage& damage, const std::string& prefix);

    FileHeader m_header;
    FileWindow m_window;
    BufferWalk m_walk;
    Guid m_recorderId;
    Summary m_summary;
    EventCounter m_counter;
    std::vector<Processor> m_processors;
    std::vector<std::int64_t> m_sequence;
    std::uint64_t m_headerBuffers = 0;
    std::uint64_t m_dataBytes = 0; ///< of the buffers with events, in the file
    bool m_hasSpan = false;
    Damage m_damaged;
    Damage m_disorder;
    Damage m_outOfRange;
    Damage m_orphans;
    Damage m_lossMarks;
    std::optional<std::pair<Ticks, Ticks>> m_samples; ///< times of the first and the last one
    std::optional<Ticks> m_cutOff;                    ///< when the program was ended that recorded
};

Result<Summary> Reader::run() {
    const Status walked = eachBuffer(m_window, m_walk, [this](const BufferPlace& place, const auto& bytes) -> Status {
        noteBuffer(place);
        if (bytes) {
            readEvents(place, *bytes);
        } else {
            m_damaged.note(place.offset, "the buffer cannot be decompressed", place.size);
        }
        return {};
    });
    if (!walked) {
        return fail(walked.error());
    }
    conclude();
    return std::move(m_summary);
}

void Reader::noteBuffer(const BufferPlace& place) {
    ++m_summary.buffers;
    if (place.type == BufferType::Header) {
        ++m_headerBuffers;
    } else {
        m_sequence.push_back(place.sequenceNumber);
        m_dataBytes += place.size;
    }
    if (place.processor >= m_header.summary.numberOfProcessors) {
        m_outOfRange.note(place.offset, "a buffer of processor " + std::to_string(place.processor));
    }
    if ((place.flags & (etlformat::buffer_flag::kEventsLost | etlformat::buffer_flag::kBufferLost)) != 0) {
        m_lossMarks.note(place.offset, "buffers are marked: events were lost");
    }
}

Processor& Reader::processorOf(const BufferPlace& place) {
    if (m_processors.size() <= place.processor) {
        m_processors.resize(place.processor + std::size_t{1});
    }
    return m_processors[place.processor];
}

void Reader::readEvents(const BufferPlace& place, std::span<const std::byte> bytes) {
    Processor& processor = processorOf(place);
    processor.summary.buffers += place.type != BufferType::Header ? 1 : 0;
    const std::uint64_t eventsBefore = m_summary.events;
    std::size_t at = kBufferHeaderSize;
    Span span{place.sequenceNumber, 0, 0, place.offset};
    bool hasTime = false;
    EventView event;
    ParseResult parsed = ParseResult::End;
    while (at < bytes.size() && (parsed = parseEvent(bytes.subspan(at), event)) == ParseResult::Event) {
        if (event.hasTime) {
            if (!hasTime) {
                span.first = event.time;
            } else if (event.time < span.last) {
                m_disorder.note(place.offset + at, "an event is earlier than the one before it in its buffer");
            }
            span.last = event.time;
            hasTime = true;
        }
        takeEvent(event, place, place.offset + at, processor);
        at += etlformat::alignEvent(event.size);
    }
    // What stands behind the last event of a header buffer may be anything: Windows leaves it as it was.
    if (at < bytes.size() && parsed == ParseResult::Damaged && place.type != BufferType::Header) {
        m_damaged.note(place.offset + at, "bytes that are no event, in a buffer at its +" + std::to_string(at),
                       bytes.size() - at);
    }
    if (place.type != BufferType::Header) {
        processor.summary.events += m_summary.events - eventsBefore;
        if (hasTime) {
            processor.spans.push_back(span);
        }
    }
}

void Reader::takeEvent(const EventView& event, const BufferPlace& place, std::uint64_t offset, Processor& processor) {
    ++m_summary.events;
    ExtendedData extended;
    if (event.kind == EventKind::Event) {
        extended = extendedData(event);
        if (!extended.isSound) {
            m_damaged.note(offset, "extended data runs past its event");
        }
        if (!extended.schema.empty() && event.guid() == m_recorderId) {
            takeRecorderEvent(event, extended);
        }
    }
    m_counter.count(event, extended);
    if (event.hasHook()) {
        if (event.hookId == etlformat::hook::kStackWalk &&
            event.payload().size() >= sizeof(etlformat::StackWalkPayload)) {
            takeStack(event, place, offset, processor);
            takeTime(event);
            return;
        }
        if (event.hookId == etlformat::hook::kSampledProfile) {
            takeSample(event.time, processor);
        }
        m_summary.marks += event.hookId == etlformat::hook::kMark ? 1U : 0U;
        processor.recent.add(event.time, event.hookId);
    } else if (event.hasTime && event.kind != EventKind::Message && event.kind != EventKind::Other) {
        processor.recent.add(event.time, RecentEvents::kNoHook);
        const auto opcode = event.kind == EventKind::Full ? loadAt<std::uint8_t>(event.data, 4) : std::uint8_t{0};
        if (opcode >= kFirstIdentity && opcode <= kLastIdentity && event.guid() == kImageIdClass) {
            ++m_summary.imageIdentities;
        }
    }
    takeTime(event);
}

void Reader::takeStack(const EventView& stack, const BufferPlace& place, std::uint64_t offset, Processor& processor) {
    ++m_summary.stacks;
    const auto owner = processor.recent.takeStack(loadAt<Ticks>(stack.payload().data(), 0));
    if (!owner) {
        m_orphans.note(offset, "a stack of processor " + std::to_string(place.processor) + " matches no event");
    } else if (owner->isFirstStack && owner->hookId != RecentEvents::kNoHook) {
        m_counter.countStack(owner->hookId);
    }
}

void Reader::takeTime(const EventView& event) {
    // The events that describe the trace carry the start of the session, which may be long before the first event: the
    // span begins with the first other event.
    if (!event.hasTime || (describesTrace(event) && !m_hasSpan)) {
        return;
    }
    m_summary.first = m_hasSpan ? std::min(m_summary.first, event.time) : event.time;
    m_summary.last = m_hasSpan ? std::max(m_summary.last, event.time) : event.time;
    m_hasSpan = true;
}

void Reader::takeSample(Ticks time, Processor& processor) {
    ++processor.summary.samples;
    if (!m_samples) {
        m_samples = {time, time};
    }
    m_samples->first = std::min(m_samples->first, time);
    m_samples->second = std::max(m_samples->second, time);
}

double Reader::ticksPerSecond() const noexcept {
    const HeaderSummary& header = m_header.summary;
    if (header.clockType == 1 && header.perfFreq > 0) {
        return static_cast<double>(header.perfFreq);
    }
    if (header.clockType == 3) {
        const std::uint32_t mhz = m_header.identity.cpuSpeedInMhz;
        return mhz != 0 ? mhz * 1e6 : std::max(1.0, static_cast<double>(header.perfFreq));
    }
    return 1e7;
}

void Reader::takeRecorderEvent(const EventView& event, const ExtendedData& extended) {
    const std::span<const std::byte> payload(event.data + extended.payloadOffset, event.size - extended.payloadOffset);
    const auto fields = readTraceLoggingFields(extended.schema, payload);
    m_summary.marks += extended.eventName == "Mark" ? 1U : 0U;
    if (extended.eventName == "Loss") {
        takeLoss(fields);
    }
    const auto isCutOff = [](const auto& field) { return field.first == "Reason" && field.second == "RecorderEnded"; };
    if (extended.eventName == "RecordingStopped" && std::any_of(fields.begin(), fields.end(), isCutOff)) {
        m_cutOff = event.time;
    }
    for (const auto& [name, value] : fields) {
        const std::string key = toUtf8(toUtf16(std::string(extended.eventName) + "." + name));
        if (m_summary.recorder.size() < kMostRecorderFields || m_summary.recorder.count(key) != 0) {
            m_summary.recorder[key] = toUtf8(toUtf16(value));
        }
    }
}

void Reader::takeLoss(const std::vector<std::pair<std::string, std::string>>& fields) {
    LossRecord loss;
    for (const auto& [name, value] : fields) {
        if (name == "Session") {
            loss.session = toUtf8(toUtf16(value));
        } else if (name == "Cause") {
            loss.cause = toUtf8(toUtf16(value));
        } else if (name == "Events") {
            std::from_chars(value.data(), value.data() + value.size(), loss.events);
        } else if (name == "Time") {
            std::from_chars(value.data(), value.data() + value.size(), loss.first);
        }
    }
    std::vector<LossRecord>& all = m_summary.losses;
    const auto same = std::find_if(all.begin(), all.end(), [&](const LossRecord& known) {
        return known.session == loss.session && known.cause == loss.cause;
    });
    if (same == all.end()) {
        if (all.size() < kMostLossRecords) {
            all.push_back(std::move(loss));
        }
        return;
    }
    same->events += loss.events;
    same->first = std::min(same->first, loss.first);
}

void Reader::add(Severity severity, Code code, std::uint64_t offset, std::uint64_t count, std::string detail) {
    m_summary.findings.push_back({severity, code, offset, count, std::move(detail)});
}

void Reader::add(Severity severity, Code code, const Damage& damage, const std::string& prefix) {
    if (damage.count != 0) {
        add(severity, code, damage.firstOffset, damage.count, prefix + damage.firstDetail);
        m_summary.findings.back().bytes = damage.bytes;
        m_summary.damagedRanges.insert(m_summary.damagedRanges.end(), damage.ranges.begin(), damage.ranges.end());
    }
}

void Reader::conclude() {
    m_summary.names = m_counter.result();
    m_summary.providers = m_counter.providers();
    m_summary.hooks = m_counter.hooks();
    m_summary.stacksWithoutEvent = m_orphans.count;
    if (m_hasSpan) {
        const bool isCutOff = m_cutOff && *m_cutOff > m_summary.first && *m_cutOff < m_summary.last;
        const Ticks end = isCutOff ? *m_cutOff : m_summary.last;
        // As doubles: in a damaged file the difference may not fit the ticks.
        m_summary.spanSeconds = (static_cast<double>(end) - static_cast<double>(m_summary.first)) / ticksPerSecond();
    }
    if (m_samples) {
        m_summary.samplesSeconds =
            (static_cast<double>(m_samples->second) - static_cast<double>(m_samples->first)) / ticksPerSecond();
    }
    judgeClosing();
    m_damaged.unite(m_walk.damaged());
    add(Severity::Error, Code::DamagedBuffer, m_damaged, "");
    judgeOrder();
    concludeProcessors();
    judgeSequence();
    judgeLoss();
    estimateLoss();
    add(Severity::Error, Code::ProcessorOutOfRange, m_outOfRange,
        "the header has " + std::to_string(m_header.summary.numberOfProcessors) + " processors: ");
    add(Severity::Note, Code::StackWithoutEvent, m_orphans, "");
}

/// Behind judgeOrder(), which sorts the spans.
void Reader::concludeProcessors() {
    const std::size_t count =
        std::max<std::size_t>(m_processors.size(), std::min<std::uint32_t>(m_header.summary.numberOfProcessors, 2048));
    m_summary.samplesPerProcessor.resize(count);
    m_summary.processors.resize(count);
    for (std::size_t i = 0; i < m_processors.size(); ++i) {
        Processor& processor = m_processors[i];
        if (!processor.spans.empty()) {
            processor.summary.first = processor.spans.front().first;
            processor.summary.last = processor.spans.back().last;
        }
        m_summary.processors[i] = processor.summary;
        m_summary.samplesPerProcessor[i] = processor.summary.samples;
    }
}

void Reader::estimateLoss() {
    const auto times = [](std::uint64_t count, double average) {
        constexpr double kMost = 1e18; // numbers of a damaged file may be any
        return static_cast<std::uint64_t>(std::min(kMost, std::round(static_cast<double>(count) * average)));
    };
    const std::uint64_t buffers = m_sequence.size();
    std::uint64_t events = 0;
    for (const Processor& processor : m_processors) {
        events += processor.summary.events;
    }
    if (buffers == 0 || events == 0) {
        return;
    }
    const double perBuffer = static_cast<double>(events) / static_cast<double>(buffers);
    const double perByte = static_cast<double>(events) / static_cast<double>(m_dataBytes);
    for (Finding& finding : m_summary.findings) {
        if (finding.code == Code::SequenceGap && finding.detail == kMissingBuffers) {
            finding.eventsEstimated = times(finding.count, perBuffer);
        } else if (finding.code == Code::DamagedBuffer) {
            finding.eventsEstimated = times(finding.bytes, perByte);
        }
    }
}

void Reader::judgeClosing() {
    const HeaderSummary& header = m_header.summary;
    add(Severity::Warning, Code::Truncated, m_walk.truncated(), "");
    if (header.endTime == 0 || header.buffersWritten == 0) {
        add(Severity::Warning, Code::NotClosed, 0, 1, "no end time or no number of buffers in the header");
    } else if (header.buffersWritten != m_summary.buffers) {
        add(Severity::Warning, Code::CountMismatch, 0, 1,
            "the header counts " + std::to_string(header.buffersWritten) + " buffers, the file holds " +
                std::to_string(m_summary.buffers));
    }
    if (!m_hasSpan) {
        add(Severity::Warning, Code::NoEvents, 0, 1, "no events but those of the header");
    }
}

void Reader::judgeOrder() {
    for (std::size_t processor = 0; processor < m_processors.size(); ++processor) {
        std::vector<Span>& spans = m_processors[processor].spans;
        std::stable_sort(spans.begin(), spans.end(),
                         [](const Span& a, const Span& b) { return a.sequenceNumber < b.sequenceNumber; });
        for (std::size_t i = 1; i < spans.size(); ++i) {
            if (spans[i].first < spans[i - 1].last) {
                m_disorder.note(spans[i].offset, "a buffer of processor " + std::to_string(processor) +
                                                     " begins before the one before it ends");
            }
        }
    }
    add(Severity::Error, Code::TimeDisorder, m_disorder, "");
}

void Reader::judgeSequence() {
    std::sort(m_sequence.begin(), m_sequence.end());
    std::uint64_t repeated = 0;
    std::uint64_t missing = 0;
    // Unsigned: numbers of a damaged file may be any.
    const bool beginsLater = (m_header.summary.logFileMode & kModesWithGaps) != 0 && !m_sequence.empty();
    std::uint64_t before = beginsLater ? static_cast<std::uint64_t>(m_sequence.front()) - 1 : 0;
    for (std::size_t i = 0; i < m_sequence.size(); ++i) {
        const std::uint64_t step = static_cast<std::uint64_t>(m_sequence[i]) - before;
        repeated += i != 0 && step == 0 ? 1 : 0;
        missing += step > 1 ? step - 1 : 0;
        before = static_cast<std::uint64_t>(m_sequence[i]);
    }
    if (repeated != 0) {
        add(Severity::Warning, Code::SequenceGap, 0, repeated, "buffers repeat sequence numbers");
    }
    if (missing != 0 && (m_header.summary.logFileMode & kModesWithGaps) == 0) {
        add(Severity::Warning, Code::SequenceGap, 0, missing, kMissingBuffers);
    }
}

void Reader::judgeLoss() {
    const HeaderSummary& header = m_header.summary;
    const std::uint64_t lost = std::uint64_t{header.eventsLost} + header.buffersLost;
    if (lost != 0) {
        add(Severity::Warning, Code::EventsLost, 0, lost,
            "the header counts " + std::to_string(header.eventsLost) + " lost events and " +
                std::to_string(header.buffersLost) + " lost buffers");
    } else {
        add(Severity::Warning, Code::EventsLost, m_lossMarks, "");
    }
}

} // namespace

Summary::Verdict Summary::verdict() const noexcept {
    Verdict result = Verdict::Good;
    for (const Finding& finding : findings) {
        if (finding.severity == Severity::Error) {
            return Verdict::Damaged;
        }
        if (finding.severity == Severity::Warning) {
            result = Verdict::Incomplete;
        }
    }
    return result;
}

Result<Summary> summarize(FileSystem& files, const std::string& path, std::stop_token stop,
                          const std::function<void(double)>& progress) {
    auto file = files.open(path);
    if (!file) {
        return fail(std::move(file.error()));
    }
    auto header = readFileHeader(**file, path);
    if (!header) {
        return fail(std::move(header.error()));
    }
    if (stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "reading was cancelled");
    }
    const auto size = static_cast<double>((*file)->size());
    Reader reader(**file, std::move(*header), [&](std::uint64_t offset) {
        if (progress) {
            progress(static_cast<double>(offset) / size);
        }
        return !stop.stop_requested();
    });
    return reader.run();
}

} // namespace tracedeck::etl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"

#include "core/etl/event_view.h"
#include "core/etl/image_identity.h"
#include "core/etl/merge_input.h"
#include "core/etl/merged_writer.h"
#include "core/etl/partial_file.h"
#include "core/etl/time_window.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

namespace tracedeck::etl {
namespace {

using etlformat::LogfileHeader;
using etlformat::SystemHeader;

constexpr FileTime kMinute = 60 * std::int64_t{10'000'000};

/// Which stream goes first: by time, then by the order of the inputs.
struct Next {
    Ticks time = 0;
    std::size_t stream = 0;
    [[nodiscard]] bool precedes(const Next& other) const noexcept {
        return time != other.time ? time < other.time : stream < other.stream;
    }
};

/// Moves the first of a heap (the least on top) to where it belongs.
void siftDown(std::vector<Next>& heap) noexcept {
    const Next moved = heap.front();
    std::size_t at = 0;
    while (true) {
        std::size_t child = 2 * at + 1;
        if (child >= heap.size()) {
            break;
        }
        if (child + 1 < heap.size() && heap[child + 1].precedes(heap[child])) {
            ++child;
        }
        if (!heap[child].precedes(moved)) {
            break;
        }
        heap[at] = heap[child];
        at = child;
    }
    heap[at] = moved;
}

/// More than 3,000 years in 100 ns: what the limits of damaged headers are cut to, so that sums fit.
constexpr FileTime kLongestDistance = 1'000'000'000'000'000'000;

/// a - b in 100 ns, for ticks of `frequency`; at most kLongestDistance either way.
FileTime wallDistance(Ticks a, Ticks b, std::int64_t frequency, bool roundUp) {
    const double ticks = static_cast<double>(a) - static_cast<double>(b);
    const double distance = ticks / static_cast<double>(frequency) * 1e7;
    if (std::abs(ticks) > 9e18 || std::abs(distance) > static_cast<double>(kLongestDistance)) {
        return ticks > 0 ? kLongestDistance : -kLongestDistance;
    }
    const std::int64_t whole = (a - b) / frequency;
    const std::int64_t part = (a - b) % frequency * 10'000'000;
    return whole * 10'000'000 + part / frequency + (roundUp && part % frequency > 0 ? 1 : 0);
}

Status checkSameClock(const std::vector<MergeInput>& inputs) {
    const HeaderSummary& first = inputs.front().header.summary;
    for (const MergeInput& input : inputs) {
        const HeaderSummary& header = input.header.summary;
        const char* difference = nullptr;
        if (header.pointerSize != 8) {
            difference = "not of a 64-bit system";
        } else if (header.perfFreq <= 0 || tickFrequency(input.header) > kHighestFrequency) {
            difference = "no possible frequency of the clock";
        } else if (header.perfFreq != first.perfFreq || header.clockType != first.clockType) {
            difference = "another clock than the first file's";
        } else if (wallDistance(header.bootTime, first.bootTime, 10'000'000, false) > kMinute ||
                   wallDistance(header.bootTime, first.bootTime, 10'000'000, false) < -kMinute) {
            difference = "another boot than the first file's";
        }
        if (difference != nullptr) {
            return fail(ErrorCode::EtlDamaged, input.path + ": " + difference);
        }
    }
    return {};
}

/// What the encoder takes for granted and files of another system may say otherwise: system and build, time zone,
/// clock.
void keepSystem(const LogfileHeader& from, std::vector<std::byte>& headerBuffer) {
    constexpr std::uint32_t kSystemVersion = 0x0000FFFF;
    std::byte* const at = headerBuffer.data() + etlformat::kBufferHeaderSize + sizeof(SystemHeader);
    auto header = loadAt<LogfileHeader>(at, 0);
    header.version = (header.version & ~kSystemVersion) | (from.version & kSystemVersion);
    header.providerVersion = from.providerVersion;
    header.clockType = from.clockType;
    std::copy(std::begin(from.standardName), std::end(from.standardName), header.standardName);
    header.standardDate = from.standardDate;
    header.standardBias = from.standardBias;
    std::copy(std::begin(from.daylightName), std::end(from.daylightName), header.daylightName);
    header.daylightDate = from.daylightDate;
    header.daylightBias = from.daylightBias;
    std::memcpy(at, &header, sizeof header);
}

/// One merge from the opened inputs to the finished bytes of the output.
class Merger {
public:
    Merger(std::vector<MergeInput>& inputs, const MergeRequest& request, const MergeProgress& progress,
           std::stop_token stop, OutputFile& output)
        : m_inputs(inputs), m_request(request), m_progress(progress), m_stop(std::move(stop)), m_writer(output) {}
    [[nodiscard]] Result<MergeResult> run();

private:
    struct Processor {
        TimeWindow times;
        Ticks last = std::numeric_limits<Ticks>::min();
    };
    [[nodiscard]] Status begin();
    [[nodiscard]] Status mergeStreams();
    /// Writes the event that the stream stands at and goes on to the next. False when the stream has ended.
    [[nodiscard]] Result<bool> step(MergeStream& stream);
    [[nodiscard]] Status take(const MergeStream& stream);
    [[nodiscard]] bool isKept(const MergeStream& stream) const;
    [[nodiscard]] Status writeImageEvents(const MergeStream& stream);
    void countDamage();
    [[nodiscard]] Result<bool> load(MergeStream& stream);
    [[nodiscard]] std::uint64_t missing(std::uint64_t eventsLost) const;
    [[nodiscard]] Status writeHeader();
    [[nodiscard]] etlformat::TraceIdentity identity() const;
    [[nodiscard]] const FileHeader& describingHeader() const;

    std::vector<MergeInput>& m_inputs;
    const MergeRequest& m_request;
    ProgressMeter m_progress;
    std::stop_token m_stop;
    MergedWriter m_writer;
    std::vector<MergeStream> m_streams;
    std::vector<Next> m_heap;
    std::vector<Processor> m_processors;
    MergeResult m_result;
    std::uint64_t m_bytes = 0;
    std::uint64_t m_bytesDone = 0;
};

Status Merger::begin() {
    std::size_t processors = 0;
    for (MergeInput& input : m_inputs) {
        m_bytes += input.bytes;
    }
    m_streams = streamsOf(m_inputs);
    auto added = streamsOf(m_request.added);
    if (!added) {
        return fail(std::move(added.error()));
    }
    for (MergeStream& stream : *added) {
        m_streams.push_back(std::move(stream));
    }
    for (std::size_t i = 0; i < m_streams.size(); ++i) {
        const auto loaded = load(m_streams[i]);
        if (!loaded) {
            return fail(loaded.error());
        }
        processors = std::max(processors, m_streams[i].processor() + std::size_t{1});
        if (*loaded) {
            m_heap.push_back({m_streams[i].event().time, i});
        }
    }
    std::sort(m_heap.begin(), m_heap.end(), [](const Next& a, const Next& b) { return a.precedes(b); });
    m_processors.resize(processors);
    return {};
}

Result<bool> Merger::load(MergeStream& stream) {
    if (m_stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "the merge was cancelled");
    }
    const std::uint64_t read = stream.bytesRead();
    auto loaded = stream.load();
    m_bytesDone += stream.bytesRead() - read;
    m_progress.tell(m_bytesDone, m_bytes);
    return loaded;
}

bool Merger::isKept(const MergeStream& stream) const {
    EventView event;
    static_cast<void>(parseEvent(stream.bytes(), event)); // understood when it was loaded
    return m_request.filter->keeps(event, stream.event().time);
}

Status Merger::writeImageEvents(const MergeStream& stream) {
    EventView event;
    static_cast<void>(parseEvent(stream.bytes(), event)); // understood when it was loaded
    for (const std::vector<std::byte>& bytes : m_request.images->eventsBefore(event)) {
        if (auto written = m_writer.append(stream.processor(), event.time, bytes); !written) {
            return written;
        }
        ++m_result.imageEvents;
        ++m_result.events;
    }
    return {};
}

void Merger::countDamage() {
    for (const MergeInput& input : m_inputs) {
        Damage damage = input.damaged;
        for (const MergeStream& stream : m_streams) {
            if (stream.input() == &input) {
                damage.unite(stream.damaged());
            }
        }
        m_result.buffersDamaged += damage.count;
        m_result.damage.push_back(std::move(damage));
    }
}

Status Merger::take(const MergeStream& stream) {
    const EventRef& event = stream.event();
    Processor& processor = m_processors[stream.processor()];
    if (event.time < processor.last) {
        ++m_result.eventsOutOfOrder;
        return {};
    }
    if (event.stackTimeAt != 0) {
        if (!processor.times.contains(loadAt<Ticks>(stream.bytes().data(), event.stackTimeAt))) {
            ++m_result.stacksDropped;
            return {};
        }
    } else if (m_request.filter != nullptr && stream.input() != nullptr && !isKept(stream)) {
        ++m_result.eventsCut;
        return {};
    }
    if (event.isImage && m_request.images != nullptr) {
        if (auto written = writeImageEvents(stream); !written) {
            return written;
        }
    }
    if (event.ownsTime) {
        processor.times.add(event.time);
    }
    processor.last = event.time;
    const bool isFirst = m_result.events == m_result.imageEvents;
    m_result.first = isFirst ? event.time : std::min(m_result.first, event.time);
    m_result.last = isFirst ? event.time : std::max(m_result.last, event.time);
    ++m_result.events;
    return m_writer.append(stream.processor(), event.time, stream.bytes());
}

Result<bool> Merger::step(MergeStream& stream) {
    if (auto taken = take(stream); !taken) {
        return fail(std::move(taken.error()));
    }
    stream.advance();
    return stream.isEmpty() ? load(stream) : Result<bool>(true);
}

Status Merger::mergeStreams() {
    while (!m_heap.empty()) {
        const std::size_t index = m_heap.front().stream;
        MergeStream& stream = m_streams[index];
        // While this stream stays ahead of all others, the heap is left alone.
        const bool isAlone = m_heap.size() == 1;
        const Next rival = isAlone                                              ? Next{}
                           : m_heap.size() > 2 && m_heap[2].precedes(m_heap[1]) ? m_heap[2]
                                                                                : m_heap[1];
        bool hasMore = true;
        do {
            const auto stepped = step(stream);
            if (!stepped) {
                return fail(stepped.error());
            }
            hasMore = *stepped;
        } while (hasMore && (isAlone || Next{stream.event().time, index}.precedes(rival)));
        if (hasMore) {
            m_heap.front().time = stream.event().time;
        } else {
            m_heap.front() = m_heap.back();
            m_heap.pop_back();
        }
        if (!m_heap.empty()) {
            siftDown(m_heap);
        }
    }
    return m_writer.finish();
}

const FileHeader& Merger::describingHeader() const {
    for (const MergeInput& input : m_inputs) {
        if (input.header.groupMasks || (input.header.summary.logFileMode & etlformat::mode::kSystemLogger) != 0) {
            return input.header;
        }
    }
    return m_inputs.front().header;
}

etlformat::TraceIdentity Merger::identity() const {
    const auto earliest = std::min_element(m_inputs.begin(), m_inputs.end(), [](const auto& a, const auto& b) {
        return a.header.summary.startTicks < b.header.summary.startTicks;
    });
    etlformat::TraceIdentity identity = earliest->header.identity;
    identity.startTime = std::clamp<FileTime>(identity.startTime, 0, kLongestDistance);
    if (m_result.events != 0 && m_result.first < identity.startTicks) {
        // Events from before the session began, such as a rundown's: readers take the header's time as the beginning.
        identity.startTime += wallDistance(m_result.first, identity.startTicks, tickFrequency(earliest->header), false);
        identity.startTicks = m_result.first;
    }
    for (const MergeInput& input : m_inputs) {
        identity.numberOfProcessors = std::max(identity.numberOfProcessors, input.header.identity.numberOfProcessors);
    }
    identity.numberOfProcessors =
        std::max(identity.numberOfProcessors, static_cast<std::uint32_t>(m_processors.size()));
    return identity;
}

/// Produced is recorded and lost: what of it is neither written, nor left out and counted, nor lost.
std::uint64_t Merger::missing(std::uint64_t eventsLost) const {
    const std::uint64_t produced = m_request.eventsRecorded + m_request.eventsLost + m_request.added.size();
    const std::uint64_t accounted =
        m_result.events - m_result.imageEvents + m_result.stacksDropped + m_result.eventsOutOfOrder + eventsLost;
    return produced - std::min(produced, accounted);
}

Status Merger::writeHeader() {
    const etlformat::TraceIdentity trace = identity();
    const FileHeader& describing = describingHeader();
    std::uint64_t eventsLost = 0;
    std::uint64_t buffersLost = m_request.buffersLost;
    etlformat::LogfileSummary summary;
    etlformat::GroupMasks masks;
    for (const MergeInput& input : m_inputs) {
        eventsLost += input.header.summary.eventsLost;
        buffersLost += input.header.summary.buffersLost;
        summary.endTime = std::max(summary.endTime, input.header.summary.endTime);
        masks.unite(input.header.groupMasks.value_or(etlformat::GroupMasks{}));
    }
    // A file that was not closed counts no loss.
    eventsLost = std::max(eventsLost, m_request.eventsLost);
    m_result.eventsMissing = missing(eventsLost);
    eventsLost += m_result.eventsOutOfOrder + m_result.eventsMissing;
    constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
    summary.bufferSize = kMergedBufferSize;
    summary.logFileMode = m_request.logFileMode;
    summary.buffersWritten = static_cast<std::uint32_t>(std::min(m_writer.buffers(), kMost));
    summary.eventsLost = static_cast<std::uint32_t>(std::min(eventsLost, kMost));
    summary.buffersLost = static_cast<std::uint32_t>(std::min(buffersLost, kMost));
    const Ticks last = m_result.events == 0 ? trace.startTicks : std::max(m_result.last, trace.startTicks);
    summary.endTime = std::max(m_request.endsWithEvents ? 0 : summary.endTime,
                               trace.startTime + wallDistance(last, trace.startTicks, tickFrequency(describing), true));
    // Readers want the end behind the start, and take 0 for a file that was never closed.
    summary.endTime = std::max({summary.endTime, trace.startTime + 1, FileTime{1}});
    summary.loggerName = m_request.sessionName;
    summary.logFileName = m_request.logFileName.empty() ? m_request.output : m_request.logFileName;
    summary.processId = describing.processId;
    summary.threadId = describing.threadId;
    if (describing.groupMasks) {
        summary.groupMasks = masks.words;
    }
    std::vector<std::byte> buffer = etlformat::encodeHeaderBuffer(trace, summary);
    keepSystem(describing.logfile, buffer);
    m_result.eventsLost = summary.eventsLost;
    m_result.headerEvents = describing.groupMasks ? 3 : 2;
    m_result.buffers = m_writer.buffers();
    m_result.bytes = m_result.buffers * kMergedBufferSize;
    return m_writer.writeHeaderBuffer(buffer);
}

Result<MergeResult> Merger::run() {
    if (auto begun = begin(); !begun) {
        return fail(std::move(begun.error()));
    }
    if (auto merged = mergeStreams(); !merged) {
        return fail(std::move(merged.error()));
    }
    countDamage();
    if (auto written = writeHeader(); !written) {
        return fail(std::move(written.error()));
    }
    return m_result;
}

/// Refused before anything is read: the output is there already, or is an input.
Status checkOutput(FileSystem& files, const MergeRequest& request) {
    if (request.inputs.empty()) {
        return fail(ErrorCode::InvalidArgument, "nothing to merge");
    }
    if (std::find(request.inputs.begin(), request.inputs.end(), request.output) != request.inputs.end()) {
        return fail(ErrorCode::InvalidArgument, request.output + " is an input of the merge");
    }
    return request.replace ? Status{} : refuseExisting(files, request.output);
}

} // namespace

Result<MergeResult> mergeInto(FileSystem& files, const MergeRequest& request, OutputFile& output,
                              const MergeProgress& progress, const std::stop_token& stop) {
    if (request.inputs.empty()) {
        return fail(ErrorCode::InvalidArgument, "nothing to merge");
    }
    std::vector<MergeInput> inputs;
    for (const std::string& path : request.inputs) {
        auto input = openMergeInput(files, path);
        if (!input) {
            return fail(std::move(input.error()));
        }
        inputs.push_back(std::move(*input));
    }
    if (auto checked = checkSameClock(inputs); !checked) {
        return fail(std::move(checked.error()));
    }
    auto result = Merger(inputs, request, progress, stop, output).run();
    if (result && stop.stop_requested()) {
        return fail(ErrorCode::Cancelled, "the merge was cancelled");
    }
    return result;
}

Result<MergeResult> merge(FileSystem& files, const MergeRequest& request, const MergeProgress& progress,
                          std::stop_token stop) {
    if (auto checked = checkOutput(files, request); !checked) {
        return fail(std::move(checked.error()));
    }
    PartialFile output(files, request.output);
    if (auto created = output.create(); !created) {
        return fail(std::move(created.error()));
    }
    auto result = mergeInto(files, request, output.file(), progress, stop);
    if (!result) {
        return result;
    }
    using Existing = FileSystem::Existing;
    if (auto committed = output.commit(request.replace ? Existing::Replace : Existing::Refuse); !committed) {
        return fail(std::move(committed.error()));
    }
    if (progress) {
        progress(1.0);
    }
    return result;
}

} // namespace tracedeck::etl

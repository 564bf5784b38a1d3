// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/trim.h"

#include "core/base/own_provider.h"
#include "core/etl/checked_merge.h"
#include "core/etl/file_header.h"
#include "core/etl/marks.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/layout.h"

#include <algorithm>
#include <array>
#include <limits>

namespace tracedeck::etl {
namespace {

namespace hook = etlformat::hook;

/// The event's stack, defined elsewhere: it refers to an event by its time, as a stack does.
constexpr std::array<std::uint16_t, 2> kStackKeys{0x1825, 0x1826};

/// Kernel events that stay wherever they are; whole groups are below.
constexpr std::array<std::uint16_t, 28> kAnywhere{
    0x0264,
    0x0280,
    0x0281, // ranges of heaps, virtual memory
    hook::kProcessDcStart,
    hook::kProcessDcEnd,
    0x0321, // counters of processes
    0x0424,
    0x0427,
    0x0428, // names of files, mapped files
    hook::kThreadDcStart,
    hook::kThreadDcEnd,
    0x0918,
    0x0919,
    0x0927, // registry keys and hives
    0x0F20,
    hook::kProfileDcStart,
    hook::kProfileDcEnd,
    0x0F4B,
    0x0F4C, // sampling, spin locks
    0x1124,
    0x1125,
    0x1126,
    0x1127, // types and handles of objects
    hook::kImageDcStart,
    hook::kImageDcEnd,
    0x1822,
    0x1823,
    0x1824, // stacks that stack keys refer to
};

/// Kernel events that stay where they are before the window.
constexpr std::array<std::uint16_t, 19> kBefore{
    hook::kProcessStart,
    hook::kProcessEnd,
    hook::kProcessDefunct,
    0x030A, // an image is loaded, as older systems log it
    0x0400,
    0x0420,
    0x0423,
    0x0425,
    0x0426, // names of files, mapped files
    hook::kThreadStart,
    hook::kThreadEnd,
    hook::kThreadSetName,
    0x0916,
    0x0917, // names of registry keys
    hook::kProfileSetInterval,
    hook::kImageUnload,
    hook::kImageLoad,
    hook::kKernelBase,
    0x1422, // where the kernel lies
};

/// What describes the trace itself, and the machine.
constexpr std::array<std::uint16_t, 2> kGroupsAnywhere{0x0000, 0x0B00};

struct ProviderEvents {
    Guid provider;
    std::vector<std::uint16_t> anywhere; ///< empty, as `before`: all
    std::vector<std::uint16_t> before;
};

/// Classic event classes that merged files of Windows carry, all of whose events stay: SysConfigEx, ImageID, event
/// metadata, PerfTrack metadata, WinSat.
const std::array<Guid, 5>& describingClasses() {
    static const std::array<Guid, 5> classes{
        *parseGuid("9b79ee91-b5fd-41c0-a243-4248e266e9d0"), *parseGuid("b3e675d7-2554-4f18-830b-2762732560de"),
        *parseGuid("bbccf6c1-6cd1-48c4-80ff-839482e37671"), *parseGuid("bf6ef1cb-89b5-0490-80ac-b180cfbcff0f"),
        *parseGuid("ed54dff8-c409-4cf6-bf83-05e1e61a09c4")};
    return classes;
}

/// The recorder's own provider, .NET's rundown and code (load and unload of methods, modules, assemblies, domains),
/// Kernel-Process (1…6 process, thread and image start and stop, 15 rundown).
const std::vector<ProviderEvents>& describingProviders() {
    static const std::vector<ProviderEvents> providers{
        {guidFromProviderName(kOwnProviderName), {}, {}},
        {*parseGuid("a669021c-c450-4609-a035-5af59af4df18"), {}, {}},
        {*parseGuid("e13c0d23-ccbc-4e12-931b-d9cc2eee27e4"),
         {187}, // which runtime this is
         {141, 142, 143, 144, 151, 152, 153, 154, 155, 156, 157}},
        {*parseGuid("22fb2cd6-0e7b-422b-a0c7-2fad1fd0e716"), {15}, {1, 2, 3, 4, 5, 6}},
    };
    return providers;
}

template <class Container>
bool contains(const Container& values, std::uint16_t value) {
    return std::find(values.begin(), values.end(), value) != values.end();
}

bool kernelEventStays(std::uint16_t hookId, bool isBefore) {
    constexpr std::uint16_t kGroup = 0xFF00;
    return contains(kGroupsAnywhere, hookId & kGroup) || contains(kAnywhere, hookId) ||
           (isBefore && contains(kBefore, hookId));
}

bool providerEventStays(const EventView& event, bool isBefore) {
    constexpr std::uint16_t kManifest = 0xFFFE; // of an EventSource: a manifest in pieces
    const auto descriptor =
        loadAt<etlformat::EventDescriptor>(event.data, offsetof(etlformat::EventHeader, descriptor));
    if (descriptor.id == kManifest && descriptor.task == kManifest) {
        return true;
    }
    const Guid provider = event.guid();
    const auto& known = describingProviders();
    const auto found =
        std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.provider == provider; });
    if (found == known.end()) {
        return false;
    }
    const bool isAll = found->anywhere.empty() && found->before.empty();
    return isAll || contains(found->anywhere, descriptor.id) || (isBefore && contains(found->before, descriptor.id));
}

constexpr FileTime kLongest = 90'000'000'000'000'000; ///< 285 years in 100 ns: in nanoseconds it still fits

class Window final : public EventFilter {
public:
    Window(Ticks from, Ticks to) : m_from(from), m_to(to) {}
    bool keeps(const EventView& event, Ticks time) override {
        if (event.hasHook() && contains(kStackKeys, event.hookId) && event.payload().size() >= sizeof(Ticks)) {
            time = loadAt<Ticks>(event.payload().data(), 0);
            return isInside(time);
        }
        if (isInside(time)) {
            ++m_inside;
            return true;
        }
        const bool stays = staysOutsideWindow(event, time < m_from);
        m_around += stays ? 1 : 0;
        return stays;
    }
    [[nodiscard]] std::uint64_t inside() const noexcept { return m_inside; }
    [[nodiscard]] std::uint64_t around() const noexcept { return m_around; }

private:
    [[nodiscard]] bool isInside(Ticks time) const noexcept { return time >= m_from && time <= m_to; }

    Ticks m_from;
    Ticks m_to;
    std::uint64_t m_inside = 0;
    std::uint64_t m_around = 0;
};

/// `start` and a time from it, in ticks; what does not fit is the clock's end.
Ticks after(Ticks start, std::chrono::nanoseconds time, std::int64_t frequency) {
    const double ticks =
        static_cast<double>(start) + static_cast<double>(time.count()) / 1e9 * static_cast<double>(frequency);
    constexpr double kFarthest = 9e18;
    if (ticks >= kFarthest || ticks <= -kFarthest) {
        return ticks > 0 ? std::numeric_limits<Ticks>::max() : std::numeric_limits<Ticks>::min();
    }
    const std::int64_t seconds = time.count() / 1'000'000'000;
    const std::int64_t rest = time.count() % 1'000'000'000;
    const auto part = static_cast<std::int64_t>(static_cast<double>(rest) / 1e9 * static_cast<double>(frequency));
    return start + seconds * frequency + part;
}

/// Moves the window's edges to the marks that are asked for.
Status placeByMarks(FileSystem& files, const TrimRequest& request, TrimResult& window, const std::stop_token& stop) {
    if (request.fromMark.empty() && request.toMark.empty()) {
        return {};
    }
    const auto marks = readMarks(files, request.input, stop);
    if (!marks) {
        return fail(marks.error());
    }
    for (const auto& [text, edge] :
         {std::pair(&request.fromMark, &window.from), std::pair(&request.toMark, &window.to)}) {
        if (text->empty()) {
            continue;
        }
        const auto mark = findMark(*marks, *text);
        if (!mark) {
            return fail(mark.error().code, request.input + ": " + mark.error().detail);
        }
        *edge = mark->time;
    }
    if (window.from >= window.to) {
        return fail(ErrorCode::InvalidArgument, request.input + ": the window ends before it begins");
    }
    return {};
}

} // namespace

bool staysOutsideWindow(const EventView& event, bool isBefore) {
    switch (event.kind) {
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Perfinfo:
        return kernelEventStays(event.hookId, isBefore);
    case EventKind::Full: {
        const auto& classes = describingClasses();
        return std::find(classes.begin(), classes.end(), event.guid()) != classes.end();
    }
    case EventKind::Event:
        return providerEventStays(event, isBefore);
    case EventKind::Instance:
    case EventKind::Message:
    case EventKind::Other:
        return false;
    }
    return false;
}

Result<TrimResult> trim(FileSystem& files, const TrimRequest& request, const Progress& progress, std::stop_token stop) {
    if (request.from && request.to && *request.from >= *request.to) {
        return fail(ErrorCode::InvalidArgument, "the window ends before it begins");
    }
    const auto file = files.open(request.input);
    if (!file) {
        return fail(file.error());
    }
    const auto header = readFileHeader(**file, request.input);
    if (!header) {
        return fail(header.error());
    }
    const std::int64_t frequency = tickFrequency(*header);
    if (frequency <= 0 || frequency > kHighestFrequency) {
        return fail(ErrorCode::EtlDamaged, request.input + ": no possible frequency of the clock");
    }
    const HeaderSummary& summary = header->summary;
    const std::chrono::nanoseconds length(
        summary.endTime > summary.startTime ? 100 * std::min(summary.endTime - summary.startTime, kLongest) : 0);
    if (length.count() != 0 && request.from && *request.from > length) {
        return fail(ErrorCode::InvalidArgument, request.input + ": the recording ends before the window begins");
    }
    const Ticks start = summary.startTicks;
    TrimResult result;
    result.from = request.from ? after(start, *request.from, frequency) : std::numeric_limits<Ticks>::min();
    result.to = request.to ? after(start, *request.to, frequency) : std::numeric_limits<Ticks>::max();
    if (const Status placed = placeByMarks(files, request, result, stop); !placed) {
        return fail(placed.error());
    }
    Window window(result.from, result.to);
    MergeRequest cut;
    cut.inputs = {request.input};
    cut.output = request.output;
    cut.replace = request.replace;
    cut.logFileMode = plainMode(summary);
    cut.sessionName = summary.loggerName;
    cut.logFileName = summary.logFileName;
    cut.filter = &window;
    cut.endsWithEvents = true;
    auto merged = mergeChecked(files, cut, progress, std::move(stop));
    if (!merged) {
        return fail(std::move(merged.error()));
    }
    result.merge = std::move(merged->merge);
    result.eventsInWindow = window.inside();
    result.eventsAround = window.around();
    return result;
}

} // namespace tracedeck::etl

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/marks.h"

#include "core/base/own_provider.h"
#include "core/base/utf.h"
#include "core/etl/buffer_walk.h"
#include "core/etl/event_view.h"
#include "core/etl/file_header.h"
#include "core/etl/trace_logging_reader.h"
#include "core/etl/trace_time.h"
#include "core/etlformat/hooks.h"

#include <algorithm>
#include <cstdint>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kReadBlock = 1024 * 1024;
/// A recorder asks the kernel's stream for its mark, and then writes its own.
constexpr std::chrono::seconds kSameMark{1};

/// More than anybody sets; a file with more is not one that marks help in.
constexpr std::size_t kMostMarks = 10'000;

struct Marks {
    std::vector<Mark> ofRecorder;
    std::vector<Mark> ofKernel;
    bool isTooMany = false;

    void add(std::vector<Mark>& to, std::string text, Ticks time) {
        isTooMany = isTooMany || to.size() == kMostMarks;
        if (!isTooMany) {
            to.push_back({std::move(text), time});
        }
    }
};

/// What there is of an event's text up to its first zero.
std::string textOf(std::span<const std::byte> payload) {
    const auto end = std::find(payload.begin(), payload.end(), std::byte{0});
    std::string text(static_cast<std::size_t>(end - payload.begin()), '\0');
    std::transform(payload.begin(), end, text.begin(), [](std::byte each) { return static_cast<char>(each); });
    return toUtf8(toUtf16(text));
}

void takeEvent(const EventView& event, const Guid& recorder, Marks& marks) {
    if (event.hasHook() && event.hookId == etlformat::hook::kMark) {
        marks.add(marks.ofKernel, textOf(event.payload()), event.time);
        return;
    }
    if (event.kind != EventKind::Event || event.guid() != recorder) {
        return;
    }
    const ExtendedData extended = extendedData(event);
    if (extended.schema.empty() || extended.eventName != "Mark") {
        return;
    }
    const std::span<const std::byte> payload(event.data + extended.payloadOffset, event.size - extended.payloadOffset);
    for (const auto& [name, value] : readTraceLoggingFields(extended.schema, payload)) {
        if (name == "Text") {
            marks.add(marks.ofRecorder, toUtf8(toUtf16(value)), event.time);
        }
    }
}

void takeEvents(std::span<const std::byte> buffer, const Guid& recorder, Marks& marks) {
    std::size_t at = etlformat::kBufferHeaderSize;
    EventView event;
    while (at < buffer.size() && parseEvent(buffer.subspan(at), event) == ParseResult::Event) {
        takeEvent(event, recorder, marks);
        at += etlformat::alignEvent(event.size);
    }
}

std::chrono::nanoseconds distance(const Mark& a, const Mark& b) {
    return std::max(a.sinceStart, b.sinceStart) - std::min(a.sinceStart, b.sinceStart);
}

/// Those of the recorder, and of the kernel's those that belong to none of them.
std::vector<Mark> united(Marks marks) {
    std::vector<bool> isPaired(marks.ofRecorder.size());
    std::vector<Mark> all = marks.ofRecorder;
    for (Mark& mark : marks.ofKernel) {
        std::size_t own = 0;
        while (own < isPaired.size() && (isPaired[own] || marks.ofRecorder[own].text != mark.text ||
                                         distance(marks.ofRecorder[own], mark) > kSameMark)) {
            ++own;
        }
        if (own < isPaired.size()) {
            isPaired[own] = true;
        } else {
            all.push_back(std::move(mark));
        }
    }
    std::stable_sort(all.begin(), all.end(), [](const Mark& a, const Mark& b) { return a.time < b.time; });
    return all;
}

std::string listOf(const std::vector<Mark>& marks) {
    constexpr std::size_t kMost = 50;
    std::string list;
    for (std::size_t i = 0; i < marks.size() && i < kMost; ++i) {
        list += (list.empty() ? "'" : ", '") + marks[i].text + "' at ";
        TraceTime::appendSeconds(list, marks[i].sinceStart.count());
        list += " s";
    }
    return marks.size() > kMost ? list + " and " + std::to_string(marks.size() - kMost) + " more" : list;
}

} // namespace

Result<std::vector<Mark>> readMarks(FileSystem& files, const std::string& path, std::stop_token stop,
                                    const Progress& progress) {
    const auto file = files.open(path);
    if (!file) {
        return fail(file.error());
    }
    const auto header = readFileHeader(**file, path);
    if (!header) {
        return fail(header.error());
    }
    ProgressMeter meter(progress);
    FileWindow window(**file, kReadBlock);
    BufferWalk walk(window, *header, [&](std::uint64_t offset) {
        meter.tell(offset, (*file)->size());
        return !stop.stop_requested();
    });
    const Guid recorder = guidFromProviderName(kOwnProviderName);
    Marks marks;
    const Status read = eachBuffer(window, walk, [&](const BufferPlace&, const auto& bytes) -> Status {
        if (bytes) {
            takeEvents(*bytes, recorder, marks);
        }
        return {};
    });
    if (!read) {
        return fail(read.error());
    }
    if (marks.isTooMany) {
        return fail(ErrorCode::NotSupported, path + ": more than " + std::to_string(kMostMarks) + " marks");
    }
    const TraceTime times(*header);
    for (std::vector<Mark>* each : {&marks.ofRecorder, &marks.ofKernel}) {
        for (Mark& mark : *each) {
            mark.sinceStart = std::chrono::nanoseconds(times.nanoseconds(mark.time));
        }
    }
    return united(std::move(marks));
}

Result<Mark> findMark(const std::vector<Mark>& marks, const std::string& text) {
    const auto isCalled = [&](const Mark& mark) { return mark.text == text; };
    const auto found = std::find_if(marks.begin(), marks.end(), isCalled);
    const auto count = std::count_if(marks.begin(), marks.end(), isCalled);
    if (count == 1) {
        return *found;
    }
    if (marks.empty()) {
        return fail(ErrorCode::InvalidArgument, "no mark '" + text + "': there are no marks in it");
    }
    const std::string why = count == 0 ? "no mark is called '" : std::to_string(count) + " marks are called '";
    return fail(ErrorCode::InvalidArgument, why + text + "'; there are " + listOf(marks));
}

} // namespace tracedeck::etl

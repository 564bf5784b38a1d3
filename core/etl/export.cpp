// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/export.h"

#include "core/base/utf.h"
#include "core/etl/field_json.h"
#include "core/etl/kernel_fields.h"
#include "core/etl/names.h"
#include "core/etl/ordered_events.h"
#include "core/etl/partial_file.h"
#include "core/etl/thread_owners.h"
#include "core/etl/trace_logging_fields.h"
#include "core/etl/trace_time.h"

#include <array>
#include <charconv>
#include <memory>

namespace tracedeck::etl {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 20U;
constexpr std::uint64_t kEventsBetweenLooks = 16 * 1024;
constexpr std::string_view kCsvHead =
    "time_s,time_utc,processor,process,thread,provider,event,level,keyword,fields\r\n";

template <class Number>
void appendNumber(std::string& to, Number number) {
    std::array<char, 24> text{};
    to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), number).ptr);
}

void appendCsvText(std::string& to, std::string_view text) {
    to += '"';
    for (const char c : text) {
        to.append(c == '"' ? 2 : 1, c);
    }
    to += '"';
}

/// Spreadsheets take cells for formulas that begin so, even quoted ones.
bool looksLikeFormula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
}

/// What a row says of an event beside its time and its fields.
struct Description {
    std::string_view provider;
    std::string_view event;
    int level = -1; ///< kernel events have none
    bool hasKeyword = false;
    std::uint64_t keyword = 0;
};

/// Turns events into rows.
class RowWriter {
public:
    RowWriter(const FileHeader& header, ExportFormat format) : m_time(header), m_format(format) {}

    void append(std::string& to, const OrderedEvent& event, const Actor& actor, ExportResult& result) {
        const ExtendedData extended = extendedData(event.view);
        const Description description = describe(event.view, extended);
        m_fields.clear();
        if (!appendFields(event.view, extended)) {
            ++result.eventsUndecoded;
        }
        ++result.events;
        if (m_format == ExportFormat::Csv) {
            appendCsv(to, event, actor, description);
        } else {
            appendJson(to, event, actor, description);
        }
    }

private:
    struct Names {
        std::string provider;
        std::string event;
    };

    const Names& hookNames(std::uint16_t hookId);
    Description describe(const EventView& view, const ExtendedData& extended);
    bool appendFields(const EventView& view, const ExtendedData& extended);
    void appendStack(const EventView& view, FieldSink& sink);
    void appendCsv(std::string& to, const OrderedEvent& event, const Actor& actor, const Description& description);
    void appendJson(std::string& to, const OrderedEvent& event, const Actor& actor, const Description& description);

    TraceTime m_time;
    ExportFormat m_format;
    std::vector<std::unique_ptr<Names>> m_hooks{std::size_t{1} << 16U};
    std::string m_fields; ///< of the event, JSON
    std::string m_provider;
    std::string m_event;
};

const RowWriter::Names& RowWriter::hookNames(std::uint16_t hookId) {
    std::unique_ptr<Names>& names = m_hooks[hookId];
    if (names == nullptr) {
        const std::string name = hookName(hookId);
        const std::size_t slash = name.find('/');
        names = std::make_unique<Names>(Names{name.substr(0, slash), name.substr(slash + 1)});
    }
    return *names;
}

Description RowWriter::describe(const EventView& view, const ExtendedData& extended) {
    Description description;
    switch (view.kind) {
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Perfinfo: {
        const Names& names = hookNames(view.hookId);
        description.provider = names.provider;
        description.event = names.event;
        return description;
    }
    case EventKind::Full:
    case EventKind::Instance:
        m_provider = "{" + toString(view.guid()) + "}";
        m_event = "op" + std::to_string(loadAt<std::uint8_t>(view.data, 4));
        description.level = loadAt<std::uint8_t>(view.data, 5);
        break;
    case EventKind::Event:
        m_provider =
            extended.providerName.empty() ? "{" + toString(view.guid()) + "}" : toUtf8(toUtf16(extended.providerName));
        m_event = extended.schema.empty() ? std::to_string(loadAt<std::uint16_t>(view.data, 0x28))
                                          : toUtf8(toUtf16(extended.eventName));
        description.level = loadAt<std::uint8_t>(view.data, 0x2C);
        description.hasKeyword = true;
        description.keyword = loadAt<std::uint64_t>(view.data, 0x30);
        break;
    case EventKind::Message: {
        const auto guid = view.messageGuid();
        m_provider = guid ? "WPP {" + toString(*guid) + "}" : "WPP";
        m_event = std::to_string(loadAt<std::uint16_t>(view.data, 4));
        break;
    }
    case EventKind::Other:
        m_provider = "unknown header type";
        m_event = std::to_string(loadAt<std::uint8_t>(view.data, 2));
        break;
    }
    description.provider = m_provider;
    description.event = m_event;
    return description;
}

/// False where the payload is not understood.
bool RowWriter::appendFields(const EventView& view, const ExtendedData& extended) {
    JsonFields json(m_fields, m_format == ExportFormat::Csv ? JsonQuotes::Doubled : JsonQuotes::Plain);
    std::span<const std::byte> payload = view.payload();
    bool isKnown = false;
    std::size_t used = 0;
    if (view.kind == EventKind::Event) {
        appendStack(view, json);
        payload = std::span(view.data, view.size).subspan(std::min<std::size_t>(extended.payloadOffset, view.size));
        if (!extended.schema.empty()) {
            isKnown = true;
            used = visitTraceLogging(extended.schema, payload, isNarrow(view), json).payloadBytes;
        }
    } else {
        const KernelFields::Visit visit = KernelFields::builtIn().visit(view, json);
        isKnown = visit.isKnown;
        used = visit.payloadBytes;
    }
    const auto rest = payload.subspan(std::min(used, payload.size()));
    if (!rest.empty()) {
        json.value({isKnown ? "@rest" : "@payload", FieldType::Binary, rest});
    }
    return isKnown || rest.empty();
}

void RowWriter::appendStack(const EventView& view, FieldSink& sink) {
    forEachExtendedItem(view, [&](std::uint16_t type, std::span<const std::byte> data) {
        constexpr std::uint16_t kStack32 = 5;
        constexpr std::uint16_t kStack64 = 6;
        constexpr std::size_t kMatchId = 8;
        if ((type == kStack32 || type == kStack64) && data.size() >= kMatchId) {
            const std::size_t size = type == kStack32 ? 4 : 8;
            sink.beginArray("@stack");
            for (data = data.subspan(kMatchId); data.size() >= size; data = data.subspan(size)) {
                sink.value({{}, FieldType::Hex, data.first(size)});
            }
            sink.endArray();
        }
    });
}

void appendKeyword(std::string& to, std::uint64_t keyword) {
    std::array<char, 24> text{};
    to += "0x";
    to.append(text.data(), std::to_chars(text.data(), text.data() + text.size(), keyword, 16).ptr);
}

void RowWriter::appendCsv(std::string& to, const OrderedEvent& event, const Actor& actor,
                          const Description& description) {
    const auto id = [&](std::uint32_t number) {
        if (number != Actor::kUnknown) {
            appendNumber(to, number);
        }
        to += ',';
    };
    const auto name = [&](std::string_view text) {
        if (looksLikeFormula(text)) {
            appendCsvText(to, "'" + std::string(text));
        } else if (text.find_first_of("\",\r\n") != std::string_view::npos) {
            appendCsvText(to, text);
        } else {
            to += text;
        }
        to += ',';
    };
    TraceTime::appendSeconds(to, m_time.nanoseconds(event.time));
    to += ',';
    TraceTime::appendUtc(to, m_time.wallTime(event.time));
    to += ',';
    appendNumber(to, event.processor);
    to += ',';
    id(actor.processId);
    id(actor.threadId);
    name(description.provider);
    name(description.event);
    if (description.level >= 0) {
        appendNumber(to, description.level);
    }
    to += ',';
    if (description.hasKeyword) {
        appendKeyword(to, description.keyword);
    }
    to += ",\"{";
    to += m_fields;
    to += "}\"\r\n";
}

void RowWriter::appendJson(std::string& to, const OrderedEvent& event, const Actor& actor,
                           const Description& description) {
    const auto id = [&](std::string_view key, std::uint32_t number) {
        to += key;
        if (number != Actor::kUnknown) {
            appendNumber(to, number);
        } else {
            to += "null";
        }
    };
    to += "{\"time_s\":";
    TraceTime::appendSeconds(to, m_time.nanoseconds(event.time));
    to += ",\"time_utc\":\"";
    TraceTime::appendUtc(to, m_time.wallTime(event.time));
    to += "\",\"processor\":";
    appendNumber(to, event.processor);
    id(",\"process\":", actor.processId);
    id(",\"thread\":", actor.threadId);
    to += ",\"provider\":";
    appendJsonText(to, description.provider);
    to += ",\"event\":";
    appendJsonText(to, description.event);
    if (description.level >= 0) {
        to += ",\"level\":";
        appendNumber(to, description.level);
    }
    if (description.hasKeyword) {
        to += ",\"keyword\":\"";
        appendKeyword(to, description.keyword);
        to += '"';
    }
    to += ",\"fields\":{";
    to += m_fields;
    to += "}}\n";
}

/// Reads a file twice: who the threads are of, and the events themselves.
class Exporter {
public:
    Exporter(OrderedEvents events, ExportFormat format, const ExportSink& sink, const std::stop_token& stop,
             const ExportProgress& progress)
        : m_events(std::move(events)), m_rows(m_events.header(), format), m_format(format), m_sink(sink), m_stop(stop),
          m_progress(progress) {}

    Result<ExportResult> run() {
        OrderedEvent event;
        if (auto learnt = readAll(
                [&](const OrderedEvent& one) {
                    m_owners.learn(one.view);
                    return Status();
                },
                0);
            !learnt) {
            return fail(std::move(learnt).error());
        }
        m_events.rewind();
        m_text.reserve(kPiece + kPiece / 8);
        m_text = m_format == ExportFormat::Csv ? kCsvHead : std::string_view();
        const auto written = readAll(
            [&](const OrderedEvent& one) {
                m_rows.append(m_text, one, m_owners.actorOf(one), m_result);
                return m_text.size() >= kPiece ? flush() : Status();
            },
            1);
        if (!written) {
            return fail(written.error());
        }
        if (auto flushed = flush(); !flushed) {
            return fail(std::move(flushed).error());
        }
        m_result.damaged = m_events.damaged();
        return m_result;
    }

private:
    template <class Take>
    Status readAll(Take take, int round) {
        OrderedEvent event;
        std::uint64_t looked = 0;
        while (true) {
            const auto has = m_events.next(event);
            if (!has) {
                return fail(has.error());
            }
            if (!*has) {
                return {};
            }
            if (auto taken = take(event); !taken) {
                return taken;
            }
            if (++looked % kEventsBetweenLooks == 0) {
                if (m_stop.stop_requested()) {
                    return fail(ErrorCode::Cancelled, "the export was cancelled");
                }
                tell(round);
            }
        }
    }
    void tell(int round) const {
        constexpr double kFirstRound = 0.1; // of the time: it formats nothing
        if (m_progress) {
            const double part = static_cast<double>(m_events.bytesRead()) / static_cast<double>(m_events.fileBytes());
            m_progress(round == 0 ? part * kFirstRound : kFirstRound + part * (1 - kFirstRound));
        }
    }
    Status flush() {
        m_result.bytes += m_text.size();
        Status taken = m_sink(m_text);
        m_text.clear();
        return taken;
    }

    OrderedEvents m_events;
    RowWriter m_rows;
    ThreadOwners m_owners;
    ExportFormat m_format;
    const ExportSink& m_sink;
    const std::stop_token& m_stop;
    const ExportProgress& m_progress;
    std::string m_text;
    ExportResult m_result;
};

} // namespace

Result<ExportResult> exportEvents(FileSystem& files, const std::string& input, ExportFormat format,
                                  const ExportSink& sink, std::stop_token stop, const ExportProgress& progress) {
    auto events = OrderedEvents::open(files, input, [&](std::uint64_t) { return !stop.stop_requested(); });
    if (!events) {
        return fail(std::move(events).error());
    }
    return Exporter(std::move(*events), format, sink, stop, progress).run();
}

Result<ExportResult> exportToFile(FileSystem& files, const std::string& input, ExportFormat format,
                                  const std::string& output, FileSystem::Existing existing, std::stop_token stop,
                                  const ExportProgress& progress) {
    PartialFile file(files, output);
    if (auto created = file.create(); !created) {
        return fail(std::move(created).error());
    }
    std::uint64_t written = 0;
    auto result = exportEvents(
        files, input, format,
        [&](std::span<const char> text) {
            Status taken = file.file().writeAt(written, std::as_bytes(text));
            written += text.size();
            return taken;
        },
        stop, progress);
    if (!result) {
        return result;
    }
    if (auto committed = file.commit(existing); !committed) {
        return fail(std::move(committed).error());
    }
    return result;
}

} // namespace tracedeck::etl

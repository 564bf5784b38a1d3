// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include "core/base/utf.h"
#include "core/plan/cost.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <string_view>
#include <system_error>

namespace tracedeck::plan {

namespace {

/// Writes values in the order of the calls; the caller opens and closes objects and arrays in pairs.
class JsonWriter {
public:
    void openObject(std::string_view key = {}) { open(key, '{'); }
    void openArray(std::string_view key = {}) { open(key, '['); }
    void close(char bracket) {
        --m_depth;
        if (!m_isEmpty) {
            newLine();
        }
        m_text += bracket;
        m_isEmpty = false;
    }
    void text(std::string_view key, std::string_view value) {
        begin(key);
        quote(value);
    }
    void number(std::string_view key, std::uint64_t value) {
        begin(key);
        m_text += std::to_string(value);
    }
    /// Six digits, with a point whatever the locale.
    void decimal(std::string_view key, double value) {
        begin(key);
        std::array<char, 32> text{};
        const auto [end, error] =
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 6);
        if (error == std::errc() && std::isfinite(value)) {
            m_text.append(text.data(), end);
        } else {
            m_text += "null"; // JSON has no infinity
        }
    }
    void boolean(std::string_view key, bool value) {
        begin(key);
        m_text += value ? "true" : "false";
    }
    void null(std::string_view key) {
        begin(key);
        m_text += "null";
    }
    template <class Values>
    void texts(std::string_view key, const Values& values) {
        openArray(key);
        for (const auto& value : values) {
            text({}, value);
        }
        close(']');
    }
    std::string take() { return std::move(m_text) + "\n"; }

private:
    void newLine() { m_text += "\n" + std::string(2 * m_depth, ' '); }
    void begin(std::string_view key) {
        if (m_depth > 0) {
            m_text += m_isEmpty ? "" : ",";
            newLine();
        }
        m_isEmpty = false;
        if (!key.empty()) {
            quote(key);
            m_text += ": ";
        }
    }
    void open(std::string_view key, char bracket) {
        begin(key);
        m_text += bracket;
        ++m_depth;
        m_isEmpty = true;
    }
    void quote(std::string_view value) {
        m_text += '"';
        for (const char c : toUtf8(toUtf16(value))) { // paths of Linux hold any bytes
            if (c == '"' || c == '\\') {
                m_text += '\\';
                m_text += c;
            } else if (static_cast<unsigned char>(c) < 0x20) {
                std::array<char, 8> escape{};
                std::snprintf(escape.data(), escape.size(), "\\u%04x", static_cast<unsigned>(c));
                m_text += escape.data();
            } else {
                m_text += c;
            }
        }
        m_text += '"';
    }

    std::string m_text;
    std::size_t m_depth = 0;
    bool m_isEmpty = true;
};

std::string hex(std::uint64_t value, int digits) {
    std::array<char, 24> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "0x%0*llx", digits, static_cast<unsigned long long>(value));
    return buffer.data();
}

std::string_view nameOf(Severity severity) {
    return severity == Severity::Note ? "note" : severity == Severity::Warning ? "warning" : "error";
}

std::string_view nameOf(etw::EventFilter::Kind kind) {
    using enum etw::EventFilter::Kind;
    switch (kind) {
    case EventId:
        return "eventId";
    case StackEventId:
        return "stackEventId";
    case EventName:
        return "eventName";
    case StackEventName:
        return "stackEventName";
    case StackKeywordLevel:
        return "stackKeywordLevel";
    case ExecutableName:
        return "executableName";
    case ProcessId:
        return "processId";
    }
    return "eventId";
}

void write(JsonWriter& json, const etw::EventFilter& filter) {
    json.openObject();
    json.text("kind", nameOf(filter.kind));
    json.boolean("in", filter.isFilterIn);
    json.number("level", filter.level);
    json.text("keyword", hex(filter.keyword, 16));
    json.openArray("ids");
    for (const std::uint16_t id : filter.ids) {
        json.number({}, id);
    }
    json.close(']');
    json.texts("names", filter.names);
    json.close('}');
}

void write(JsonWriter& json, std::string_view key, const std::optional<etw::CaptureState>& capture) {
    if (capture) {
        json.openObject(key);
        json.text("keywords", hex(capture->keywords, 16));
        json.number("timeoutSeconds", static_cast<std::uint64_t>(capture->timeout.count()));
        json.close('}');
    }
}

void write(JsonWriter& json, std::string_view key, const std::optional<SystemCapture>& capture) {
    if (capture) {
        json.openObject(key);
        json.texts("keywords", capture->keywords);
        json.number("timeoutSeconds", static_cast<std::uint64_t>(capture->timeout.count()));
        json.close('}');
    }
}

void write(JsonWriter& json, const HardwareCounters& counters) {
    json.openObject("hardwareCounters");
    json.boolean("isStrict", counters.isStrict);
    json.texts("counters", counters.counters);
    json.texts("events", counters.events);
    json.openArray("sampled");
    for (const HardwareCounters::Sampled& sampled : counters.sampled) {
        json.openObject();
        json.text("counter", sampled.counter);
        json.number("interval", sampled.interval);
        json.close('}');
    }
    json.close(']');
    json.texts("branchEvents", counters.branchEvents);
    json.texts("branchFiltersOut", counters.branchFiltersOut);
    if (const auto& trace = counters.processorTrace) {
        json.openObject("processorTrace");
        json.number("bufferSize", trace->bufferSize);
        json.text("codeMode", trace->codeMode);
        json.texts("events", trace->events);
        json.close('}');
    }
    json.openArray("sources");
    for (const HardwareCounters::Source& source : counters.sources) {
        json.openObject();
        json.text("architecture", source.architecture);
        json.text("name", source.name);
        json.text("event", source.event);
        json.text("unit", source.unit);
        if (source.interval) {
            json.number("interval", *source.interval);
        }
        if (source.allowsHalt) {
            json.boolean("allowsHalt", *source.allowsHalt);
        }
        json.close('}');
    }
    json.close(']');
    json.close('}');
}

std::string_view nameOf(PlannedSession::Kind kind) {
    switch (kind) {
    case PlannedSession::Kind::System:
        return "system";
    case PlannedSession::Kind::Event:
        return "event";
    case PlannedSession::Kind::Heap:
        return "heap";
    case PlannedSession::Kind::Hypervisor:
        return "hypervisor";
    }
    return "event";
}

void write(JsonWriter& json, const etw::ProviderConfig& provider) {
    json.openObject();
    json.text("provider", toString(provider.provider));
    json.text("name", provider.name);
    json.number("level", provider.level);
    json.text("matchAnyKeyword", hex(provider.matchAnyKeyword, 16));
    json.text("matchAllKeyword", hex(provider.matchAllKeyword, 16));
    json.boolean("captureStack", provider.captureStack);
    // What is rarely asked for stands only where it is.
    if (provider.needsNonPagedMemory) {
        json.boolean("needsNonPagedMemory", true);
    }
    if (provider.enableProperties != 0) {
        json.text("enableProperties", hex(provider.enableProperties, 8));
    }
    if (!provider.stackHooks.empty()) {
        json.openArray("stackHooks");
        for (const std::uint16_t hook : provider.stackHooks) {
            json.text({}, hex(hook, 4));
        }
        json.close(']');
    }
    if (!provider.filters.empty()) {
        json.openArray("filters");
        for (const etw::EventFilter& filter : provider.filters) {
            write(json, filter);
        }
        json.close(']');
    }
    write(json, "captureOnStart", provider.captureOnStart);
    write(json, "captureOnSave", provider.captureOnSave);
    write(json, "captureOnDemand", provider.captureOnDemand);
    if (provider.isCaptureOnly) {
        json.boolean("isCaptureOnly", true);
    }
    json.close('}');
}

void write(JsonWriter& json, const PlannedSession& session) {
    const etw::SessionConfig& config = session.config;
    json.openObject();
    json.text("kind", nameOf(session.kind));
    json.text("name", config.name);
    json.text("logFileMode", hex(config.logFileMode, 8));
    json.number("bufferSizeKib", config.bufferSizeKib);
    json.number("minimumBuffers", config.minimumBuffers);
    json.number("maximumBuffers", config.maximumBuffers);
    json.number("flushTimerSeconds", static_cast<std::uint64_t>(config.flushTimer.count()));
    json.number("maximumFileSizeMib", config.maximumFileSizeMib);
    json.number("minimumFreeDiskBytes", config.minimumFreeDisk.count);
    if (config.flushThreshold != 0) {
        json.number("flushThreshold", config.flushThreshold);
    }
    if (config.stackCaching) {
        json.openObject("stackCaching");
        json.number("bucketCount", config.stackCaching->bucketCount);
        json.number("cacheSizeKib", config.stackCaching->cacheSizeKib);
        json.close('}');
    }
    if (session.kind == PlannedSession::Kind::System) {
        json.number("profileIntervalNs", static_cast<std::uint64_t>(config.profileInterval.count()));
        json.openArray("kernelGroups");
        for (const std::uint32_t word : config.kernelGroups.words) {
            json.text({}, hex(word, 8));
        }
        json.close(']');
        json.texts("keywords", session.keywords);
        json.texts("stacks", session.stacks);
        if (!config.poolTags.empty()) {
            json.texts("poolTags", config.poolTags);
        }
        write(json, "captureOnStart", session.captureOnStart);
        write(json, "captureOnSave", session.captureOnSave);
        write(json, "captureOnDemand", session.captureOnDemand);
        if (session.hardwareCounters) {
            write(json, *session.hardwareCounters);
        }
    }
    if (!session.strict.empty()) {
        json.texts("strict", session.strict);
    }
    if (!session.heapProcesses.empty()) {
        json.openArray("heapProcesses");
        for (const std::uint32_t process : session.heapProcesses) {
            json.number({}, process);
        }
        json.close(']');
    }
    json.openArray("providers");
    for (const etw::ProviderConfig& provider : session.providers) {
        write(json, provider);
    }
    json.close(']');
    json.close('}');
}

void write(JsonWriter& json, const Diagnostic& diagnostic) {
    json.openObject();
    json.text("severity", nameOf(diagnostic.severity));
    json.text("profile", diagnostic.profile);
    json.text("object", diagnostic.object);
    if (diagnostic.provider) {
        json.text("provider", toString(*diagnostic.provider));
    }
    if (diagnostic.limitation) {
        json.openObject("limitation");
        json.text("code", toString(diagnostic.limitation->code));
        json.text("detail", diagnostic.limitation->detail);
        json.number("count", diagnostic.limitation->count);
        json.close('}');
    } else {
        json.null("limitation");
    }
    json.text("detail", diagnostic.detail);
    json.close('}');
}

void write(JsonWriter& json, const Cost& cost) {
    json.openObject("cost");
    json.number("memoryBytes", cost.memory.count);
    json.number("bytesPerSecond", static_cast<std::uint64_t>(std::max(0.0, cost.bytesPerSecond)));
    json.decimal("processors", cost.processors);
    if (cost.held) {
        json.decimal("heldSeconds", cost.held->count());
    } else {
        json.null("heldSeconds");
    }
    json.boolean("isMeasured", cost.isMeasured);
    json.close('}');
}

} // namespace

std::string toJson(const RecordingPlan& plan, const Cost* cost) {
    JsonWriter json;
    json.openObject();
    json.texts("profiles", plan.profiles);
    json.texts("problemCategories", plan.categories);
    json.text("detail", toString(plan.detail));
    json.text("mode", toString(plan.mode));
    json.number("bufferMemoryBytes", plan.bufferMemory().count);
    if (cost != nullptr) {
        write(json, *cost);
    }
    json.openArray("sessions");
    for (const PlannedSession& session : plan.sessions) {
        write(json, session);
    }
    json.close(']');
    if (plan.merge.isCompressed) {
        json.boolean("isCompressed", true);
    }
    json.openArray("diagnostics");
    for (const Diagnostic& diagnostic : plan.diagnostics) {
        write(json, diagnostic);
    }
    json.close(']');
    json.close('}');
    return json.take();
}

} // namespace tracedeck::plan

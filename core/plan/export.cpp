// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/export.h"

#include "core/base/utf.h"
#include "core/profile/provider_names.h"

#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <sstream>
#include <unordered_map>
#include <unordered_set>

namespace tracedeck::plan {

namespace {

using Kind = PlannedSession::Kind;
using pugi::xml_node;

constexpr std::size_t kMostHeapProcesses = 2; // of one HeapProcessIds

std::string hex(std::uint64_t value) {
    std::array<char, 24> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "0x%016llx", static_cast<unsigned long long>(value));
    return buffer.data();
}

/// An id: no colon, no blank, and characters alone.
std::string idOf(std::string_view from) {
    std::string text = toUtf8(toUtf16(from));
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c == ':' || c <= ' '; }, '_');
    return text;
}

xml_node withValue(xml_node parent, const char* element, const std::string& value) {
    xml_node node = parent.append_child(element);
    node.append_attribute("Value") = value.c_str();
    return node;
}

xml_node withValue(xml_node parent, const char* element, std::uint64_t value) {
    return withValue(parent, element, std::to_string(value));
}

void flag(xml_node node, const char* name, bool isSet) {
    if (isSet) {
        node.append_attribute(name) = "true";
    }
}

/// As `wpr -exportprofile` has it: by GUID where the name comes back from it, for a name is only good where its
/// provider is registered.
std::string nameOf(const etw::ProviderConfig& provider) {
    const profile::KnownProvider* known = profile::findProvider(provider.provider);
    if (known != nullptr) {
        return known->name == provider.name ? toString(provider.provider) : provider.name;
    }
    const bool isDerived = provider.provider == guidFromProviderName(provider.name) && !parseGuid(provider.name);
    return isDerived ? "*" + provider.name : provider.name;
}

const char* elementOf(etw::EventFilter::Kind kind) {
    using enum etw::EventFilter::Kind;
    switch (kind) {
    case EventId:
        return "EventFilters";
    case StackEventId:
        return "StackFilters";
    case EventName:
        return "EventNameFilters";
    case StackEventName:
        return "StackEventNameFilters";
    case StackKeywordLevel:
        return "StackKeywordLevelFilter";
    case ExecutableName: // an attribute
    case ProcessId:      // profiles cannot ask for it
        break;
    }
    return "";
}

class Exporter {
public:
    Exporter(const RecordingPlan& plan, std::string name) : m_plan(plan), m_name(std::move(name)) {
        if (m_name.empty()) {
            for (const std::string& profile : plan.profiles) {
                m_name += (m_name.empty() ? "" : "_") + profile.substr(0, profile.rfind('.', profile.rfind('.') - 1));
            }
        }
        m_name = idOf(m_name);
    }

    std::string run() {
        xml_node declaration = m_xml.append_child(pugi::node_declaration);
        declaration.append_attribute("version") = "1.0";
        declaration.append_attribute("encoding") = "utf-8";
        xml_node root = m_xml.append_child("WindowsPerformanceRecorder");
        root.append_attribute("Version") = "1.0";
        root.append_attribute("Author") = "Tracedeck";
        nameAll();
        m_profiles = root.append_child("Profiles");
        // The schema wants all collectors before all providers, each by kind.
        for (const Kind kind : {Kind::System, Kind::Event, Kind::Heap, Kind::Hypervisor}) {
            forEach(kind, [this](const PlannedSession& session) { writeCollector(session); });
        }
        forEach(Kind::System, [this](const PlannedSession& session) { writeSystemProvider(session); });
        for (const Kind kind : {Kind::Event, Kind::Hypervisor}) {
            forEach(kind, [this](const PlannedSession& session) { writeEventProviders(session); });
        }
        forEach(Kind::Heap, [this](const PlannedSession& session) { writeHeapProviders(session); });
        forEach(Kind::System, [this](const PlannedSession& session) { writeHardwareCounters(session); });
        writeProfile();
        std::ostringstream text;
        m_xml.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
        return text.str();
    }

private:
    template <class Function>
    void forEach(Kind kind, Function function) {
        for (const PlannedSession& session : m_plan.sessions) {
            if (session.kind == kind) {
                function(session);
            }
        }
    }

    /// The ids of what a session becomes.
    struct Ids {
        std::string collector;
        std::string systemProvider;
        std::string counters;
        std::string counterSources;
        std::vector<std::string> providers; ///< event or heap providers, in the order in which they are written
        std::unordered_set<std::string> strict;
    };

    /// `wanted`, or with a number behind it where another object of the file has that id: they are of one set.
    std::string unique(const std::string& wanted) {
        std::string id = wanted;
        for (int& number = m_numbers[wanted]; !m_taken.insert(id).second;) {
            number = std::max(number, 1) + 1;
            id = wanted + "_" + std::to_string(number);
        }
        return id;
    }

    [[nodiscard]] std::string profileId() const {
        return m_name + "." + std::string(toString(m_plan.detail)) + "." + std::string(toString(m_plan.mode));
    }

    /// The profile first: its id says what it is.
    void nameAll() {
        m_taken.insert(profileId());
        for (const PlannedSession& session : m_plan.sessions) {
            Ids& ids = m_ids[&session];
            ids.collector = unique(idOf(session.config.name));
            if (session.kind == Kind::System) {
                ids.systemProvider = unique(ids.collector + "_Provider");
                ids.counters = unique(ids.collector + "_Counters");
                ids.counterSources = unique(ids.collector + "_Sources");
            }
            ids.strict.insert(session.strict.begin(), session.strict.end());
        }
        m_mergeId = unique("MergeProperties");
    }

    std::string collectorId(const PlannedSession& session) { return m_ids[&session].collector; }

    /// Our own provider is in every plan anyway.
    static bool isOwn(const etw::ProviderConfig& provider) {
        return provider.provider == guidFromProviderName(kOwnProviderName);
    }

    void writeCollector(const PlannedSession& session) {
        static constexpr const char* kElements[] = {"SystemCollector", "EventCollector", "HeapEventCollector",
                                                    "HypervisorEventCollector"};
        xml_node node = m_profiles.append_child(kElements[static_cast<std::size_t>(session.kind)]);
        node.append_attribute("Id") = collectorId(session).c_str();
        node.append_attribute("Name") = session.kind == Kind::System ? "NT Kernel Logger" : session.collector.c_str();
        const etw::SessionConfig& config = session.config;
        flag(node, "Realtime", (config.logFileMode & etlformat::mode::kRealTime) != 0);
        flag(node, "Private", (config.logFileMode & etlformat::mode::kPrivate) != 0);
        flag(node, "ProcessPrivate", (config.logFileMode & etlformat::mode::kPrivateInProcess) != 0);
        flag(node, "Secure", (config.logFileMode & etlformat::mode::kSecure) != 0);
        withValue(node, "BufferSize", config.bufferSizeKib);
        if (session.kind == Kind::Hypervisor) { // which has no other way to say it
            const std::uint32_t processors = std::max(m_plan.numberOfProcessors, 1U);
            withValue(node, "BuffersPerCPU", (config.maximumBuffers + processors - 1) / processors);
        } else {
            withValue(node, "Buffers", config.maximumBuffers);
        }
        if (config.stackCaching) {
            xml_node caching = node.append_child("StackCaching");
            caching.append_attribute("BucketCount") = std::to_string(config.stackCaching->bucketCount).c_str();
            caching.append_attribute("CacheSize") = std::to_string(config.stackCaching->cacheSizeKib).c_str();
        }
        if (config.maximumFileSizeMib != 0) {
            const bool isCircular = (config.logFileMode & etlformat::mode::kCircular) != 0;
            withValue(node, "MaximumFileSize", config.maximumFileSizeMib).append_attribute("FileMode") =
                isCircular ? "Circular" : "Sequential";
        }
        if (config.flushTimer.count() > 0) {
            withValue(node, "FlushTimer", static_cast<std::uint64_t>(config.flushTimer.count()));
        }
        if (config.flushThreshold != 0) {
            withValue(node, "FlushThreshold", config.flushThreshold);
        }
    }

    bool isStrict(const PlannedSession& session, const std::string& object) {
        return m_ids[&session].strict.contains(object);
    }

    /// Names first, raw numbers behind them, as the schema wants it. `kind` is what PlannedSession::strict calls them,
    /// empty for what cannot be strict.
    void writeNames(xml_node node, const char* element, const char* custom, const std::vector<std::string>& names,
                    const PlannedSession& session, const std::string& kind) {
        for (const bool isCustom : {false, true}) {
            for (const std::string& name : names) {
                if (name.starts_with("0x") == isCustom) {
                    std::string object = kind;
                    object += ' ';
                    object += name;
                    flag(withValue(node, isCustom ? custom : element, name), "Strict", isStrict(session, object));
                }
            }
        }
    }

    void writeCapture(xml_node parent, const char* element, const std::optional<SystemCapture>& capture,
                      const PlannedSession& session) {
        if (!capture) {
            return;
        }
        xml_node node = parent.append_child(element);
        if (capture->timeout.count() > 0) {
            node.append_attribute("Timeout") = std::to_string(capture->timeout.count()).c_str();
        }
        writeNames(node, "Keyword", "CustomKeyword", capture->keywords, session, {});
    }

    void writeSystemProvider(const PlannedSession& session) {
        xml_node node = m_profiles.append_child("SystemProvider");
        node.append_attribute("Id") = m_ids[&session].systemProvider.c_str();
        if (!session.keywords.empty()) {
            writeNames(node.append_child("Keywords"), "Keyword", "CustomKeyword", session.keywords, session, "keyword");
        }
        if (!session.stacks.empty()) {
            writeNames(node.append_child("Stacks"), "Stack", "CustomStack", session.stacks, session, "stack");
        }
        if (!session.config.poolTags.empty()) {
            xml_node tags = node.append_child("PoolTags");
            for (const std::string& tag : session.config.poolTags) {
                withValue(tags, "PoolTag", tag);
            }
        }
        writeCapture(node, "CaptureStateOnStart", session.captureOnStart, session);
        writeCapture(node, "CaptureStateOnSave", session.captureOnSave, session);
        writeCapture(node, "CaptureStateOnDemand", session.captureOnDemand, session);
    }

    static void writeList(xml_node parent, const char* list, const char* element,
                          const std::vector<std::string>& values) {
        if (values.empty()) {
            return;
        }
        xml_node node = parent.append_child(list);
        for (const std::string& value : values) {
            withValue(node, element, value);
        }
    }

    void writeHardwareCounters(const PlannedSession& session) {
        if (!session.hardwareCounters) {
            return;
        }
        const HardwareCounters& counters = *session.hardwareCounters;
        xml_node node = m_profiles.append_child("HardwareCounter");
        node.append_attribute("Id") = m_ids[&session].counters.c_str();
        flag(node, "Strict", counters.isStrict);
        if (!counters.sources.empty()) {
            withValue(node, "MicroArchitecturalConfigId", m_ids[&session].counterSources);
        }
        writeList(node, "Counters", "Counter", counters.counters);
        writeList(node, "Events", "Event", counters.events);
        if (!counters.sampled.empty()) {
            xml_node sampled = node.append_child("SampledCounters");
            for (const HardwareCounters::Sampled& counter : counters.sampled) {
                xml_node entry = withValue(sampled, "SampledCounter", counter.counter);
                if (counter.interval != 0) {
                    entry.append_attribute("Interval") = std::to_string(counter.interval).c_str();
                }
            }
        }
        if (!counters.branchEvents.empty() || !counters.branchFiltersOut.empty()) {
            xml_node branches = node.append_child("LastBranch");
            writeList(branches, "Events", "Event", counters.branchEvents);
            writeList(branches, "LastBranchFilters", "LastBranchFilterOut", counters.branchFiltersOut);
        }
        if (const auto& trace = counters.processorTrace) {
            xml_node entry = node.append_child("ProcessorTrace");
            if (trace->bufferSize != 0) {
                withValue(entry, "BufferSize", trace->bufferSize);
            }
            if (!trace->codeMode.empty()) {
                withValue(entry, "CodeMode", trace->codeMode);
            }
            writeList(entry, "Events", "Event", trace->events);
        }
        writeCounterSources(session, counters.sources);
    }

    void writeCounterSources(const PlannedSession& session, const std::vector<HardwareCounters::Source>& sources) {
        if (sources.empty()) {
            return;
        }
        xml_node node = m_profiles.append_child("MicroArchitecturalConfig");
        node.append_attribute("Id") = m_ids[&session].counterSources.c_str();
        xml_node list;
        for (const HardwareCounters::Source& source : sources) {
            if (!list || list.attribute("Architecture").value() != source.architecture) {
                list = node.append_child("ProfileSources");
                list.append_attribute("Architecture") = source.architecture.c_str();
            }
            xml_node entry = list.append_child("ProfileSource");
            entry.append_attribute("Name") = source.name.c_str();
            entry.append_attribute("Event") = source.event.c_str();
            entry.append_attribute("Unit") = source.unit.c_str();
            if (source.interval) {
                entry.append_attribute("Interval") = std::to_string(*source.interval).c_str();
            }
            if (source.allowsHalt) {
                entry.append_attribute("AllowsHalt") = *source.allowsHalt;
            }
        }
    }

    static void writeCapture(xml_node parent, const char* element, const std::optional<etw::CaptureState>& capture) {
        if (!capture) {
            return;
        }
        xml_node node = parent.append_child(element);
        if (capture->timeout.count() > 0) {
            node.append_attribute("Timeout") = std::to_string(capture->timeout.count()).c_str();
        }
        withValue(node, "Keyword", hex(capture->keywords));
    }

    static void writeFilter(xml_node parent, const etw::EventFilter& filter) {
        xml_node node = parent.append_child(elementOf(filter.kind));
        node.append_attribute("FilterIn") = filter.isFilterIn;
        if (filter.level != 0) {
            node.append_attribute("Level") = static_cast<unsigned>(filter.level);
        }
        if (filter.keyword != 0 || filter.kind == etw::EventFilter::Kind::StackKeywordLevel) {
            withValue(node, "Keyword", hex(filter.keyword));
        }
        for (const std::uint16_t id : filter.ids) {
            withValue(node, "EventId", id);
        }
        for (const std::string& name : filter.names) {
            withValue(node, "EventName", name);
        }
    }

    void writeEventProviders(const PlannedSession& session) {
        Ids& ids = m_ids[&session];
        for (const etw::ProviderConfig& provider : session.providers) {
            if (!isOwn(provider)) {
                ids.providers.push_back(unique(ids.collector + "_" + idOf(provider.name)));
                writeEventProvider(ids.providers.back(), provider, session);
            }
        }
    }

    void writeEventProvider(const std::string& id, const etw::ProviderConfig& provider, const PlannedSession& session) {
        xml_node node = m_profiles.append_child("EventProvider");
        node.append_attribute("Id") = id.c_str();
        node.append_attribute("Name") = nameOf(provider).c_str();
        flag(node, "NonPagedMemory", provider.needsNonPagedMemory);
        flag(node, "Stack", provider.captureStack);
        flag(node, "SID", (provider.enableProperties & 0x1) != 0);
        flag(node, "TSID", (provider.enableProperties & 0x2) != 0);
        flag(node, "EventKey", (provider.enableProperties & 0x100) != 0);
        flag(node, "ExcludeInPrivate", (provider.enableProperties & 0x200) != 0);
        flag(node, "CaptureStateOnly", provider.isCaptureOnly);
        flag(node, "Strict", isStrict(session, "provider " + provider.name));
        if (!provider.isCaptureOnly && provider.level != 0xFF) {
            node.append_attribute("Level") = static_cast<unsigned>(provider.level);
        }
        for (const etw::EventFilter& filter : provider.filters) {
            if (filter.kind == etw::EventFilter::Kind::ExecutableName) {
                std::string programs;
                for (const std::string& name : filter.names) {
                    programs += (programs.empty() ? "" : ";") + name;
                }
                node.append_attribute("ProcessExeFilter") = programs.c_str();
            }
        }
        if (provider.matchAnyKeyword != 0) {
            withValue(node.append_child("Keywords"), "Keyword", hex(provider.matchAnyKeyword));
        }
        writeCapture(node, "CaptureStateOnStart", provider.captureOnStart);
        writeCapture(node, "CaptureStateOnSave", provider.captureOnSave);
        writeCapture(node, "CaptureStateOnDemand", provider.captureOnDemand);
        if (!provider.stackHooks.empty()) {
            xml_node stacks = node.append_child("Stacks");
            for (const std::uint16_t hook : provider.stackHooks) {
                std::array<char, 16> text{};
                std::snprintf(text.data(), text.size(), "0x%04X", static_cast<unsigned>(hook));
                flag(withValue(stacks, "CustomStack", text.data()), "Strict",
                     isStrict(session, "stacks of provider " + provider.name));
            }
        }
        // In the order of the schema, which is that of the kinds.
        for (const etw::EventFilter& filter : provider.filters) {
            if (filter.kind != etw::EventFilter::Kind::ExecutableName) {
                writeFilter(node, filter);
            }
        }
    }

    void writeHeapProviders(const PlannedSession& session) {
        std::vector<std::string>& ids = m_ids[&session].providers;
        std::size_t at = 0;
        do {
            ids.push_back(unique(collectorId(session) + "_Provider" + std::to_string(ids.size() + 1)));
            xml_node node = m_profiles.append_child("HeapEventProvider");
            node.append_attribute("Id") = ids.back().c_str();
            if (!session.heapProcesses.empty()) {
                xml_node processes = node.append_child("HeapProcessIds");
                for (std::size_t i = 0; i < kMostHeapProcesses && at < session.heapProcesses.size(); ++i) {
                    withValue(processes, "HeapProcessId", session.heapProcesses[at++]);
                }
            }
        } while (at < session.heapProcesses.size());
    }

    void writeProfile() {
        const std::string id = profileId();
        xml_node node = m_profiles.append_child("Profile");
        node.append_attribute("Id") = id.c_str();
        node.append_attribute("Name") = m_name.c_str();
        node.append_attribute("Description") = ("RunningProfile:" + id).c_str();
        node.append_attribute("LoggingMode") = std::string(toString(m_plan.mode)).c_str();
        node.append_attribute("DetailLevel") = std::string(toString(m_plan.detail)).c_str();
        writeList(node, "ProblemCategories", "ProblemCategory", m_plan.categories);
        xml_node collectors = node.append_child("Collectors");
        forEach(Kind::System, [&](const PlannedSession& session) {
            xml_node collector = withValue(collectors, "SystemCollectorId", collectorId(session));
            withValue(collector, "SystemProviderId", m_ids[&session].systemProvider);
            if (session.hardwareCounters) {
                withValue(collector, "HardwareCounterId", m_ids[&session].counters);
            }
        });
        const auto reference = [&](const PlannedSession& session, const char* element, const char* list,
                                   const char* provider) {
            xml_node collector = withValue(collectors, element, collectorId(session));
            const std::vector<std::string>& ids = m_ids[&session].providers;
            if (ids.empty()) {
                return;
            }
            xml_node providers = collector.append_child(list);
            for (const std::string& providerId : ids) {
                withValue(providers, provider, providerId);
            }
        };
        forEach(Kind::Event, [&](const PlannedSession& session) {
            reference(session, "EventCollectorId", "EventProviders", "EventProviderId");
        });
        forEach(Kind::Heap, [&](const PlannedSession& session) {
            reference(session, "HeapEventCollectorId", "HeapEventProviders", "HeapEventProviderId");
        });
        forEach(Kind::Hypervisor, [&](const PlannedSession& session) {
            reference(session, "HypervisorEventCollectorId", "EventProviders", "EventProviderId");
        });
        if (m_plan.merge.isCompressed) {
            xml_node property = node.append_child("TraceMergeProperties").append_child("TraceMergeProperty");
            property.append_attribute("Id") = m_mergeId.c_str();
            property.append_attribute("Name") = "MergeProperties";
            withValue(property, "FileCompression", std::string("true"));
        }
    }

    const RecordingPlan& m_plan;
    std::string m_name;
    pugi::xml_document m_xml;
    xml_node m_profiles;
    std::unordered_map<const PlannedSession*, Ids> m_ids;
    std::unordered_set<std::string> m_taken;        ///< ids of the file
    std::unordered_map<std::string, int> m_numbers; ///< the last one given, by the id that was wanted
    std::string m_mergeId;
};

} // namespace

std::string exportProfile(const RecordingPlan& plan, const std::string& name) {
    return Exporter(plan, name).run();
}

} // namespace tracedeck::plan

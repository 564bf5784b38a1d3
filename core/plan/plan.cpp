// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan.h"

#include "core/plan/buffering.h"
#include "core/plan/capability.h"
#include "core/plan/features.h"
#include "core/plan/left_out.h"
#include "core/plan/provider_wish.h"
#include "core/plan/resolve.h"
#include "core/plan/selection.h"
#include "core/plan/system_session.h"
#include "core/profile/builtin.h"
#include "core/profile/provider_names.h"
#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracedeck::plan {

namespace {

using profile::equalsIgnoringCase;

constexpr std::size_t kMostProfiles = 64;
constexpr std::string_view kEventCollectorName = "WPR Event Collector";

using etw::Feature;
using Kind = PlannedSession::Kind;

Kind kindOf(profile::Collector::Kind kind) {
    switch (kind) {
    case profile::Collector::Kind::System:
        return Kind::System;
    case profile::Collector::Kind::Event:
        return Kind::Event;
    case profile::Collector::Kind::Heap:
        return Kind::Heap;
    case profile::Collector::Kind::Hypervisor:
        return Kind::Hypervisor;
    }
    return Kind::Event;
}

/// A session of providers as all profiles together want it.
struct EventSession {
    Kind kind = Kind::Event;
    std::string name;
    SessionBuffers buffers;
    CollectorFlags flags;
    std::set<std::string> profiles;
    std::vector<ProviderWish> providers;
    std::unordered_map<std::string, std::size_t> providerPlaces; ///< by keyOf()
    std::set<std::uint32_t> heapProcesses;
    bool isEveryHeapProcess = false;
};

/// The provider's id. Null where only the machine itself can resolve the name.
Guid guidOf(const std::string& name, const etw::Capabilities& capabilities) {
    if (const std::optional<Guid> guid = parseGuid(name)) {
        return *guid;
    }
    if (name.starts_with('*')) {
        return guidFromProviderName(std::string_view(name).substr(1));
    }
    if (equalsIgnoringCase(name, "DotNetProvider")) { // WPR's own word for the CLR's runtime provider
        return Guid::of(0xe13c0d23, 0xccbc, 0x4e12, {0x93, 0x1b, 0xd9, 0xcc, 0x2e, 0xee, 0x27, 0xe4});
    }
    if (const profile::KnownProvider* known = profile::findProvider(name)) {
        return known->guid;
    }
    // A self-describing provider that is registered here may be called by its bare name too.
    const Guid derived = guidFromProviderName(name);
    const std::vector<Guid>& registered = capabilities.providers;
    return std::find(registered.begin(), registered.end(), derived) != registered.end() ? derived : Guid{};
}

/// A provider goes by its id, and by its name where the machine alone can resolve it.
std::string keyOf(const Guid& guid, const std::string& name) {
    return guid.isNull() ? profile::lowerCase(name) : toString(guid);
}

class Composer {
public:
    Composer(const Overrides& overrides, const etw::Capabilities& capabilities, const std::string& instance)
        : m_overrides(overrides), m_capabilities(capabilities), m_instance(instance) {}

    Result<RecordingPlan> run(const std::vector<Selection>& selections) {
        m_plan.detail = m_overrides.detail;
        m_plan.mode = m_overrides.mode;
        m_plan.numberOfProcessors = m_capabilities.numberOfProcessors;
        for (const Selection& selection : selections) {
            const Result<Chosen> chosen = choose(selection, m_overrides, m_plan.diagnostics);
            if (!chosen) {
                return fail(chosen.error());
            }
            add(*chosen);
        }
        planSystemSession();
        planEventSessions();
        if (const std::string strict = strictText(); !strict.empty()) {
            return fail(ErrorCode::StrictRefused, strict);
        }
        if (!m_recordsSomething) {
            return fail(ErrorCode::NothingToRecord, nothingText());
        }
        for (PlannedSession& session : m_plan.sessions) {
            std::sort(session.strict.begin(), session.strict.end());
        }
        limitToHalfOfMemory(m_plan.sessions, m_capabilities, m_plan.diagnostics);
        if (const Status enough = checkFileSize(); !enough) {
            return fail(enough.error());
        }
        return std::move(m_plan);
    }

private:
    void add(const Chosen& chosen) {
        const std::string variant = variantName(*chosen.profile);
        if (!m_chosen.insert(chosen.profile).second) {
            m_plan.diagnostics.push_back({Severity::Note, chosen.profile->name, "profile " + chosen.profile->name,
                                          std::nullopt, "is selected twice and recorded once"});
            return;
        }
        if (m_documents.insert(chosen.document).second) {
            noteLeftOut(*chosen.document, m_plan.diagnostics);
        }
        m_plan.profiles.push_back(variant);
        // What other files define could be searched behind the document's own ids.
        const Definitions definitions({chosen.document, &profile::builtinDefinitions()});
        ResolvedProfile resolved = resolve(*chosen.profile, *chosen.document, definitions);
        m_plan.diagnostics.insert(m_plan.diagnostics.end(), resolved.diagnostics.begin(), resolved.diagnostics.end());
        for (const ResolvedCollector& collector : resolved.collectors) {
            noteFileSize(collector, chosen.profile->name);
            if (collector.kind == profile::Collector::Kind::System) {
                m_system.add(collector, chosen.profile->name);
            } else {
                addEvents(collector, chosen.profile->name);
            }
        }
        addMerge(resolved.merge, chosen.profile->name);
        noteLeftOut(*chosen.profile, resolved, m_plan.diagnostics);
        for (std::string& category : profile::categoriesOf(*chosen.profile, definitions)) {
            if (std::find(m_plan.categories.begin(), m_plan.categories.end(), category) == m_plan.categories.end()) {
                m_plan.categories.push_back(std::move(category));
            }
        }
    }

    void addMerge(const ResolvedMerge& merge, const std::string& profile) {
        if (merge.fileCompression && !m_features.has(Feature::CompressedFiles)) {
            m_features.refuse(Feature::CompressedFiles, {profile}, "compression of the file", Severity::Note);
        }
        m_plan.merge.isCompressed =
            m_plan.merge.isCompressed || (merge.fileCompression && m_features.has(Feature::CompressedFiles));
    }

    void addEvents(const ResolvedCollector& collector, const std::string& profile) {
        const Kind kind = kindOf(collector.kind);
        const auto [place, isNew] =
            m_sessionPlaces.emplace(std::pair(kind, profile::lowerCase(collector.name)), m_eventSessions.size());
        if (isNew) {
            EventSession added;
            added.kind = kind;
            added.name = collector.name;
            m_eventSessions.push_back(std::move(added));
        }
        EventSession* session = &m_eventSessions[place->second];
        session->profiles.insert(profile);
        session->buffers.add(collector.buffers, m_capabilities, "collector " + collector.id, profile,
                             m_plan.diagnostics);
        session->flags.unite(collector.flags);
        for (const ResolvedProvider& provider : collector.providers) {
            addProvider(*session, provider, profile);
        }
        for (const ResolvedHeapProvider& provider : collector.heapProviders) {
            session->isEveryHeapProcess = session->isEveryHeapProcess || provider.processIds.empty();
            for (const profile::ListItem& process : provider.processIds) {
                session->heapProcesses.insert(
                    static_cast<std::uint32_t>(profile::parseUnsigned(process.value, UINT32_MAX).value_or(0)));
            }
        }
    }

    void addProvider(EventSession& session, const ResolvedProvider& provider, const std::string& profile) {
        const Guid guid = guidOf(provider.name, m_capabilities);
        const auto [place, isNew] =
            session.providerPlaces.emplace(keyOf(guid, provider.name), session.providers.size());
        if (isNew) {
            session.providers.emplace_back(guid, provider.name);
        }
        session.providers[place->second].add(provider, profile);
    }

    /// The cap on the files, if a profile has one; WPR wants it to be the same in all.
    void noteFileSize(const ResolvedCollector& collector, const std::string& profile) {
        const std::optional<profile::Quantity>& size = collector.buffers.maximumFileSizeMib;
        if (!size || m_overrides.mode != LoggingMode::File || size->value < 1) {
            return;
        }
        const auto mib = static_cast<std::uint32_t>(std::min(size->value, double{UINT32_MAX}));
        const std::string object = "collector " + collector.id;
        m_isFileCircular =
            m_isFileCircular || (collector.buffers.isMaximumFileSizeCircular && m_features.has(Feature::CircularFiles));
        if (collector.buffers.isMaximumFileSizeCircular && !m_overrides.maximumFileSizeMib && !m_isFileCircular) {
            m_plan.diagnostics.push_back({Severity::Warning, profile, object, std::nullopt,
                                          "a circular file is not written yet: recording stops at " +
                                              std::to_string(mib) + " MB instead of dropping the oldest events"});
        }
        if (m_fileSizeMib != 0 && m_fileSizeMib != mib) {
            m_plan.diagnostics.push_back({Severity::Warning, profile, object, std::nullopt,
                                          "MaximumFileSize " + std::to_string(mib) + " MB differs from " +
                                              std::to_string(m_fileSizeMib) + " MB: the larger one holds for all"});
        }
        m_fileSizeMib = std::max(m_fileSizeMib, mib);
    }

    /// Paged buffers, as WPR has them, unless a provider of the kernel writes to the session: it cannot write to those.
    /// A private session's buffers are in its process, and Windows ignores the mode there.
    static void chooseMemory(PlannedSession& session) {
        const bool isKernels =
            session.kind == Kind::Hypervisor ||
            std::any_of(session.providers.begin(), session.providers.end(),
                        [](const etw::ProviderConfig& provider) { return provider.needsNonPagedMemory; });
        if (!isKernels && (session.config.logFileMode & etlformat::mode::kPrivate) == 0) {
            session.config.logFileMode |= etlformat::mode::kPagedMemory;
        }
    }

    [[nodiscard]] etw::SessionConfig sessionConfig(std::string_view collector, std::uint32_t kind) const {
        etw::SessionConfig config;
        config.name = "WPR_initiated_" + m_instance + "_" + std::string(collector);
        if (m_overrides.mode == LoggingMode::Memory) {
            config.logFileMode = etlformat::mode::kBuffering | kind;
        } else {
            const bool isCircular = m_isFileCircular && !m_overrides.maximumFileSizeMib && m_fileSizeMib != 0;
            config.logFileMode = (isCircular ? etlformat::mode::kCircular : etlformat::mode::kSequential) | kind;
            config.maximumFileSizeMib = m_overrides.maximumFileSizeMib.value_or(m_fileSizeMib);
            config.minimumFreeDisk = m_overrides.minimumFreeDisk;
        }
        return config;
    }

    /// A file holds a header and a buffer of each processor at the least, or nothing fits into it. A person who asks
    /// for less is told so; a profile that does is given what it needs.
    Status checkFileSize() {
        if (m_overrides.mode != LoggingMode::File) {
            return {};
        }
        for (PlannedSession& session : m_plan.sessions) {
            etw::SessionConfig& config = session.config;
            const std::uint64_t buffers = std::uint64_t{m_capabilities.numberOfProcessors} + 2;
            const auto least = static_cast<std::uint32_t>((config.bufferSizeKib * buffers + 1023) / 1024);
            if (config.maximumFileSizeMib == 0 || config.maximumFileSizeMib >= least) {
                continue;
            }
            if (m_overrides.maximumFileSizeMib) {
                return fail(ErrorCode::InvalidArgument, "a file of " + std::to_string(config.maximumFileSizeMib) +
                                                            " MB holds nothing: the buffers of these profiles need " +
                                                            std::to_string(least) + " MB");
            }
            m_plan.diagnostics.push_back({Severity::Warning,
                                          {},
                                          "session " + config.name,
                                          std::nullopt,
                                          "MaximumFileSize " + std::to_string(config.maximumFileSizeMib) +
                                              " MB raised to " + std::to_string(least) + " MB: less holds nothing"});
            config.maximumFileSizeMib = least;
        }
        return {};
    }

    void planSystemSession() {
        auto session = m_system.plan(sessionConfig(kSystemCollectorName, etlformat::mode::kSystemLogger));
        if (session) {
            m_recordsSomething = true;
            m_plan.sessions.push_back(*std::move(session));
        }
    }

    void planEventSessions() {
        const bool hasEvents = std::any_of(m_eventSessions.begin(), m_eventSessions.end(),
                                           [](const EventSession& session) { return session.kind == Kind::Event; });
        if (!hasEvents) {
            EventSession own;
            own.name = kEventCollectorName;
            m_eventSessions.insert(m_eventSessions.begin(), std::move(own));
        }
        std::stable_sort(m_eventSessions.begin(), m_eventSessions.end(),
                         [](const EventSession& x, const EventSession& y) { return x.kind < y.kind; });
        bool isFirst = true;
        for (const EventSession& wanted : m_eventSessions) {
            if (wanted.kind == Kind::Heap || wanted.kind == Kind::Hypervisor) {
                planForeignSession(wanted);
                continue;
            }
            PlannedSession session;
            session.kind = Kind::Event;
            session.collector = wanted.name;
            session.config = sessionConfig(wanted.name, 0);
            for (const ProviderWish& wish : wanted.providers) {
                m_features.select(wish, session);
            }
            const bool hasProviders = !session.providers.empty();
            m_recordsSomething = m_recordsSomething || hasProviders;
            if (std::exchange(isFirst, false)) {
                enableOwnProvider(session);
            } else if (!hasProviders) {
                noteNoProviders(session.config.name);
                continue;
            }
            if (hasProviders) {
                session.config.logFileMode |= m_features.modesOf(wanted.flags, wanted.profiles, session.config.name);
                wanted.buffers.applyTo(session.config, m_capabilities.numberOfProcessors, m_plan.diagnostics);
                m_features.keepServed(session.config, wanted.profiles);
            } else {
                setSmallBuffers(session.config, m_capabilities.numberOfProcessors);
            }
            chooseMemory(session);
            m_plan.sessions.push_back(std::move(session));
        }
    }

    void noteNoProviders(const std::string& session) {
        m_plan.diagnostics.push_back(
            {Severity::Note, {}, "session " + session, std::nullopt, "is left out: it has no providers"});
    }

    /// Heap and hypervisor sessions, where the machine has them.
    void planForeignSession(const EventSession& wanted) {
        const Feature feature = wanted.kind == Kind::Heap ? Feature::HeapSessions : Feature::HypervisorSessions;
        const std::string what = wanted.kind == Kind::Heap ? "heap session " : "hypervisor session ";
        if (!m_features.has(feature)) {
            m_features.refuse(feature, wanted.profiles, what + wanted.name);
            return;
        }
        PlannedSession session;
        session.kind = wanted.kind;
        session.collector = wanted.name;
        session.config = sessionConfig(wanted.name, 0);
        if (wanted.kind == Kind::Heap && !wanted.isEveryHeapProcess) {
            session.heapProcesses.assign(wanted.heapProcesses.begin(), wanted.heapProcesses.end());
        }
        for (const ProviderWish& wish : wanted.providers) {
            m_features.select(wish, session);
        }
        if (wanted.kind == Kind::Hypervisor && session.providers.empty()) {
            noteNoProviders(session.config.name);
            return;
        }
        session.config.logFileMode |= m_features.modesOf(wanted.flags, wanted.profiles, session.config.name);
        wanted.buffers.applyTo(session.config, m_capabilities.numberOfProcessors, m_plan.diagnostics);
        if (wanted.kind == Kind::Hypervisor) {
            roundToProcessors(session.config, m_capabilities.numberOfProcessors);
        }
        m_features.keepServed(session.config, wanted.profiles);
        chooseMemory(session);
        m_recordsSomething = true;
        m_plan.sessions.push_back(std::move(session));
    }

    /// In the session with all keywords and levels, also where a profile asks for less of it.
    static void enableOwnProvider(PlannedSession& session) {
        etw::ProviderConfig own;
        own.provider = guidFromProviderName(kOwnProviderName);
        own.name = kOwnProviderName;
        std::erase_if(session.providers,
                      [&own](const etw::ProviderConfig& other) { return other.provider == own.provider; });
        session.providers.push_back(std::move(own));
    }

    /// What is strict and missing, with the reasons; empty where nothing is.
    [[nodiscard]] std::string strictText() const {
        std::string text;
        for (const Diagnostic& diagnostic : m_plan.diagnostics) {
            if (diagnostic.severity == Severity::Error && diagnostic.limitation) {
                text += (text.empty() ? "" : ", ") + diagnostic.object + " (" +
                        std::string(toString(diagnostic.limitation->code)) + ")";
            }
        }
        return text;
    }

    [[nodiscard]] std::string nothingText() const {
        std::string text = "nothing of what the profiles ask for can be recorded here:";
        constexpr std::size_t kMostNamed = 5;
        const bool isMachines =
            std::any_of(m_plan.diagnostics.begin(), m_plan.diagnostics.end(),
                        [](const Diagnostic& diagnostic) { return diagnostic.limitation.has_value(); });
        std::size_t named = 0;
        std::size_t others = 0;
        for (const Diagnostic& diagnostic : m_plan.diagnostics) {
            // The machine is the reason wherever it gives one; a rule is, where it does not.
            if (isMachines ? !diagnostic.limitation : diagnostic.severity == Severity::Note) {
                continue;
            }
            if (named == kMostNamed) {
                ++others;
                continue;
            }
            const std::string reason =
                diagnostic.limitation ? std::string(toString(diagnostic.limitation->code)) : diagnostic.detail;
            text += (named++ == 0 ? " " : ", ") + diagnostic.object + " (" + reason + ")";
        }
        if (named == 0) {
            return "the profiles name no keyword and no provider";
        }
        return others == 0 ? text : text + " and " + std::to_string(others) + " more";
    }

    const Overrides& m_overrides;
    const etw::Capabilities& m_capabilities;
    const std::string& m_instance;
    RecordingPlan m_plan;
    ServedFeatures m_features{m_capabilities, m_plan.diagnostics};
    std::unordered_set<const profile::Profile*> m_chosen;
    std::unordered_set<const profile::Document*> m_documents;
    SystemSession m_system{m_capabilities, m_features, m_plan.diagnostics};
    bool m_recordsSomething = false;
    std::vector<EventSession> m_eventSessions;
    std::map<std::pair<Kind, std::string>, std::size_t> m_sessionPlaces; ///< while profiles are added
    std::uint32_t m_fileSizeMib = 0;
    bool m_isFileCircular = false;
};

} // namespace

Bytes RecordingPlan::bufferMemory() const noexcept {
    Bytes total;
    for (const PlannedSession& session : sessions) {
        total = total + kib(session.config.bufferSizeKib) * session.config.maximumBuffers;
    }
    return total;
}

Result<RecordingPlan> compose(const std::vector<Selection>& selections, const Overrides& overrides,
                              const etw::Capabilities& capabilities, const std::string& instance) {
    if (selections.empty()) {
        return fail(ErrorCode::InvalidArgument, "no profile is selected");
    }
    if (selections.size() > kMostProfiles) {
        return fail(ErrorCode::InvalidArgument,
                    "more than " + std::to_string(kMostProfiles) + " profiles are selected");
    }
    for (const Selection& selection : selections) {
        if (selection.document == nullptr) {
            return fail(ErrorCode::InvalidArgument, "profile '" + selection.name + "' has no document");
        }
    }
    return Composer(overrides, capabilities, instance).run(selections);
}

} // namespace tracedeck::plan

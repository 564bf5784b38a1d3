// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/features.h"

#include <algorithm>
#include <functional>

namespace tracedeck::plan {

using etw::Feature;

namespace {

/// Nothing where only the machine itself could resolve the name.
std::optional<Guid> idOf(const ProviderWish& wish) {
    return wish.guid().isNull() ? std::nullopt : std::optional(wish.guid());
}

bool hasCapture(const etw::ProviderConfig& config) {
    return config.captureOnStart || config.captureOnSave || config.captureOnDemand;
}

} // namespace

bool ServedFeatures::has(Feature feature) const {
    const std::vector<Feature>& served = m_capabilities.features;
    return std::find(served.begin(), served.end(), feature) != served.end();
}

void ServedFeatures::refuse(Feature feature, const std::set<std::string>& profiles, std::string object,
                            Severity severity) {
    Diagnostic diagnostic;
    diagnostic.severity = severity;
    diagnostic.profile = concerned(profiles);
    diagnostic.object = std::move(object);
    diagnostic.limitation = etw::Limitation{etw::LimitationCode::FeatureNotServed, std::string(toString(feature)), 0};
    m_diagnostics.push_back(std::move(diagnostic));
}

std::uint32_t ServedFeatures::modesOf(const CollectorFlags& flags, const std::set<std::string>& profiles,
                                      const std::string& session) {
    std::uint32_t modes = 0;
    const auto add = [&](bool isWanted, Feature feature, std::uint32_t mode, const char* what) {
        if (isWanted && has(feature)) {
            modes |= mode;
        } else if (isWanted) {
            refuse(feature, profiles, what + session);
        }
    };
    add(flags.realtime, Feature::RealTimeSessions, etlformat::mode::kRealTime, "real-time delivery of session ");
    add(flags.isPrivate, Feature::PrivateSessions, etlformat::mode::kPrivate, "privacy of session ");
    add(flags.processPrivate, Feature::PrivateSessions, etlformat::mode::kPrivateInProcess,
        "process privacy of session ");
    add(flags.secure, Feature::SecureSessions, etlformat::mode::kSecure, "access control of session ");
    return modes;
}

void ServedFeatures::keepServed(etw::SessionConfig& config, const std::set<std::string>& profiles) {
    // Neither changes what is recorded: they save space and time.
    if (config.stackCaching && !has(Feature::StackCaching)) {
        refuse(Feature::StackCaching, profiles, "stack caching of session " + config.name, Severity::Note);
        config.stackCaching.reset();
    }
    if (config.flushThreshold != 0 && !has(Feature::FlushThreshold)) {
        refuse(Feature::FlushThreshold, profiles, "flush threshold of session " + config.name, Severity::Note);
        config.flushThreshold = 0;
    }
}

void ServedFeatures::select(const ProviderWish& wish, PlannedSession& session) {
    const std::vector<Guid>& registered = m_capabilities.providers;
    const bool isHere = m_capabilities.hasWindowsProviders ||
                        std::find(registered.begin(), registered.end(), wish.guid()) != registered.end();
    if (!isHere) {
        constexpr auto kNotHere = etw::LimitationCode::ProviderNotOnThisPlatform;
        m_diagnostics.push_back({severityOf(wish, kNotHere), concerned(wish.profiles), "provider " + wish.name(),
                                 etw::Limitation{kNotHere, wish.name(), 0},
                                 wish.isStrict ? "the profile calls it strict" : "", idOf(wish)});
        return;
    }
    if (wish.hasDroppedFilters()) {
        m_diagnostics.push_back({Severity::Note, concerned(wish.profiles), "provider " + wish.name(), std::nullopt,
                                 "a filter is left out, because another profile wants more of it", idOf(wish)});
    }
    etw::ProviderConfig config = wish.config();
    keepServed(config, wish);
    if (config.isCaptureOnly && !hasCapture(config)) {
        if (!hasCapture(wish.config())) { // else it has been told
            m_diagnostics.push_back({Severity::Warning, concerned(wish.profiles), "provider " + wish.name(),
                                     std::nullopt, "is left out: its state is asked for, but at no time", idOf(wish)});
        }
        return;
    }
    if (wish.isStrict) {
        session.strict.push_back("provider " + wish.name());
    }
    if (wish.hasStrictStacks() && !config.stackHooks.empty()) {
        session.strict.push_back("stacks of provider " + wish.name());
    }
    session.providers.push_back(std::move(config));
}

/// Without a filter more is recorded than was asked for; that is told as well.
void ServedFeatures::keepServed(etw::ProviderConfig& config, const ProviderWish& wish) {
    const auto drop = [&](Feature feature, bool isWanted, Severity severity, const char* what, auto&& clear) {
        if (isWanted && !has(feature)) {
            refuse(feature, wish.profiles, what + wish.name(), severity);
            m_diagnostics.back().provider = idOf(wish);
            clear();
        }
    };
    const auto isProgramFilter = [](const etw::EventFilter& filter) {
        return filter.kind == etw::EventFilter::Kind::ExecutableName;
    };
    const auto programs = std::count_if(config.filters.begin(), config.filters.end(), isProgramFilter);
    drop(Feature::EventFilters, static_cast<std::size_t>(programs) < config.filters.size(), Severity::Warning,
         "event filters of provider ", [&] { std::erase_if(config.filters, std::not_fn(isProgramFilter)); });
    drop(Feature::ProcessFilters, programs > 0, Severity::Warning, "program filter of provider ",
         [&] { std::erase_if(config.filters, isProgramFilter); });
    drop(Feature::EnableProperties, config.enableProperties != 0, Severity::Note, "extra data of provider ",
         [&] { config.enableProperties = 0; });
    drop(Feature::ClassicStacks, !config.stackHooks.empty(),
         wish.hasStrictStacks() ? Severity::Error : Severity::Warning, "stacks of provider ",
         [&] { config.stackHooks.clear(); });
    drop(Feature::CaptureState, hasCapture(config), Severity::Warning, "captured state of provider ", [&] {
        config.captureOnStart.reset();
        config.captureOnSave.reset();
        config.captureOnDemand.reset();
    });
}

} // namespace tracedeck::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/system_session.h"

#include <algorithm>
#include <utility>

namespace tracedeck::plan {

namespace {

using etw::Feature;

constexpr std::size_t kMostPoolTags = 4; // ETW_MAX_POOLTAG_FILTER

} // namespace

void SystemSession::add(const ResolvedCollector& collector, const std::string& profile) {
    m_isWanted = true;
    m_buffers.add(collector.buffers, m_capabilities, "collector " + collector.id, profile, m_diagnostics);
    m_flags.unite(collector.flags);
    for (const profile::ListItem& keyword : collector.keywords) {
        m_wishes.add(keyword, profile);
    }
    for (const profile::ListItem& stack : collector.stacks) {
        m_wishes.addStack(stack, profile);
    }
    for (const profile::ListItem& tag : collector.poolTags) {
        m_poolTags.insert(tag.value);
        m_poolTagProfiles.insert(profile);
    }
    addCapture(m_onStart, collector.captureOnStart, profile);
    addCapture(m_onSave, collector.captureOnSave, profile);
    addCapture(m_onDemand, collector.captureOnDemand, profile);
    if (collector.hardwareCounters) {
        if (m_counters) {
            m_counters->unite(*collector.hardwareCounters);
        } else {
            m_counters = collector.hardwareCounters;
        }
        m_counterProfiles.insert(profile);
    }
}

void SystemSession::addCapture(CaptureWish& wish, const std::optional<ResolvedCapture>& capture,
                               const std::string& profile) {
    if (!capture) {
        return;
    }
    for (const profile::ListItem& keyword : capture->keywords) {
        wish.keywords.insert(keywordName(keyword));
    }
    wish.timeout = std::max(wish.timeout, std::chrono::seconds(capture->timeoutSeconds));
    wish.profiles.insert(profile);
}

std::optional<PlannedSession> SystemSession::plan(etw::SessionConfig config) {
    if (!m_isWanted) {
        return std::nullopt;
    }
    PlannedSession session;
    session.kind = PlannedSession::Kind::System;
    session.collector = kSystemCollectorName;
    session.config = std::move(config);
    selectSystem(m_wishes, m_capabilities, session, m_diagnostics);
    planCapture(m_onStart, "CaptureStateOnStart", session.captureOnStart);
    planCapture(m_onSave, "CaptureStateOnSave", session.captureOnSave);
    planCapture(m_onDemand, "CaptureStateOnDemand", session.captureOnDemand);
    planCounters(session);
    if (session.config.kernelGroups.isEmpty()) {
        m_diagnostics.push_back({Severity::Note,
                                 {},
                                 "session " + session.config.name,
                                 std::nullopt,
                                 "is left out: none of its keywords is served"});
        return std::nullopt;
    }
    session.config.logFileMode |= m_features.modesOf(m_flags, {}, session.config.name);
    planPoolTags(session.config);
    m_buffers.applyTo(session.config, m_capabilities.numberOfProcessors, m_diagnostics);
    m_features.keepServed(session.config, {});
    return session;
}

void SystemSession::planCapture(const CaptureWish& wish, const char* name, std::optional<SystemCapture>& capture) {
    if (wish.profiles.empty()) {
        return;
    }
    if (!m_features.has(Feature::SystemCaptureState)) {
        m_features.refuse(Feature::SystemCaptureState, wish.profiles, std::string(name) + " of the kernel's keywords");
        return;
    }
    capture = SystemCapture{{wish.keywords.begin(), wish.keywords.end()}, wish.timeout};
}

void SystemSession::planCounters(PlannedSession& session) {
    if (!m_counters) {
        return;
    }
    if (!m_features.has(Feature::HardwareCounters)) {
        m_features.refuse(Feature::HardwareCounters, m_counterProfiles, "hardware counters " + m_counters->names(),
                          m_counters->isStrict ? Severity::Error : Severity::Warning);
        return;
    }
    session.hardwareCounters = m_counters;
}

void SystemSession::planPoolTags(etw::SessionConfig& config) {
    if (m_poolTags.empty()) {
        return;
    }
    if (!m_features.has(Feature::PoolTags)) {
        m_features.refuse(Feature::PoolTags, m_poolTagProfiles, "pool tags");
        return;
    }
    for (const std::string& tag : m_poolTags) {
        if (config.poolTags.size() == kMostPoolTags) {
            m_diagnostics.push_back({Severity::Warning, concerned(m_poolTagProfiles), "pool tag " + tag, std::nullopt,
                                     "left out: a session has at most 4 pool tags"});
            continue;
        }
        config.poolTags.push_back(tag);
    }
}

} // namespace tracedeck::plan

// SPDX-License-Identifier: GPL-3.0-or-later
//
// States that providers log when they are asked to (CaptureStateOnStart, CaptureStateOnSave). A recording without them
// is still worth having: what fails is a limitation.
#include "core/recorder/recorder_worker.h"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <utility>

namespace tracedeck::recorder {

void RecorderWorker::captureStates(std::optional<etw::CaptureState> etw::ProviderConfig::*moment,
                                   std::function<void()> whenDone) {
    const auto captures = std::make_shared<Captures>();
    captures->whenDone = std::move(whenDone);
    for (const Session& session : m_recording.sessions) {
        for (const etw::ProviderConfig& provider : session.planned.providers) {
            if (const std::optional<etw::CaptureState>& capture = provider.*moment; capture && session.isRunning) {
                captures->due.push_back({session.id, provider, *capture});
            }
        }
    }
    std::reverse(captures->due.begin(), captures->due.end());
    captureNext(captures);
}

void RecorderWorker::captureNext(std::shared_ptr<Captures> captures) {
    if (captures->due.empty()) {
        captures->whenDone();
        return;
    }
    const Capture& next = captures->due.back();
    const auto capture = [this, captures, session = next.session, id = next.provider.provider, state = next.state] {
        m_environment.controller->captureStateWithin(
            session, id, state,
            posted<void>([this, captures](Result<void> captured) { captureEnded(captures, std::move(captured)); }));
    };
    if (!next.provider.isCaptureOnly) {
        capture();
        return;
    }
    // Never enabled but for this; what it wants to log then is what its state's keywords say.
    etw::ProviderConfig enabled = next.provider;
    enabled.matchAnyKeyword = next.state.keywords;
    m_environment.controller->enable(next.session, std::move(enabled),
                                     posted<void>([this, captures, capture](Result<void> outcome) {
                                         if (outcome || outcome.error().code == ErrorCode::TimedOut) {
                                             capture();
                                         } else {
                                             captureEnded(captures, std::move(outcome));
                                         }
                                     }));
}

void RecorderWorker::captureEnded(const std::shared_ptr<Captures>& captures, Result<void> captured) {
    const Capture ended = std::move(captures->due.back());
    captures->due.pop_back();
    const std::string name = ended.provider.name.empty() ? toString(ended.provider.provider) : ended.provider.name;
    if (!captured) {
        spdlog::warn("recorder: the state of provider {} is not captured: {}", name, captured.error().detail);
        const bool isUnknown = captured.error().code == ErrorCode::ProviderUnknown;
        addLimitation(isUnknown ? etw::Limitation{etw::LimitationCode::ProviderNotOnThisPlatform, name, 0}
                                : etw::Limitation{etw::LimitationCode::FeatureNotServed,
                                                  std::string(etw::toString(etw::Feature::CaptureState)), 0});
    }
    if (!ended.provider.isCaptureOnly || !captured) {
        captureNext(captures);
        return;
    }
    m_environment.controller->disable(
        ended.session, ended.provider.provider, posted<void>([this, captures, name](Result<void> disabled) {
            if (!disabled) {
                spdlog::warn("recorder: provider {} stays enabled: {}", name, disabled.error().detail);
            }
            captureNext(captures);
        }));
}

} // namespace tracedeck::recorder

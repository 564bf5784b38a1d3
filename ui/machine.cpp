// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine.h"

#include "ui/relay.h"

#include <tuple>
#include <utility>

namespace tracedeck::ui {
namespace {

bool isSame(const etw::Capabilities& a, const etw::Capabilities& b) {
    const auto all = [](const etw::Capabilities& machine) {
        // Does not compile when a member is added, which is to be compared too.
        const auto& [platform, isElevated, processors, memory, groups, hooks, refused, providers, features, hasWindows,
                     limitations] = machine;
        return std::tie(platform, isElevated, processors, memory, groups, hooks, refused, providers, features,
                        hasWindows, limitations);
    };
    return all(a) == all(b);
}

} // namespace

Machine::Machine(CapabilitiesSource source, QObject* parent) : QObject(parent), m_source(std::move(source)) {}

void Machine::ask() {
    if (std::exchange(m_isAsking, true)) {
        return;
    }
    auto answer = std::make_shared<Result<etw::Capabilities>>();
    auto relay = Relay::to(this, [this, answer] {
        m_isAsking = false;
        take(std::move(*answer));
    });
    m_source([answer, relay](Result<etw::Capabilities> result) {
        *answer = std::move(result);
        relay->answer();
    });
}

void Machine::take(Result<etw::Capabilities> answer) {
    const bool isKnown =
        answer.has_value() ? !m_error && m_capabilities && isSame(*m_capabilities, *answer) : m_error == answer.error();
    if (isKnown) {
        Q_EMIT unchanged();
        return;
    }
    if (answer.has_value()) {
        m_capabilities = std::move(*answer);
        m_error.reset();
    } else {
        m_error = std::move(answer).error();
    }
    Q_EMIT changed();
}

} // namespace tracedeck::ui

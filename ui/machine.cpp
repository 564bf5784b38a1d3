// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/machine.h"

#include "ui/relay.h"

namespace tracedeck::ui {

Machine::Machine(CapabilitiesSource source, QObject* parent) : QObject(parent), m_source(std::move(source)) {}

void Machine::ask() {
    auto answer = std::make_shared<Result<etw::Capabilities>>();
    auto relay = Relay::to(this, [this, answer] {
        if (answer->has_value()) {
            m_capabilities = **answer;
            m_error.reset();
        } else {
            m_error = answer->error();
        }
        Q_EMIT changed();
    });
    m_source([answer, relay](Result<etw::Capabilities> result) {
        *answer = std::move(result);
        relay->answer();
    });
}

} // namespace tracedeck::ui

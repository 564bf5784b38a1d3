// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/relay.h"

namespace tracedeck::ui {

std::shared_ptr<Relay> Relay::to(QObject* receiver, std::function<void()> receive) {
    auto relay = std::make_shared<Relay>();
    connect(relay.get(), &Relay::answered, receiver, std::move(receive), Qt::QueuedConnection);
    return relay;
}

} // namespace tracedeck::ui

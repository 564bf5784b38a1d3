// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_messages.h"

#include "app/messages/messages.h"

#include <QCoreApplication>

namespace tracedeck::app {
namespace {

ui::UserMessage translated(const messages::UserMessage& message) {
    const auto text = [](const std::string& source) {
        return source.empty() ? QString() : QCoreApplication::translate(messages::kTranslationContext, source.c_str());
    };
    return {text(message.what), QString::fromStdString(message.evidence), text(message.action),
            QString::fromStdString(message.code)};
}

} // namespace

ui::MessageCatalog windowMessages() {
    ui::MessageCatalog catalog;
    catalog.forError = [](const Error& error) { return translated(messages::messageFor(error)); };
    catalog.forLimitation = [](const etw::Limitation& limitation) {
        return translated(messages::messageFor(limitation));
    };
    catalog.forLoss = [](etw::LossCause cause) { return translated(messages::messageFor(cause)); };
    return catalog;
}

} // namespace tracedeck::app

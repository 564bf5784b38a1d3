// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/base/result.h"
#include "core/etw/types.h"
#endif

#include <QString>

#include <functional>

namespace tracedeck::ui {

/// One thing to tell a person, translated.
struct UserMessage {
    QString what;     ///< one sentence
    QString evidence; ///< one line, may be empty
    QString action;   ///< one sentence
    QString code;     ///< to copy into a report
};

/// The texts for errors, limitations and loss, which the application keeps.
///
/// Threading: called on the UI thread only.
struct MessageCatalog {
    std::function<UserMessage(const Error&)> forError;
    std::function<UserMessage(const etw::Limitation&)> forLimitation;
    std::function<UserMessage(etw::LossCause)> forLoss;
};

} // namespace tracedeck::ui

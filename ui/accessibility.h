// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QLabel;
class QString;

namespace tracedeck::ui {

/// Puts `text` on `label` and has screen readers say it.
void announce(QLabel* label, const QString& text);

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIcon>
#include <QString>

namespace tracedeck::ui {

/// An icon of resources/icons, drawn in the colours of the palette at the moment it is painted, so that it stays
/// legible when the palette turns dark. What a drawing marks as `currentColor` gets the text colour; any other colour
/// stays.
[[nodiscard]] QIcon paletteIcon(const QString& name);

/// The program's own picture, in its own colours.
[[nodiscard]] QIcon applicationIcon();

} // namespace tracedeck::ui

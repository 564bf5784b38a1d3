// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/recording_choice.h"

namespace tracedeck::ui {

/// The same recording for tracedeck-cli, quoted for a POSIX shell.
[[nodiscard]] QString commandLine(const RecordingChoice& choice, const QString& outputPath);

/// `command`, after a folder that may be missing was created.
[[nodiscard]] QString creatingFolder(const QString& folder, const QString& command);

/// `text` as one word of a POSIX shell.
[[nodiscard]] QString shellQuoted(const QString& text);

} // namespace tracedeck::ui

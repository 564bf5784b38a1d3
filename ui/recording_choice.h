// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/plan/plan.h"
#endif

#include <QString>
#include <QStringList>

#include <chrono>
#include <optional>

namespace tracedeck::ui {

/// What the form says.
struct RecordingChoice {
    QStringList profiles; ///< names, in the order of the list
    plan::DetailLevel detail = plan::DetailLevel::Verbose;
    plan::LoggingMode mode = plan::LoggingMode::Memory;
    std::optional<std::uint32_t> maximumFileSizeMib; ///< file mode
    bool keepsNewest = false;                        ///< file mode without a size: recorder::WhenDiskShort::KeepNewest
    std::chrono::seconds timeLimit{0};               ///< 0: by hand
    QString folder;

    friend bool operator==(const RecordingChoice&, const RecordingChoice&) = default;
};

} // namespace tracedeck::ui

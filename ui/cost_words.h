// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/plan/cost.h"
#endif

#include <QCoreApplication>
#include <QString>

#include <chrono>
#include <optional>

namespace tracedeck::ui {

/// What a recording is expected to cost, in words.
///
/// Threading: stateless, UI thread.
class CostWords {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::CostWords)
public:
    /// What ends a recording in a file, whichever comes first.
    struct Ends {
        std::optional<Bytes> disk;    ///< what the disk has for it; nothing where that is not known
        std::optional<Bytes> file;    ///< the largest size
        std::chrono::seconds time{0}; ///< 0: by hand
    };
    /// "About 9.0 MB/s and 3 % of one processor, as measured on this machine."
    [[nodiscard]] static QString rate(const plan::Cost& cost);
    /// How long memory holds what it records, or what becomes of the file; empty where nothing can be said.
    [[nodiscard]] static QString reach(const plan::Cost& cost, const Ends& ends);
};

} // namespace tracedeck::ui

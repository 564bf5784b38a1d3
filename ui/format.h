// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/base/bytes.h"
#include "core/base/clock.h"
#include "core/etw/types.h"
#endif

#include <QCoreApplication>
#include <QString>

#include <chrono>

namespace tracedeck::ui {

/// Numbers as people of this locale write them.
///
/// Threading: stateless, any thread.
class Format {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::Format)
public:
    [[nodiscard]] static QString count(std::uint64_t value);
    [[nodiscard]] static QString bytes(Bytes value);
    [[nodiscard]] static QString bytesPerSecond(double value);
    /// 0…1 as "38 %".
    [[nodiscard]] static QString percent(double fraction, int decimals = 0);
    /// "00:01:12", as on a clock.
    [[nodiscard]] static QString clock(std::chrono::milliseconds value);
    /// "2 h 40 min", "12 min", "9.5 s".
    [[nodiscard]] static QString span(double seconds);
    /// "11/30/26 2:05 PM": date and time of day, here.
    [[nodiscard]] static QString moment(FileTime time);
    /// "a, b and c".
    [[nodiscard]] static QString list(const QStringList& items);
};

inline QString fromUtf8(const std::string& text) {
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace tracedeck::ui

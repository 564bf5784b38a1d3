// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format.h"

#include <QDateTime>
#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tracedeck::ui {

QString Format::count(std::uint64_t value) {
    return QLocale().toString(static_cast<qulonglong>(value));
}

QString Format::bytes(Bytes value) {
    return QLocale().formattedDataSize(static_cast<qint64>(value.count), 1, QLocale::DataSizeTraditionalFormat);
}

QString Format::bytesPerSecond(double value) {
    return tr("%1/s").arg(bytes(Bytes{static_cast<std::uint64_t>(std::max(0.0, value))}));
}

QString Format::percent(double fraction, int decimals) {
    //: %1 is a number; keep the space before the sign where your language has one
    return tr("%1 %").arg(QLocale().toString(fraction * 100.0, 'f', decimals));
}

QString Format::clock(std::chrono::milliseconds value) {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(value).count();
    const QChar zero = u'0';
    return QStringLiteral("%1:%2:%3")
        .arg(seconds / 3600, 2, 10, zero)
        .arg(seconds / 60 % 60, 2, 10, zero)
        .arg(seconds % 60, 2, 10, zero);
}

QString Format::span(double seconds) {
    const QLocale locale;
    if (seconds < 9.95) {
        return tr("%1 s").arg(locale.toString(seconds, 'f', 1));
    }
    const auto whole = static_cast<qint64>(std::llround(std::min(seconds, 1e9)));
    if (whole < 60) {
        return tr("%1 s").arg(locale.toString(whole));
    }
    const qint64 minutes = whole / 60;
    if (whole < 600) {
        return tr("%1 min %2 s").arg(locale.toString(minutes), locale.toString(whole % 60));
    }
    if (minutes < 60) {
        return tr("%1 min").arg(locale.toString(minutes));
    }
    if (minutes < 48 * 60) {
        return tr("%1 h %2 min").arg(locale.toString(minutes / 60), locale.toString(minutes % 60));
    }
    return tr("%n days", nullptr, static_cast<int>(minutes / (24 * 60)));
}

QString Format::moment(FileTime time) {
    constexpr FileTime kPerMillisecond = 10'000;
    const QDateTime when = QDateTime::fromMSecsSinceEpoch((time - kUnixEpoch) / kPerMillisecond);
    return QLocale().toString(when, QLocale::ShortFormat);
}

QString Format::list(const QStringList& items) {
    return QLocale().createSeparatedList(items);
}

} // namespace tracedeck::ui

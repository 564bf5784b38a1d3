// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live_pane.h"

#include "ui/format.h"
#include "ui/history_view.h"
#include "ui/recording_setup.h"
#include "ui/session_gauges.h"

#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace tracedeck::ui {

LivePane::LivePane(const MessageCatalog& messages, const Clock& clock, QWidget* parent)
    : QWidget(parent), m_gauges(new SessionGauges(messages, clock, this)), m_history(new HistoryView(this)) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_gauges);
    column->addWidget(m_history, 1);
}

void LivePane::begin(const Limits& limits) {
    m_limits = limits;
    m_marks = limits.marks;
    m_gauges->clear();
    m_history->clear();
}

QString LivePane::addMark() {
    ++m_marks;
    return marksText();
}

QString LivePane::marksText() const {
    return tr("%Ln mark(s) set", nullptr, m_marks);
}

QString LivePane::showStatus(const recorder::LiveStatus& status) {
    m_gauges->showStatus(status, m_limits.mode);
    m_history->add(status);
    m_marks = std::max(m_marks, static_cast<int>(status.marks)); // another program may have set some
    QStringList notes;
    if (m_marks > 0) {
        notes << marksText();
    }
    if (m_limits.time > status.elapsed) {
        const std::chrono::duration<double> left = m_limits.time - status.elapsed;
        notes << tr("stops in %1").arg(Format::span(std::ceil(left.count())));
    }
    if (const QString disk = diskText(status); !disk.isEmpty()) {
        notes << disk;
    }
    return notes.join(QStringLiteral(" · "));
}

void LivePane::showLast(const recorder::LiveStatus& status) {
    m_gauges->showStatus(status, m_limits.mode);
}

QString LivePane::diskText(const recorder::LiveStatus& status) const {
    if (m_limits.mode != plan::LoggingMode::File || status.elapsed < std::chrono::seconds(2)) {
        return {};
    }
    std::uint64_t written = 0;
    double rate = 0;
    for (const recorder::SessionStatus& session : status.sessions) {
        written += session.stats.fileSize.count;
        rate += session.bytesPerSecond;
    }
    if (rate < 1 || !status.disk) {
        return {};
    }
    const recorder::DiskRoom& room = *status.disk;
    if (room.isOverwriting) {
        return tr("the disk is short: newer events take the place of the oldest");
    }
    if (room.isShort) {
        return shortDiskText(room);
    }
    const QString writtenText = Format::bytes(Bytes{written});
    if (m_limits.fileSizeMib && !room.keepsNewest) {
        const std::uint64_t limit = mib(*m_limits.fileSizeMib).count;
        const std::uint64_t left = limit > written ? limit - written : 0;
        if (left < room.left.count) {
            return tr("%1 written, full in about %2").arg(writtenText, Format::span(static_cast<double>(left) / rate));
        }
    }
    return tr("%1 written, disk lasts about %2")
        .arg(writtenText, Format::span(static_cast<double>(room.left.count) / rate));
}

QString LivePane::shortDiskText(const recorder::DiskRoom& room) {
    const QString left =
        room.timeLeft ? Format::span(std::chrono::duration<double>(*room.timeLeft).count()) : Format::bytes(room.left);
    if (room.keepsNewest) {
        //: %1: a time or a size
        return tr("the disk runs short: in about %1 newer events take the place of the oldest").arg(left);
    }
    //: %1: a time or a size
    return room.isOfTarget ? tr("the disk where it will be saved runs short: stops in about %1").arg(left)
                           : tr("the disk runs short: stops in about %1").arg(left);
}

} // namespace tracedeck::ui

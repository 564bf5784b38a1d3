// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/user_message.h"

#ifndef Q_MOC_RUN
#include "core/base/clock.h"
#include "core/recorder/recorder.h"
#endif

#include <QWidget>

#include <chrono>
#include <cstdint>
#include <optional>

namespace tracedeck::ui {

class HistoryView;
class SessionGauges;

/// The running recording: gauges, history, and what there is to say beside its state.
///
/// Threading: UI thread. Ownership: `messages` and `clock` must outlive it.
class LivePane final : public QWidget {
    Q_OBJECT
public:
    LivePane(const MessageCatalog& messages, const Clock& clock, QWidget* parent = nullptr);

    /// What ends a recording by itself.
    struct Limits {
        plan::LoggingMode mode = plan::LoggingMode::Memory;
        std::optional<std::uint32_t> fileSizeMib;
        std::chrono::milliseconds time{0}; ///< 0: by hand
        int marks = 0;                     ///< that an adopted recording was given before
    };
    /// Forgets the recording before.
    void begin(const Limits& limits);
    /// The note to show from now on, which counts one mark more.
    [[nodiscard]] QString addMark();
    [[nodiscard]] int marks() const noexcept { return m_marks; }
    /// Shows the numbers; the note says what is set, what is left, and when it ends.
    [[nodiscard]] QString showStatus(const recorder::LiveStatus& status);
    /// The last numbers of a recording that has stopped.
    void showLast(const recorder::LiveStatus& status);
    [[nodiscard]] plan::LoggingMode mode() const noexcept { return m_limits.mode; }

private:
    [[nodiscard]] QString marksText() const;
    [[nodiscard]] QString diskText(const recorder::LiveStatus& status) const;
    [[nodiscard]] static QString shortDiskText(const recorder::DiskRoom& room);

    SessionGauges* m_gauges;
    HistoryView* m_history;
    Limits m_limits;
    int m_marks = 0;
};

} // namespace tracedeck::ui

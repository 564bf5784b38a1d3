// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/controls.h"
#include "ui/user_message.h"

#ifndef Q_MOC_RUN
#include "core/base/clock.h"
#endif

#include <QWidget>

namespace tracedeck::ui {

class GuidancePanel;
class HealthCard;
class LivePane;
class MessageStrip;
class ProfileModel;
class ProgressPanel;
class RecordingBar;
class RecordingForm;
class StoppedPanel;
class UnfinishedBar;
class WindowActions;

/// The contents of the window: its panes from top to bottom, and which of them are seen when.
///
/// Threading: UI thread. Ownership: what it is given must outlive it.
class WindowPanes final : public QWidget {
    Q_OBJECT
public:
    struct Model {
        ProfileModel* profiles = nullptr;
        WindowActions* actions = nullptr;
        const MessageCatalog* messages = nullptr;
        const Clock* clock = nullptr;
    };
    explicit WindowPanes(const Model& model, QWidget* parent = nullptr);

    [[nodiscard]] UnfinishedBar* unfinished() const noexcept { return m_unfinished; }
    [[nodiscard]] RecordingForm* form() const noexcept { return m_form; }
    [[nodiscard]] GuidancePanel* guidance() const noexcept { return m_guidance; }
    [[nodiscard]] MessageStrip* strip() const noexcept { return m_strip; }
    [[nodiscard]] RecordingBar* bar() const noexcept { return m_bar; }
    [[nodiscard]] LivePane* live() const noexcept { return m_live; }
    [[nodiscard]] StoppedPanel* stoppedPanel() const noexcept { return m_stopped; }
    [[nodiscard]] ProgressPanel* progress() const noexcept { return m_progress; }
    [[nodiscard]] HealthCard* health() const noexcept { return m_health; }

    struct View {
        recorder::State state = recorder::State::Idle;
        Controls controls;
        bool isIdle = true; ///< nothing runs, and nothing is about to
        bool hasPlan = false;
        bool hasOutcome = false; ///< the health card has something to show
    };
    void show(const View& view);
    using QWidget::show;

private:
    void connectButtons(WindowActions& actions);
    void setTabOrders();

    UnfinishedBar* m_unfinished;
    RecordingForm* m_form;
    MessageStrip* m_strip;
    RecordingBar* m_bar;
    StoppedPanel* m_stopped;
    ProgressPanel* m_progress;
    GuidancePanel* m_guidance;
    HealthCard* m_health;
    LivePane* m_live;
};

} // namespace tracedeck::ui

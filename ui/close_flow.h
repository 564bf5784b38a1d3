// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/close_wish.h"
#include "ui/recording_at_hand.h"

#include <QObject>
#include <QPointer>

class QWidget;

namespace tracedeck::ui {

/// From the wish to close the window to its end: asks what becomes of a recording, and then wishes for one step after
/// the other until the window may close. Who takes the steps tells of each change by follow().
///
/// Threading: UI thread. Ownership: `recorder` and `recording` must outlive it; questions are the window's children.
class CloseFlow final : public QObject {
    Q_OBJECT
public:
    CloseFlow(const recorder::Recorder& recorder, const RecordingAtHand& recording, QWidget* window);

    /// There is something that would be lost or left behind if the program ended now.
    [[nodiscard]] bool holdsRecording() const;
    [[nodiscard]] bool mayClose() const { return m_mayClose || !holdsRecording(); }
    [[nodiscard]] CloseWish wish() const noexcept { return m_wish; }
    /// Nobody is there to be asked or told.
    [[nodiscard]] bool isEnding() const noexcept { return m_isEnding; }

    /// Asks, once at a time.
    void ask();
    /// The answer "Close, Keep Raw Files" without the question.
    void keepRawFiles();
    /// The window stays.
    void forget() noexcept { m_wish = CloseWish::None; }
    /// Does what the wish needs in the state that the recorder is in; to be called again when that has changed.
    void follow();
    /// Whatever the state is.
    void close();

Q_SIGNALS:
    void stopWished();
    void letGoOnWished();
    void saveWished();
    void cancelSaveWished();
    /// Nothing is in the way any more.
    void closeWished();

private:
    void wishFor(CloseWish wish);
    [[nodiscard]] QString rawFilesText() const;

    const recorder::Recorder& m_recorder;
    const RecordingAtHand& m_recording;
    QWidget* m_window;
    QPointer<QWidget> m_question;
    CloseWish m_wish = CloseWish::None;
    bool m_isEnding = false;
    bool m_hasToldRawFiles = false; ///< by name, in the question
    bool m_mayClose = false;
};

} // namespace tracedeck::ui

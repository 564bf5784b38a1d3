// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "app/wiring/cost_store.h"
#endif

#include <QObject>
#include <QThread>

#include <memory>
#include <string>

namespace tracedeck::app {

/// The costs of past recordings for the window, read and written on a thread of their own: a home folder on a server
/// that is slow holds nothing up.
///
/// Threading: the thread that made it; known() arrives there, queued. Ownership: owns its thread; the destructor waits
/// until what was noted is written; `files` must outlive it. Errors: those of CostStore.
class WindowCosts final : public QObject {
    Q_OBJECT
public:
    WindowCosts(FileSystem& files, std::string path);
    ~WindowCosts() override;

    /// A recording of `plan` has ended; known() follows.
    void note(const plan::RecordingPlan& plan, const etw::Capabilities& capabilities,
              const recorder::Stopped& recording);

Q_SIGNALS:
    /// What is known now: once when the file has been read, and after each note.
    void known(const tracedeck::plan::CostHistory& history);

private:
    template <class Work>
    void post(Work work);
    void publish();

    QThread m_thread;
    QObject* m_worker;
    std::unique_ptr<CostStore> m_store; ///< made, used and destroyed on the thread
};

} // namespace tracedeck::app

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/window_costs.h"

#include <utility>

namespace tracedeck::app {

WindowCosts::WindowCosts(FileSystem& files, std::string path) : m_worker(new QObject) {
    m_thread.setObjectName(QStringLiteral("costs"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    m_thread.start();
    post([this, &files, path = std::move(path)] {
        m_store = std::make_unique<CostStore>(files, path);
        publish();
    });
}

WindowCosts::~WindowCosts() {
    // Behind everything that was posted before.
    post([this] {
        m_store.reset();
        m_thread.quit();
    });
    m_thread.wait();
}

template <class Work>
void WindowCosts::post(Work work) {
    QMetaObject::invokeMethod(m_worker, std::move(work), Qt::QueuedConnection);
}

void WindowCosts::note(const plan::RecordingPlan& plan, const etw::Capabilities& capabilities,
                       const recorder::Stopped& recording) {
    post([this, plan, capabilities, recording] {
        m_store->note(plan, capabilities, recording);
        publish();
    });
}

void WindowCosts::publish() {
    QMetaObject::invokeMethod(
        this, [this, history = m_store->history()] { Q_EMIT known(history); }, Qt::QueuedConnection);
}

} // namespace tracedeck::app

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include <functional>
#include <memory>

namespace tracedeck::ui {

/// Carries one answer from any thread to the UI thread. The asker's copy and the answerer's share it; who dies first
/// does not matter, since the connection ends with its receiver.
class Relay final : public QObject {
    Q_OBJECT
public:
    /// `receive` runs on `receiver`'s thread after answer(), unless the receiver is gone by then.
    [[nodiscard]] static std::shared_ptr<Relay> to(QObject* receiver, std::function<void()> receive);
    void answer() { Q_EMIT answered(); }

Q_SIGNALS:
    void answered();
};

} // namespace tracedeck::ui

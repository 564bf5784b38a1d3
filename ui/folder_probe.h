// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/base/bytes.h"
#endif

#include <QObject>
#include <QString>

#include <functional>

namespace tracedeck::ui {

/// What is known of a folder.
struct FolderFacts {
    enum class State { Unknown, Usable, WillBeCreated, Missing, ReadOnly };
    QString path;
    State state = State::Unknown;
    Bytes free{0};
};

/// Looks at folders on a thread of the pool, since a file server that does not answer must not hold the window.
///
/// Threading: UI thread; answers arrive there.
class FolderProbe final : public QObject {
    Q_OBJECT
public:
    explicit FolderProbe(QObject* parent = nullptr);

    /// facts() and changed() follow; an older question's answer is dropped.
    void look(const QString& path);
    [[nodiscard]] const FolderFacts& facts() const noexcept { return m_facts; }

    /// Creates the folder where it is missing. `done` runs unless `context` is gone by then.
    static void create(const QString& path, QObject* context, std::function<void(bool isUsable)> done);
    /// Whether a file is there.
    static void exists(const QString& path, QObject* context, std::function<void(bool isThere)> done);

Q_SIGNALS:
    void changed();

private:
    FolderFacts m_facts;
    std::uint64_t m_question = 0;
};

} // namespace tracedeck::ui

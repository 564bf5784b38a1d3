// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#ifndef Q_MOC_RUN
#include "core/base/bytes.h"
#endif

#include <QObject>
#include <QString>

#include <cstdint>
#include <functional>
#include <optional>

namespace tracedeck::ui {

/// What is known of a folder.
struct FolderFacts {
    enum class State { Unknown, Usable, WillBeCreated, Missing, ReadOnly, NoAnswer };
    QString path;
    State state = State::Unknown;
    Bytes free{0};

    /// It can be written to, or could be once it is created.
    [[nodiscard]] bool isUsable() const noexcept { return state == State::Usable || state == State::WillBeCreated; }
};

enum class FileKind : std::uint8_t { None, File, Other };

/// The look-ups themselves. Each may take as long as a file server pleases, so that they are called on threads of their
/// own, several at a time.
struct FolderAccess {
    std::function<FolderFacts(const QString& path)> look;
    /// Creates the folder where it is missing; whether it can be written to.
    std::function<bool(const QString& path)> create;
    std::function<FileKind(const QString& path)> fileAt;
    /// Calls `isOver` on the UI thread when a question that is asked now has been waited for long enough, unless
    /// `context` is gone by then. A folder that has not answered is then said not to answer.
    std::function<void(QObject* context, std::function<void()> isOver)> patience;
};
/// Those of the system, with a patience of five seconds.
[[nodiscard]] FolderAccess systemFolders();

/// Looks at folders without waiting: a file server that does not answer holds up neither the window nor other questions
/// nor the end of the program.
///
/// Threading: UI thread; answers arrive there. Each question has a thread of its own, which nobody waits for: one that
/// hangs is left alone.
class FolderProbe final : public QObject {
    Q_OBJECT
public:
    explicit FolderProbe(FolderAccess access, QObject* parent = nullptr);

    /// facts() and changed() follow; an older question's answer is dropped. Where no answer comes, facts() say so; one
    /// that comes late still counts.
    void look(const QString& path);
    [[nodiscard]] const FolderFacts& facts() const noexcept { return m_facts; }

    /// Creates the folder where it is missing. `done` runs once, unless `context` is gone by then; empty: no answer.
    void create(const QString& path, QObject* context, std::function<void(std::optional<bool> isUsable)> done);
    /// What has this name. `done` as above.
    void fileAt(const QString& path, QObject* context, std::function<void(std::optional<FileKind> kind)> done);

Q_SIGNALS:
    void changed();

private:
    FolderAccess m_access;
    FolderFacts m_facts;
    std::uint64_t m_question = 0;
    bool m_isAsking = false; ///< the latest question has no answer yet
};

} // namespace tracedeck::ui

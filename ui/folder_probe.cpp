// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_probe.h"

#include "ui/relay.h"

#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>
#include <QTimer>

#include <chrono>
#include <memory>
#include <system_error>
#include <thread>
#include <utility>

namespace tracedeck::ui {
namespace {

constexpr std::chrono::seconds kPatience(5);

FolderFacts factsOf(const QString& path) {
    FolderFacts facts;
    facts.path = path;
    const QFileInfo folder(path);
    QString existing = path;
    if (folder.isDir()) {
        facts.state = folder.isWritable() ? FolderFacts::State::Usable : FolderFacts::State::ReadOnly;
    } else {
        // Only the last name may be missing: a longer tail is rather a typing error than a wish.
        existing = folder.absolutePath();
        const QFileInfo above(existing);
        const bool canCreate = folder.isAbsolute() && !folder.exists() && above.isDir() && above.isWritable();
        facts.state = canCreate ? FolderFacts::State::WillBeCreated : FolderFacts::State::Missing;
    }
    const QStorageInfo volume(existing);
    facts.free = Bytes{static_cast<std::uint64_t>(std::max<qint64>(0, volume.bytesAvailable()))};
    return facts;
}

bool createFolder(const QString& path) {
    const QFileInfo folder(path);
    return (folder.isDir() || QDir().mkpath(path)) && QFileInfo(path).isWritable();
}

FileKind fileKindOf(const QString& path) {
    const QFileInfo file(path);
    if (!file.exists()) {
        return FileKind::None;
    }
    return file.isFile() ? FileKind::File : FileKind::Other;
}

/// Runs `work` on a thread of its own and hands its result to `done` on the thread of `context`.
template <class T>
void inBackground(std::function<T()> work, QObject* context, std::function<void(const T&)> done) {
    auto result = std::make_shared<T>();
    auto relay = Relay::to(context, [result, done = std::move(done)] { done(*result); });
    try {
        // Detached, not pooled: a call into a dead file server cannot be ended and must not keep anybody waiting.
        std::thread([work = std::move(work), result, relay] {
            *result = work();
            relay->answer();
        }).detach();
    } catch (const std::system_error&) {
        // No thread, no answer: the asker's patience deals with that.
    }
}

/// As above, but `done` runs once: with the result, or with nothing when the patience is over.
template <class T>
void askOnce(const FolderAccess& access, std::function<T()> work, QObject* context,
             std::function<void(std::optional<T>)> done) {
    auto isOpen = std::make_shared<bool>(true);
    inBackground<T>(std::move(work), context, [isOpen, done](const T& result) {
        if (std::exchange(*isOpen, false)) {
            done(result);
        }
    });
    access.patience(context, [isOpen, done] {
        if (std::exchange(*isOpen, false)) {
            done(std::nullopt);
        }
    });
}

} // namespace

FolderAccess systemFolders() {
    FolderAccess access;
    access.look = factsOf;
    access.create = createFolder;
    access.fileAt = fileKindOf;
    access.patience = [](QObject* context, const std::function<void()>& isOver) {
        QTimer::singleShot(kPatience, context, isOver);
    };
    return access;
}

FolderProbe::FolderProbe(FolderAccess access, QObject* parent) : QObject(parent), m_access(std::move(access)) {}

void FolderProbe::look(const QString& path) {
    if (m_isAsking && m_facts.path == path && m_facts.state == FolderFacts::State::NoAnswer) {
        return; // a second thread would hang beside the first, which answers when the server comes back
    }
    const std::uint64_t question = ++m_question;
    m_isAsking = true;
    if (m_facts.path != path) {
        m_facts = {path, FolderFacts::State::Unknown, Bytes{0}};
    }
    inBackground<FolderFacts>([look = m_access.look, path] { return look(path); }, this,
                              [this, question](const FolderFacts& facts) {
                                  if (question == m_question) {
                                      m_isAsking = false;
                                      m_facts = facts;
                                      Q_EMIT changed();
                                  }
                              });
    m_access.patience(this, [this, question, path] {
        if (question == m_question && m_isAsking) {
            m_facts = {path, FolderFacts::State::NoAnswer, Bytes{0}};
            Q_EMIT changed();
        }
    });
}

void FolderProbe::create(const QString& path, QObject* context, std::function<void(std::optional<bool>)> done) {
    askOnce<bool>(
        m_access, [create = m_access.create, path] { return create(path); }, context, std::move(done));
}

void FolderProbe::fileAt(const QString& path, QObject* context, std::function<void(std::optional<FileKind>)> done) {
    askOnce<FileKind>(
        m_access, [fileAt = m_access.fileAt, path] { return fileAt(path); }, context, std::move(done));
}

} // namespace tracedeck::ui

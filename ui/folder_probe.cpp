// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/folder_probe.h"

#include "ui/relay.h"

#include <QDir>
#include <QFileInfo>
#include <QStorageInfo>
#include <QThreadPool>

namespace tracedeck::ui {
namespace {

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

/// Runs `work` on the pool and hands its result to `done` on the thread of `context`.
template <class T>
void runInPool(std::function<T()> work, QObject* context, std::function<void(T)> done) {
    auto result = std::make_shared<T>();
    auto relay = Relay::to(context, [result, done = std::move(done)] { done(*result); });
    QThreadPool::globalInstance()->start([work = std::move(work), result, relay] {
        *result = work();
        relay->answer();
    });
}

} // namespace

FolderProbe::FolderProbe(QObject* parent) : QObject(parent) {}

void FolderProbe::look(const QString& path) {
    const std::uint64_t question = ++m_question;
    if (m_facts.path != path) {
        m_facts = {path, FolderFacts::State::Unknown, Bytes{0}};
    }
    runInPool<FolderFacts>([path] { return factsOf(path); }, this,
                           [this, question](const FolderFacts& facts) {
                               if (question == m_question) {
                                   m_facts = facts;
                                   Q_EMIT changed();
                               }
                           });
}

void FolderProbe::create(const QString& path, QObject* context, std::function<void(bool)> done) {
    runInPool<bool>(
        [path] {
            const QFileInfo folder(path);
            return (folder.isDir() || QDir().mkpath(path)) && QFileInfo(path).isWritable();
        },
        context, std::move(done));
}

void FolderProbe::exists(const QString& path, QObject* context, std::function<void(bool)> done) {
    runInPool<bool>([path] { return QFileInfo::exists(path); }, context, std::move(done));
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/journal.h"

#include "core/platform/folders.h"
#include "core/recorder/raw_files.h"

#include <spdlog/spdlog.h>

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QSaveFile>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

namespace tracedeck::recorder {
namespace {

constexpr int kVersion = 1;
constexpr const char* kSuffix = ".recording";
/// A file beyond that is none of ours.
constexpr qint64 kLargestEntry = 16 * 1024 * 1024;

QString textOf(const std::string& text) {
    return QString::fromStdString(text);
}

QJsonArray arrayOf(const std::vector<std::string>& texts) {
    QJsonArray array;
    for (const std::string& text : texts) {
        array.append(textOf(text));
    }
    return array;
}

std::vector<std::string> textsOf(const QJsonValue& value) {
    std::vector<std::string> texts;
    for (const auto& each : value.toArray()) {
        texts.push_back(each.toString().toStdString());
    }
    return texts;
}

/// JSON's numbers hold 53 bits.
QString numberOf(std::int64_t value) {
    return QString::number(value);
}

/// All 64 bits count.
QString hexOf(std::uint64_t value) {
    return QString::number(value, 16);
}

constexpr std::array kKinds{plan::PlannedSession::Kind::System, plan::PlannedSession::Kind::Event,
                            plan::PlannedSession::Kind::Heap, plan::PlannedSession::Kind::Hypervisor};

QByteArray encode(const JournalEntry& entry) {
    QJsonArray sessions;
    for (const JournalEntry::Session& session : entry.sessions) {
        QJsonArray providers;
        for (const JournalEntry::Provider& provider : session.providers) {
            QJsonObject each{{QStringLiteral("guid"), textOf(toString(provider.id))},
                             {QStringLiteral("name"), textOf(provider.name)}};
            if (const auto& capture = provider.captureOnSave) {
                each[QStringLiteral("captureOnSave")] =
                    QJsonObject{{QStringLiteral("keywords"), hexOf(capture->keywords)},
                                {QStringLiteral("timeoutSeconds"), static_cast<qint64>(capture->timeout.count())}};
                each[QStringLiteral("isCaptureOnly")] = provider.isCaptureOnly;
                each[QStringLiteral("level")] = provider.level;
            }
            providers.append(each);
        }
        sessions.append(QJsonObject{
            {QStringLiteral("keywords"), arrayOf(session.keywords)},
            {QStringLiteral("stacks"), arrayOf(session.stacks)},
            {QStringLiteral("providers"), providers},
            {QStringLiteral("kind"), textOf(kindName(session.kind))},
            {QStringLiteral("name"), textOf(session.name)},
            {QStringLiteral("guid"), textOf(toString(session.guid))},
            {QStringLiteral("mode"), static_cast<qint64>(session.logFileMode)},
            {QStringLiteral("maximumMib"), static_cast<qint64>(session.maximumFileSizeMib)},
            {QStringLiteral("minimumFree"), numberOf(static_cast<std::int64_t>(session.minimumFreeDisk.count))},
            {QStringLiteral("rawFile"), textOf(session.rawFile)}});
    }
    QJsonObject object{
        {QStringLiteral("version"), kVersion},
        {QStringLiteral("boot"), textOf(entry.boot)},
        {QStringLiteral("isHosted"), entry.isHosted},
        {QStringLiteral("begun"), numberOf(entry.begun)},
        {QStringLiteral("begin"), numberOf(entry.begin)},
        {QStringLiteral("profiles"), arrayOf(entry.profiles)},
        {QStringLiteral("isLight"), entry.detail == plan::DetailLevel::Light},
        {QStringLiteral("isInFile"), entry.mode == plan::LoggingMode::File},
        {QStringLiteral("timeLimitMs"), numberOf(entry.timeLimit.count())},
        {QStringLiteral("note"), textOf(entry.note)},
        {QStringLiteral("platform"), textOf(entry.platform)},
        {QStringLiteral("plan"), textOf(entry.plan)},
        {QStringLiteral("workFolder"), textOf(entry.workFolder)},
        {QStringLiteral("targetFolder"), textOf(entry.targetFolder)},
        {QStringLiteral("keepsNewest"), entry.keepsNewest},
        {QStringLiteral("marks"), static_cast<qint64>(entry.marks)},
        {QStringLiteral("rawFolders"), arrayOf(entry.rawFolders)},
        {QStringLiteral("otherRawFiles"), arrayOf(entry.otherRawFiles)},
        {QStringLiteral("sessions"), sessions},
    };
    if (entry.ended) {
        object[QStringLiteral("ended")] =
            QJsonObject{{QStringLiteral("reason"), textOf(std::string(toString(entry.ended->reason)))},
                        {QStringLiteral("end"), numberOf(entry.ended->end)}};
    }
    return QJsonDocument(object).toJson();
}

JournalEntry::Provider providerOf(const Guid& id, const QJsonObject& object) {
    JournalEntry::Provider provider;
    provider.id = id;
    provider.name = object[QStringLiteral("name")].toString().toStdString();
    const QJsonObject capture = object[QStringLiteral("captureOnSave")].toObject();
    if (!capture.isEmpty()) {
        provider.captureOnSave =
            etw::CaptureState{capture[QStringLiteral("keywords")].toString().toULongLong(nullptr, 16),
                              std::chrono::seconds(capture[QStringLiteral("timeoutSeconds")].toInteger())};
        provider.isCaptureOnly = object[QStringLiteral("isCaptureOnly")].toBool();
        provider.level = static_cast<std::uint8_t>(object[QStringLiteral("level")].toInt());
    }
    return provider;
}

std::optional<JournalEntry::Session> sessionOf(const QJsonObject& object) {
    JournalEntry::Session session;
    const std::string kind = object[QStringLiteral("kind")].toString().toStdString();
    const auto* const known =
        std::find_if(kKinds.begin(), kKinds.end(), [&](auto each) { return kindName(each) == kind; });
    const auto guid = parseGuid(object[QStringLiteral("guid")].toString().toStdString());
    if (known == kKinds.end() || !guid) {
        return std::nullopt;
    }
    session.kind = *known;
    session.guid = *guid;
    session.name = object[QStringLiteral("name")].toString().toStdString();
    session.logFileMode = static_cast<std::uint32_t>(object[QStringLiteral("mode")].toInteger());
    session.maximumFileSizeMib = static_cast<std::uint32_t>(object[QStringLiteral("maximumMib")].toInteger());
    session.minimumFreeDisk = Bytes{object[QStringLiteral("minimumFree")].toString().toULongLong()};
    session.rawFile = object[QStringLiteral("rawFile")].toString().toStdString();
    session.keywords = textsOf(object[QStringLiteral("keywords")]);
    session.stacks = textsOf(object[QStringLiteral("stacks")]);
    for (const auto& each : object[QStringLiteral("providers")].toArray()) {
        const auto id = parseGuid(each.toObject()[QStringLiteral("guid")].toString().toStdString());
        if (!id) {
            return std::nullopt;
        }
        session.providers.push_back(providerOf(*id, each.toObject()));
    }
    return session;
}

std::optional<JournalEntry::Ended> endedOf(const QJsonObject& object) {
    using enum StopReason;
    const std::string reason = object[QStringLiteral("reason")].toString().toStdString();
    for (const StopReason known : {User, TimeLimit, DiskFull, SizeLimit, WriteFailed, SourceFailed, RecorderEnded}) {
        if (toString(known) == reason) {
            return JournalEntry::Ended{known, object[QStringLiteral("end")].toString().toLongLong()};
        }
    }
    return std::nullopt;
}

std::optional<JournalEntry> decode(const QByteArray& bytes) {
    const QJsonObject object = QJsonDocument::fromJson(bytes).object();
    if (object[QStringLiteral("version")].toInt() != kVersion) {
        return std::nullopt;
    }
    JournalEntry entry;
    entry.boot = object[QStringLiteral("boot")].toString().toStdString();
    entry.isHosted = object[QStringLiteral("isHosted")].toBool();
    entry.begun = object[QStringLiteral("begun")].toString().toLongLong();
    entry.begin = object[QStringLiteral("begin")].toString().toLongLong();
    entry.profiles = textsOf(object[QStringLiteral("profiles")]);
    entry.detail = object[QStringLiteral("isLight")].toBool() ? plan::DetailLevel::Light : plan::DetailLevel::Verbose;
    entry.mode = object[QStringLiteral("isInFile")].toBool() ? plan::LoggingMode::File : plan::LoggingMode::Memory;
    entry.timeLimit = std::chrono::milliseconds(object[QStringLiteral("timeLimitMs")].toString().toLongLong());
    entry.note = object[QStringLiteral("note")].toString().toStdString();
    entry.platform = object[QStringLiteral("platform")].toString().toStdString();
    entry.plan = object[QStringLiteral("plan")].toString().toStdString();
    entry.workFolder = object[QStringLiteral("workFolder")].toString().toStdString();
    entry.targetFolder = object[QStringLiteral("targetFolder")].toString().toStdString();
    entry.keepsNewest = object[QStringLiteral("keepsNewest")].toBool();
    entry.ended = endedOf(object[QStringLiteral("ended")].toObject());
    entry.marks = static_cast<std::uint32_t>(object[QStringLiteral("marks")].toInteger());
    entry.rawFolders = textsOf(object[QStringLiteral("rawFolders")]);
    entry.otherRawFiles = textsOf(object[QStringLiteral("otherRawFiles")]);
    for (const auto& each : object[QStringLiteral("sessions")].toArray()) {
        auto session = sessionOf(each.toObject());
        if (!session) {
            return std::nullopt;
        }
        entry.sessions.push_back(std::move(*session));
    }
    return entry.sessions.empty() ? std::nullopt : std::optional(std::move(entry));
}

Result<JournalEntry> read(const std::string& folder, const std::string& id) {
    const std::string path = platform::join(folder, id);
    QFile file(textOf(path));
    if (!file.exists()) {
        return fail(ErrorCode::FileNotFound, path);
    }
    if (!file.open(QIODevice::ReadOnly)) {
        return fail(ErrorCode::ReadFailed, "open " + path + ": " + file.errorString().toStdString());
    }
    auto entry = decode(file.read(kLargestEntry));
    if (!entry) {
        return fail(ErrorCode::ReadFailed, path + ": no record of a recording");
    }
    entry->id = id;
    return std::move(*entry);
}

class HeldEntry final : public Journal::Hold {
public:
    HeldEntry(std::string folder, JournalEntry entry, std::unique_ptr<QLockFile> lock)
        : m_path(platform::join(folder, entry.id)), m_entry(std::move(entry)), m_lock(std::move(lock)) {}

    [[nodiscard]] const JournalEntry& entry() const noexcept override { return m_entry; }
    [[nodiscard]] Status update(JournalEntry entry) override {
        entry.id = m_entry.id;
        QSaveFile file(textOf(m_path));
        // Never open to others: it says what was recorded and where.
        const bool isWritten = file.open(QIODevice::WriteOnly) &&
                               file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner) &&
                               file.write(encode(entry)) >= 0 && file.commit();
        if (!isWritten) {
            return fail(ErrorCode::WriteFailed, "write " + m_path + ": " + file.errorString().toStdString());
        }
        m_entry = std::move(entry);
        return {};
    }
    [[nodiscard]] Status forget() override {
        QFile file(textOf(m_path));
        if (!file.remove() && file.exists()) {
            return fail(ErrorCode::WriteFailed, "remove " + m_path + ": " + file.errorString().toStdString());
        }
        return {};
    }

private:
    std::string m_path;
    JournalEntry m_entry;
    std::unique_ptr<QLockFile> m_lock; ///< removes its file when it goes
};

/// Null where another process has it.
Result<std::unique_ptr<QLockFile>> lockOf(const std::string& folder, const std::string& id) {
    auto lock = std::make_unique<QLockFile>(textOf(platform::join(folder, id + ".lock")));
    lock->setStaleLockTime(0); // a recording takes as long as it takes; a dead process's lock is noticed all the same
    if (lock->tryLock(0)) {
        return lock;
    }
    if (lock->error() == QLockFile::LockFailedError) {
        return fail(ErrorCode::WrongState, id + ": another process has it");
    }
    return fail(ErrorCode::AccessDenied, "lock " + id + " in " + folder);
}

} // namespace

Result<std::unique_ptr<Journal::Hold>> Journal::begin(JournalEntry entry) const {
    if (const Status created = platform::createFolders(m_folder); !created) {
        return fail(created.error());
    }
    entry.id = toString(randomGuid()) + kSuffix;
    auto lock = lockOf(m_folder, entry.id);
    if (!lock) {
        return fail(lock.error());
    }
    auto held = std::make_unique<HeldEntry>(m_folder, entry, std::move(*lock));
    if (const Status written = held->update(std::move(entry)); !written) {
        return fail(written.error());
    }
    return held;
}

std::vector<JournalEntry> Journal::left() const {
    std::vector<JournalEntry> entries;
    if (!isKept()) {
        return entries;
    }
    for (const QString& name :
         QDir(textOf(m_folder)).entryList({QStringLiteral("*") + QLatin1String(kSuffix)}, QDir::Files)) {
        const auto held = take(name.toStdString());
        if (held) {
            entries.push_back((*held)->entry());
        } else if (held.error().code != ErrorCode::WrongState && held.error().code != ErrorCode::FileNotFound) {
            spdlog::warn("journal: {}", held.error().detail);
        }
    }
    std::sort(entries.begin(), entries.end(), [](const JournalEntry& a, const JournalEntry& b) {
        return std::tie(a.begun, a.id) < std::tie(b.begun, b.id);
    });
    return entries;
}

Result<std::unique_ptr<Journal::Hold>> Journal::take(const std::string& id) const {
    const QString name = textOf(id);
    if (!isKept() || name.contains(QLatin1Char('/')) || !name.endsWith(QLatin1String(kSuffix))) {
        return fail(ErrorCode::FileNotFound, id);
    }
    if (const auto known = read(m_folder, id); !known) { // before a lock's file is made for nothing
        return fail(known.error());
    }
    auto lock = lockOf(m_folder, id);
    if (!lock) {
        return fail(lock.error());
    }
    auto entry = read(m_folder, id); // as the last holder left it
    if (!entry) {
        return fail(entry.error());
    }
    return std::make_unique<HeldEntry>(m_folder, std::move(*entry), std::move(*lock));
}

} // namespace tracedeck::recorder

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/command_line.h"

#include <QRegularExpression>

namespace tracedeck::ui {

QString shellQuoted(const QString& text) {
    static const QRegularExpression plain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
    if (plain.match(text).hasMatch()) {
        return text;
    }
    QString quoted = text;
    quoted.replace(u'\'', QStringLiteral("'\\''"));
    return u'\'' + quoted + u'\'';
}

QString creatingFolder(const QString& folder, const QString& command) {
    return QStringLiteral("mkdir -p %1 && %2").arg(shellQuoted(folder), command);
}

QString commandLine(const RecordingChoice& choice, const QString& outputPath) {
    QStringList words{QStringLiteral("tracedeck-cli"), QStringLiteral("record")};
    for (const QString& profile : choice.profiles) {
        words << QStringLiteral("-p") << shellQuoted(profile);
    }
    if (choice.detail == plan::DetailLevel::Light) {
        words << QStringLiteral("--detail") << QStringLiteral("light");
    }
    if (choice.mode == plan::LoggingMode::File) {
        words << QStringLiteral("--file");
        if (choice.maximumFileSizeMib) {
            words << QStringLiteral("--max-size") << QStringLiteral("%1MB").arg(*choice.maximumFileSizeMib);
        } else if (choice.keepsNewest) {
            words << QStringLiteral("--when-disk-short") << QStringLiteral("keep-newest");
        }
    }
    if (choice.timeLimit.count() > 0) {
        words << QStringLiteral("-t") << QStringLiteral("%1s").arg(choice.timeLimit.count());
    }
    words << QStringLiteral("-o") << shellQuoted(outputPath);
    return words.join(u' ');
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/format.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tracedeck::cli {
namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QJsonObject problemJson(const profile::Problem& problem) {
    const bool isError = problem.severity == profile::Problem::Severity::Error;
    return {{QStringLiteral("severity"), isError ? QStringLiteral("error") : QStringLiteral("warning")},
            {QStringLiteral("line"), static_cast<qint64>(problem.place.line)},
            {QStringLiteral("column"), static_cast<qint64>(problem.place.column)},
            {QStringLiteral("element"), text(problem.element)},
            {QStringLiteral("id"), text(problem.elementId)},
            {QStringLiteral("message"), text(problem.message)}};
}

} // namespace

ExitCode validateFiles(const ValidateArguments& arguments, Console& console) {
    ExitCode code = ExitCode::Ok;
    QJsonArray files;
    for (const std::string& path : arguments.files) {
        std::vector<profile::Problem> problems;
        const auto document = profile::load(path, &problems);
        const bool isUnread = !document && problems.empty();
        if (isUnread) {
            problems.push_back({});
            problems.front().message = document.error().detail;
            console.error(document.error());
        }
        if (!document) {
            code = ExitCode::Problems;
        }
        QJsonArray list;
        for (const profile::Problem& problem : problems) {
            if (arguments.asJson) {
                list.append(problemJson(problem));
            } else if (!isUnread) {
                console.print(printable(profile::format(path, problem)) + "\n");
            }
        }
        if (arguments.asJson) {
            files.append(
                QJsonObject{{QStringLiteral("file"), text(path)},
                            {QStringLiteral("valid"), document.has_value()},
                            {QStringLiteral("profiles"), document ? static_cast<qint64>(document->profiles.size()) : 0},
                            {QStringLiteral("problems"), list}});
        } else if (document) {
            console.print(printable(path) + ": valid, " + counted(document->profiles.size(), "profile") + "\n");
        }
    }
    if (arguments.asJson) {
        console.print(QJsonDocument(files).toJson().toStdString());
    }
    return code;
}

} // namespace tracedeck::cli

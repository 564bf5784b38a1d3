// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/arguments.h"

#include <QCommandLineParser>
#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <string_view>

namespace tracedeck::app {
namespace {

class Texts {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::app)
};

/// -h, --help, --help-all and -v, --version.
void addOptions(QCommandLineParser& parser) {
    parser.setApplicationDescription(Texts::tr("Records what this computer is doing into one .etl file."));
    parser.addHelpOption();
    parser.addVersionOption();
}

Answer refused(const QString& why) {
    return {Texts::tr("tracedeck: %1\nSee tracedeck --help.\n").arg(why), kWrongArguments};
}

} // namespace

bool asksForAnswer(int argc, const char* const* argv) {
    constexpr std::array<std::string_view, 5> kAsking{"-h", "--help", "--help-all", "-v", "--version"};
    return std::any_of(argv + 1, argv + std::max(argc, 1), [&](const char* argument) {
        return std::find(kAsking.begin(), kAsking.end(), argument) != kAsking.end();
    });
}

std::optional<Answer> answerWithoutWindow(const QStringList& arguments) {
    QCommandLineParser parser;
    addOptions(parser);
    // Qt's own options are unknown here and are no reason to keep back an answer.
    static_cast<void>(parser.parse(arguments));
    if (parser.isSet(QStringLiteral("version"))) {
        return Answer{
            QStringLiteral("%1 %2\n").arg(QCoreApplication::applicationName(), QCoreApplication::applicationVersion())};
    }
    if (parser.isSet(QStringLiteral("help")) || parser.isSet(QStringLiteral("help-all"))) {
        return Answer{parser.helpText()};
    }
    return std::nullopt;
}

std::optional<Answer> refusalOf(const QStringList& arguments) {
    QCommandLineParser parser;
    addOptions(parser);
    if (!parser.parse(arguments)) {
        return refused(parser.errorText());
    }
    if (const QStringList words = parser.positionalArguments(); !words.isEmpty()) {
        return refused(Texts::tr("“%1” is no option, and there is nothing else to give.").arg(words.front()));
    }
    return std::nullopt;
}

} // namespace tracedeck::app

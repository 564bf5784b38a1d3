// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health_words.h"

#include "ui/format.h"
#include "ui/plan_words.h"

#include <QLocale>

#include <algorithm>

namespace tracedeck::ui {
namespace {

QString percent(std::uint64_t part, std::uint64_t whole) {
    const double share = whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return QLocale().toString(share, 'f', 0);
}

} // namespace

QString HealthWords::issue(const etl::HealthIssue& issue) {
    using Code = etl::HealthIssue::Code;
    const QString object = QString::fromUtf8(issue.object.data(), static_cast<qsizetype>(issue.object.size()));
    switch (issue.code) {
    case Code::KeywordSilent:
        return tr("No events came of what the system calls %1.").arg(Words::keyword(issue.object));
    case Code::NoStacks:
        return tr("Call stacks were asked for, and there are none.");
    case Code::FewStacks:
        return tr("Less than half of the events that should have a call stack have one.");
    case Code::NoImages:
        return tr("The call stacks cannot be read: nothing says which programs they belong to.");
    case Code::NoImageIdentity:
        return tr("Names of functions can be found on this machine only.");
    case Code::ProcessorWithoutSamples:
        //: %1: numbers of processors
        return tr("Processors without samples, being off or left out: %1.").arg(object);
    case Code::OldestOverwritten:
        return tr("The disk was short: older events made room for newer ones.");
    case Code::Damaged:
    case Code::OutOfOrder:
    case Code::ProcessorOutOfRange:
    case Code::Truncated:
    case Code::NotClosed:
    case Code::PartsMissing:
    case Code::CountMismatch:
    case Code::NoEvents:
    case Code::EventsLost:
    case Code::SessionLostEvents:
    case Code::StoppedEarly:
    case Code::ProviderSilent:
    case Code::StacksWithoutEvent:
    case Code::Limited:
    case Code::NotByUs:
        break;
    }
    return {};
}

QString HealthWords::stacks(const etl::HealthReport& report) {
    const bool hasSamples = report.samplesWithStack != 0;
    const bool hasSwitches = report.switchesWithStack != 0;
    const QString samples = percent(report.samplesWithStack, report.samples);
    const QString switches = percent(report.switchesWithStack, report.switches);
    if (hasSamples && hasSwitches) {
        return tr("%1 % of the samples and %2 % of the context switches have one").arg(samples, switches);
    }
    if (hasSamples) {
        return tr("%1 % of the samples have one").arg(samples);
    }
    return hasSwitches ? tr("%1 % of the context switches have one").arg(switches) : QString();
}

QString HealthWords::silent(const etl::HealthReport& report) {
    constexpr int kMostNames = 5;
    if (report.providersSilent == 0) {
        return {};
    }
    QStringList names;
    for (const etl::HealthIssue& issue : report.issues) {
        if (issue.code == etl::HealthIssue::Code::ProviderSilent && names.size() < kMostNames) {
            names << QString::fromUtf8(issue.object.data(), static_cast<qsizetype>(issue.object.size()));
        }
    }
    const int more =
        static_cast<int>(std::min<std::size_t>(report.providersSilent, 1'000'000)) - static_cast<int>(names.size());
    const QString listed = names.join(QStringLiteral(", "));
    //: %1 of %2 sources of events; %3: their names
    return tr("%1 of %2 event sources: %3")
        .arg(Format::count(report.providersSilent), Format::count(report.providersEnabled),
             more > 0 ? Words::andMore(listed, more) : listed);
}

} // namespace tracedeck::ui

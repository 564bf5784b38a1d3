// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/file_report.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace tracedeck::cli {
namespace {

QString text(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

/// Counts stay exact: JSON numbers of Qt hold 64 signed bits.
QJsonValue number(std::uint64_t value) {
    return static_cast<qint64>(value);
}

std::string_view severityName(etl::Finding::Severity severity) {
    switch (severity) {
    case etl::Finding::Severity::Note:
        return "note";
    case etl::Finding::Severity::Warning:
        return "warning";
    case etl::Finding::Severity::Error:
        return "error";
    }
    return "error";
}

std::string_view codeName(etl::Finding::Code code) {
    using Code = etl::Finding::Code;
    switch (code) {
    case Code::NotClosed:
        return "NotClosed";
    case Code::Truncated:
        return "Truncated";
    case Code::DamagedBuffer:
        return "DamagedBuffer";
    case Code::TimeDisorder:
        return "TimeDisorder";
    case Code::SequenceGap:
        return "SequenceGap";
    case Code::CountMismatch:
        return "CountMismatch";
    case Code::StackWithoutEvent:
        return "StackWithoutEvent";
    case Code::EventsLost:
        return "EventsLost";
    case Code::NoEvents:
        return "NoEvents";
    case Code::ProcessorOutOfRange:
        return "ProcessorOutOfRange";
    }
    return "DamagedBuffer";
}

QJsonObject headerJson(const etl::HeaderSummary& header) {
    QJsonObject json;
    json[u"buffer_size"] = number(header.bufferSize);
    json[u"processors"] = number(header.numberOfProcessors);
    json[u"provider_version"] = number(header.providerVersion);
    json[u"mode"] = number(header.logFileMode);
    json[u"buffers_written"] = number(header.buffersWritten);
    json[u"pointer_size"] = number(header.pointerSize);
    json[u"events_lost"] = number(header.eventsLost);
    json[u"buffers_lost"] = number(header.buffersLost);
    json[u"clock_type"] = number(header.clockType);
    json[u"clock_frequency"] = static_cast<qint64>(header.perfFreq);
    json[u"boot_time"] = static_cast<qint64>(header.bootTime);
    json[u"start_time"] = static_cast<qint64>(header.startTime);
    json[u"end_time"] = static_cast<qint64>(header.endTime);
    json[u"start_ticks"] = static_cast<qint64>(header.startTicks);
    json[u"logger_name"] = text(header.loggerName);
    json[u"log_file_name"] = text(header.logFileName);
    return json;
}

QJsonArray processorsJson(const etl::Summary& summary) {
    QJsonArray processors;
    for (const etl::ProcessorSummary& one : summary.processors) {
        processors.append(QJsonObject{{QStringLiteral("buffers"), number(one.buffers)},
                                      {QStringLiteral("events"), number(one.events)},
                                      {QStringLiteral("samples"), number(one.samples)},
                                      {QStringLiteral("first"), static_cast<qint64>(one.first)},
                                      {QStringLiteral("last"), static_cast<qint64>(one.last)}});
    }
    return processors;
}

QJsonObject summaryObject(const std::string& path, const etl::Summary& summary) {
    QJsonObject names;
    for (const etl::EventCount& count : summary.names) {
        names[text(count.name)] = number(count.events);
    }
    QJsonArray samples;
    for (const std::uint64_t count : summary.samplesPerProcessor) {
        samples.append(number(count));
    }
    QJsonObject recorder;
    for (const auto& [field, value] : summary.recorder) {
        recorder[text(field)] = text(value);
    }
    return QJsonObject{{QStringLiteral("file"), text(path)},
                       {QStringLiteral("bytes"), number(summary.fileBytes)},
                       {QStringLiteral("header"), headerJson(summary.header)},
                       {QStringLiteral("buffers"), number(summary.buffers)},
                       {QStringLiteral("events"), number(summary.events)},
                       {QStringLiteral("lost"), number(summary.header.eventsLost)},
                       {QStringLiteral("buffers_lost"), number(summary.header.buffersLost)},
                       {QStringLiteral("span_s"), summary.spanSeconds},
                       {QStringLiteral("first"), static_cast<qint64>(summary.first)},
                       {QStringLiteral("last"), static_cast<qint64>(summary.last)},
                       {QStringLiteral("stacks"), number(summary.stacks)},
                       {QStringLiteral("stacks_without_event"), number(summary.stacksWithoutEvent)},
                       {QStringLiteral("marks"), number(summary.marks)},
                       {QStringLiteral("samples_per_processor"), samples},
                       {QStringLiteral("processors"), processorsJson(summary)},
                       {QStringLiteral("names"), names},
                       {QStringLiteral("recorder"), recorder}};
}

QJsonObject healthJson(const etl::HealthReport& report) {
    QJsonArray issues;
    for (const etl::HealthIssue& issue : report.issues) {
        issues.append(QJsonObject{{QStringLiteral("severity"), text(toString(issue.severity))},
                                  {QStringLiteral("code"), text(toString(issue.code))},
                                  {QStringLiteral("count"), number(issue.count)},
                                  {QStringLiteral("of"), number(issue.of)},
                                  {QStringLiteral("events"), number(issue.events)},
                                  {QStringLiteral("bytes"), number(issue.bytes)},
                                  {QStringLiteral("time"), static_cast<qint64>(issue.time)},
                                  {QStringLiteral("object"), text(issue.object)},
                                  {QStringLiteral("cause"), text(issue.cause)},
                                  {QStringLiteral("detail"), text(issue.detail)}});
    }
    return QJsonObject{{QStringLiteral("samples"), number(report.samples)},
                       {QStringLiteral("samples_with_stack"), number(report.samplesWithStack)},
                       {QStringLiteral("switches"), number(report.switches)},
                       {QStringLiteral("switches_with_stack"), number(report.switchesWithStack)},
                       {QStringLiteral("images"), number(report.images)},
                       {QStringLiteral("image_identities"), number(report.imageIdentities)},
                       {QStringLiteral("has_plan"), report.hasPlan},
                       {QStringLiteral("providers_enabled"), number(report.providersEnabled)},
                       {QStringLiteral("providers_silent"), number(report.providersSilent)},
                       {QStringLiteral("keywords_enabled"), number(report.keywordsEnabled)},
                       {QStringLiteral("keywords_silent"), number(report.keywordsSilent)},
                       {QStringLiteral("issues"), issues}};
}

} // namespace

std::string checkJson(const std::string& path, const etl::Summary& summary) {
    QJsonObject json = summaryObject(path, summary);
    QJsonArray findings;
    for (const etl::Finding& finding : summary.findings) {
        findings.append(QJsonObject{{QStringLiteral("severity"), text(severityName(finding.severity))},
                                    {QStringLiteral("code"), text(codeName(finding.code))},
                                    {QStringLiteral("offset"), number(finding.offset)},
                                    {QStringLiteral("count"), number(finding.count)},
                                    {QStringLiteral("bytes"), number(finding.bytes)},
                                    {QStringLiteral("events_estimated"), number(finding.eventsEstimated)},
                                    {QStringLiteral("detail"), text(finding.detail)}});
    }
    QJsonArray ranges;
    for (const etl::DamagedRange& range : summary.damagedRanges) {
        ranges.append(QJsonObject{{QStringLiteral("offset"), number(range.offset)},
                                  {QStringLiteral("bytes"), number(range.bytes)},
                                  {QStringLiteral("reason"), text(range.reason)}});
    }
    const etl::HealthReport report = etl::judgeHealth(summary);
    json[u"verdict"] = text(toString(report.verdict()));
    json[u"findings"] = findings;
    json[u"damaged_ranges"] = ranges;
    json[u"health"] = healthJson(report);
    return QJsonDocument(json).toJson(QJsonDocument::Indented).toStdString();
}

std::string summaryJson(const std::string& path, const etl::Summary& summary) {
    return QJsonDocument(summaryObject(path, summary)).toJson(QJsonDocument::Indented).toStdString();
}

std::string errorJson(const std::string& path, const Error& error) {
    const QJsonObject json{{QStringLiteral("file"), text(path)},
                           {QStringLiteral("error"), QJsonObject{{QStringLiteral("code"), text(toString(error.code))},
                                                                 {QStringLiteral("detail"), text(error.detail)}}}};
    return QJsonDocument(json).toJson().toStdString();
}

} // namespace tracedeck::cli

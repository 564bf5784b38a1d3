// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/health_card.h"

#include "ui/accessibility.h"
#include "ui/format.h"
#include "ui/health_words.h"
#include "ui/palette_icon.h"

#include <QClipboard>
#include <QDir>
#include <QFormLayout>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

HealthCard::HealthCard(const MessageCatalog& messages, QWidget* parent)
    : QFrame(parent), m_messages(messages), m_icon(new QLabel(this)), m_verdict(new QLabel(this)),
      m_file(new QLabel(this)), m_problems(new QLabel(this)), m_facts(new QFormLayout),
      m_openFolder(new QPushButton(paletteIcon(QStringLiteral("folder")), tr("Open Fo&lder"), this)),
      m_copyPath(new QPushButton(paletteIcon(QStringLiteral("copy")), tr("Cop&y Path"), this)) {
    QFont large = font();
    large.setBold(true);
    large.setPointSizeF(large.pointSizeF() * 1.15);
    m_verdict->setFont(large);
    for (QLabel* label : {m_verdict, m_file, m_problems}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_facts->setVerticalSpacing(3);
    m_facts->setHorizontalSpacing(16);

    auto* head = new QHBoxLayout;
    head->addWidget(m_icon);
    head->addWidget(m_verdict, 1);
    head->addWidget(m_openFolder);
    head->addWidget(m_copyPath);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addLayout(head);
    column->addWidget(m_file);
    column->addWidget(m_problems);
    column->addLayout(m_facts);
    column->addStretch(1);
    connect(m_copyPath, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(QDir::toNativeSeparators(m_path)); });
}

void HealthCard::showOutcome(const recorder::Outcome& outcome, const std::vector<etw::Limitation>& told) {
    using Verdict = etl::HealthReport::Verdict;
    m_path = fromUtf8(outcome.path);
    const etl::HealthReport report = etl::judgeHealth(outcome.summary);
    const Verdict verdict = report.verdict();
    QString icon;
    QString text;
    if (verdict == Verdict::GoodToSend && !outcome.recording.writeError) {
        icon = QStringLiteral("good");
        text = tr("Saved and checked: good to send.");
    } else if (verdict == Verdict::Damaged) {
        icon = QStringLiteral("error");
        text = tr("Saved, but the file is damaged.");
    } else {
        icon = QStringLiteral("warning");
        text = tr("Saved and readable, but not complete.");
    }
    m_icon->setPixmap(paletteIcon(icon).pixmap(28, 28));
    m_file->setText(QDir::toNativeSeparators(m_path));
    const QStringList problems = problemsOf(outcome, report);
    m_problems->setText(problems.join(u'\n'));
    m_problems->setVisible(!problems.isEmpty());
    showFacts(outcome, report, told);
    announce(m_verdict, text);
}

QStringList HealthCard::problemsOf(const recorder::Outcome& outcome, const etl::HealthReport& report) const {
    QStringList problems;
    if (outcome.recording.reason == recorder::StopReason::RecorderEnded) {
        problems << tr("The program that recorded was ended: the newest part may be missing.");
    }
    if (outcome.recording.writeError) {
        const UserMessage message = m_messages.forError(*outcome.recording.writeError);
        problems << tr("%1 %2").arg(message.what, message.action);
    }
    for (const etl::Finding& finding : outcome.summary.findings) {
        if (finding.severity != etl::Finding::Severity::Note) {
            problems << Words::finding(finding);
        }
    }
    for (const etl::HealthIssue& issue : report.issues) {
        const QString text = HealthWords::issue(issue);
        if (issue.severity != etl::HealthIssue::Severity::Note && !text.isEmpty()) {
            problems << text;
        }
    }
    for (const recorder::SessionStatus& session : outcome.recording.last.sessions) {
        for (const etw::LossCount& loss : session.stats.losses) {
            const UserMessage message = m_messages.forLoss(loss.cause);
            problems << tr("%1: %Ln event(s) lost. %2 %3", nullptr,
                           static_cast<int>(std::min<std::uint64_t>(loss.events, 1'000'000'000)))
                            .arg(Words::sessionName(session.kind), message.what, message.action);
        }
    }
    problems.removeDuplicates();
    return problems;
}

QString HealthCard::missingText(const std::vector<etw::Limitation>& limitations) const {
    QStringList lines;
    for (const LimitationText& text : limitationTexts(limitations, m_messages)) {
        const UserMessage& message = text.message;
        lines << (message.evidence.isEmpty() ? message.what : tr("%1 (%2)").arg(message.what, message.evidence));
    }
    return lines.join(u'\n');
}

void HealthCard::showFacts(const recorder::Outcome& outcome, const etl::HealthReport& report,
                           const std::vector<etw::Limitation>& told) {
    while (m_facts->rowCount() > 0) {
        m_facts->removeRow(0);
    }
    const auto add = [this](const QString& name, const QString& value) {
        auto* label = new QLabel(value, this);
        label->setWordWrap(true);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_facts->addRow(name, label);
    };
    const etl::Summary& summary = outcome.summary;
    add(tr("Length:"),
        tr("%1, file size %2").arg(Format::span(summary.spanSeconds), Format::bytes(Bytes{summary.fileBytes})));
    add(tr("Events:"),
        tr("%1 recorded, %2 lost").arg(Format::count(summary.events), Format::count(outcome.merge.eventsLost)));
    QStringList samples;
    for (const std::uint64_t count : summary.samplesPerProcessor) {
        samples << Format::count(count);
    }
    if (!samples.isEmpty()) {
        add(tr("Samples:"), tr("%1 on the processors in their order").arg(samples.join(QStringLiteral(" · "))));
    }
    QString stacks =
        tr("%Ln call stack(s)", nullptr, static_cast<int>(std::min<std::uint64_t>(summary.stacks, 1'000'000'000)));
    if (outcome.merge.stacksDropped > 0) {
        stacks = tr("%1; %2 more belonged to events that gave way to newer ones")
                     .arg(stacks, Format::count(outcome.merge.stacksDropped));
    }
    if (const QString coverage = HealthWords::stacks(report); !coverage.isEmpty()) {
        stacks = tr("%1; %2").arg(stacks, coverage);
    }
    add(tr("Stacks:"), stacks);
    if (report.marks > 0) {
        add(tr("Marks:"), Format::count(report.marks));
    }
    if (const QString silent = HealthWords::silent(report); !silent.isEmpty()) {
        add(tr("Silent:"), silent);
    }
    QStringList notes;
    for (const etl::HealthIssue& issue : report.issues) {
        const QString text = HealthWords::issue(issue);
        if (issue.severity == etl::HealthIssue::Severity::Note && !text.isEmpty()) {
            notes << text;
        }
    }
    if (!notes.isEmpty()) {
        add(tr("Good to know:"), notes.join(u'\n'));
    }
    if (const QString missing = missingText(untold(outcome.recording.limitations, told)); !missing.isEmpty()) {
        add(tr("Missing:"), missing);
    }
    QStringList kinds;
    for (const etl::EventCount& kind : summary.names) {
        if (kinds.size() == 5) {
            break;
        }
        kinds << tr("%1 × %2").arg(Format::count(kind.events), fromUtf8(kind.name));
    }
    if (!kinds.isEmpty()) {
        add(tr("Most frequent:"), kinds.join(QStringLiteral(" · ")));
    }
}

QList<QWidget*> HealthCard::tabOrder() const {
    return {m_openFolder, m_copyPath};
}

QString HealthCard::plainText() const {
    QStringList lines{m_verdict->text(), m_file->text()};
    if (!m_problems->text().isEmpty()) {
        lines << m_problems->text();
    }
    for (int row = 0; row < m_facts->rowCount(); ++row) {
        const auto* name = qobject_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::LabelRole)->widget());
        const auto* value = qobject_cast<QLabel*>(m_facts->itemAt(row, QFormLayout::FieldRole)->widget());
        if (name != nullptr && value != nullptr) {
            lines << name->text() + u' ' + value->text();
        }
    }
    return lines.join(u'\n');
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/details_dialog.h"

#include "ui/format.h"
#include "ui/palette_icon.h"
#include "ui/plan_words.h"

#include <QClipboard>
#include <QDialogButtonBox>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace tracedeck::ui {
namespace {

QTreeWidgetItem* addTo(QTreeWidgetItem* parent, const QString& name, const QString& value = {}) {
    auto* item = new QTreeWidgetItem(parent, {name, value});
    item->setToolTip(1, value);
    return item;
}

QString joined(const std::vector<std::string>& words) {
    QStringList list;
    for (const std::string& word : words) {
        list << fromUtf8(word);
    }
    return list.join(QStringLiteral(", "));
}

QString hex(std::uint64_t value) {
    return QStringLiteral("0x%1").arg(value, 0, 16);
}

void addProvider(QTreeWidgetItem* parent, const etw::ProviderConfig& provider) {
    const QString name = provider.name.empty() ? fromUtf8(toString(provider.provider)) : fromUtf8(provider.name);
    QString value = QStringLiteral("level %1, any %2, all %3")
                        .arg(provider.level)
                        .arg(hex(provider.matchAnyKeyword), hex(provider.matchAllKeyword));
    if (provider.captureStack) {
        value += QStringLiteral(", stack");
    }
    addTo(parent, name, value);
}

} // namespace

DetailsDialog::DetailsDialog(plan::RecordingPlan plan, QWidget* parent)
    : QDialog(parent), m_plan(std::move(plan)), m_tree(new QTreeWidget(this)) {
    setWindowTitle(tr("What This Records"));
    m_tree->setAccessibleName(tr("Sessions of the recording"));
    m_tree->setHeaderLabels({tr("Setting"), tr("Value")});
    m_tree->setAlternatingRowColors(true);
    m_tree->setWordWrap(true);
    fill();
    m_tree->expandAll();
    m_tree->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    auto* copy = buttons->addButton(tr("&Copy as JSON"), QDialogButtonBox::ActionRole);
    copy->setIcon(paletteIcon(QStringLiteral("copy")));
    connect(copy, &QPushButton::clicked, this,
            [this] { QGuiApplication::clipboard()->setText(fromUtf8(plan::toJson(m_plan))); });
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_tree, 1);
    column->addWidget(buttons);
    resize(760, 520);
}

void DetailsDialog::fill() {
    QTreeWidgetItem* root = m_tree->invisibleRootItem();
    addTo(root, tr("Profiles"), joined(m_plan.profiles));
    for (const plan::PlannedSession& session : m_plan.sessions) {
        const etw::SessionConfig& config = session.config;
        QTreeWidgetItem* item = addTo(root, fromUtf8(config.name), Words::sessionName(session.kind));
        addTo(item, tr("Logging mode"), hex(config.logFileMode));
        addTo(item, tr("Buffers"),
              tr("%1 KB × %2 to %3")
                  .arg(Format::count(config.bufferSizeKib), Format::count(config.minimumBuffers),
                       Format::count(config.maximumBuffers)));
        if (config.maximumFileSizeMib > 0) {
            addTo(item, tr("Largest file"), Format::bytes(mib(config.maximumFileSizeMib)));
        }
        if (session.kind == plan::PlannedSession::Kind::System) {
            addTo(item, tr("Keywords"), joined(session.keywords));
            addTo(item, tr("Stacks"), joined(session.stacks));
            addTo(item, tr("Sampling interval"),
                  tr("%1 ms").arg(static_cast<double>(config.profileInterval.count()) / 1e6));
        }
        if (!session.providers.empty()) {
            QTreeWidgetItem* providers = addTo(item, tr("Providers"));
            for (const etw::ProviderConfig& provider : session.providers) {
                addProvider(providers, provider);
            }
        }
    }
    if (!m_plan.diagnostics.empty()) {
        QTreeWidgetItem* left = addTo(root, tr("Left out or changed"));
        for (const plan::Diagnostic& diagnostic : m_plan.diagnostics) {
            QStringList why{Words::severity(diagnostic.severity), fromUtf8(diagnostic.profile),
                            fromUtf8(diagnostic.detail)};
            if (diagnostic.limitation) {
                const std::string_view code = toString(diagnostic.limitation->code);
                why << QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size()));
            }
            why.removeAll(QString());
            addTo(left, fromUtf8(diagnostic.object), why.join(QStringLiteral(" · ")));
        }
    }
}

} // namespace tracedeck::ui

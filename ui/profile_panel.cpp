// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_panel.h"

#include "ui/palette_icon.h"
#include "ui/profile_model.h"

#include <QAction>
#include <QHeaderView>
#include <QLineEdit>
#include <QSortFilterProxyModel>
#include <QTreeView>
#include <QVBoxLayout>

namespace tracedeck::ui {

ProfilePanel::ProfilePanel(ProfileModel* model, QWidget* parent)
    : QWidget(parent), m_filter(new QLineEdit(this)), m_view(new QTreeView(this)),
      m_proxy(new QSortFilterProxyModel(this)) {
    m_filter->setPlaceholderText(tr("Filter profiles"));
    m_filter->setAccessibleName(tr("Filter profiles"));
    m_filter->setClearButtonEnabled(true);
    m_filter->addAction(paletteIcon(QStringLiteral("search")), QLineEdit::LeadingPosition);

    m_proxy->setSourceModel(model);
    m_proxy->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_proxy->setFilterKeyColumn(-1);
    m_proxy->setRecursiveFilteringEnabled(true);
    m_proxy->setAutoAcceptChildRows(true);

    m_view->setModel(m_proxy);
    m_view->setAccessibleName(tr("Profiles"));
    m_view->setUniformRowHeights(true);
    m_view->setAllColumnsShowFocus(true);
    m_view->setItemsExpandable(false);
    m_view->setRootIsDecorated(false);
    m_view->header()->setStretchLastSection(false);
    // What people read gets the room; a long name for the command line is cut, and whole in the tool tip.
    m_view->header()->setSectionResizeMode(ProfileModel::DescriptionColumn, QHeaderView::Stretch);
    m_view->header()->setSectionResizeMode(ProfileModel::NameColumn, QHeaderView::Interactive);
    m_view->header()->resizeSection(ProfileModel::NameColumn,
                                    fontMetrics().horizontalAdvance(QStringLiteral("GeneralProfile")) + 10);

    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_filter);
    column->addWidget(m_view, 1);

    connect(m_filter, &QLineEdit::textChanged, m_proxy, &QSortFilterProxyModel::setFilterFixedString);
    connect(m_filter, &QLineEdit::textChanged, this, &ProfilePanel::showAll);
    connect(m_proxy, &QAbstractItemModel::modelReset, this, &ProfilePanel::showAll);
    showAll();
}

void ProfilePanel::showAll() {
    m_view->expandAll();
    for (int row = 0; row < m_proxy->rowCount(); ++row) {
        m_view->setFirstColumnSpanned(row, {}, true);
    }
}

void ProfilePanel::focusFilter() {
    m_filter->setFocus(Qt::ShortcutFocusReason);
    m_filter->selectAll();
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLineEdit;
class QSortFilterProxyModel;
class QTreeView;

namespace tracedeck::ui {

class ProfileModel;

/// The checklist of profiles with its filter.
class ProfilePanel final : public QWidget {
    Q_OBJECT
public:
    explicit ProfilePanel(ProfileModel* model, QWidget* parent = nullptr);

    /// The keyboard goes to the filter.
    void focusFilter();
    [[nodiscard]] QTreeView* view() const noexcept { return m_view; }
    [[nodiscard]] QLineEdit* filter() const noexcept { return m_filter; }

private:
    void showAll();

    QLineEdit* m_filter;
    QTreeView* m_view;
    QSortFilterProxyModel* m_proxy;
};

} // namespace tracedeck::ui

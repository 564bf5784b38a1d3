// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profile_list.h"

#include <QAbstractItemModel>

namespace tracedeck::ui {

/// The profiles as a checklist: problem categories, below each its profiles. A profile of two categories stands in both
/// and is checked in both.
class ProfileModel final : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { DescriptionColumn, NameColumn, ColumnCount };
    /// The profile's name, of a profile's row.
    static constexpr int kNameRole = Qt::UserRole;

    explicit ProfileModel(QObject* parent = nullptr);

    void setProfiles(std::vector<ProfileEntry> profiles);
    [[nodiscard]] const std::vector<ProfileEntry>& profiles() const noexcept { return m_profiles; }
    [[nodiscard]] const ProfileEntry* find(const QString& name) const noexcept;
    [[nodiscard]] QStringList names() const;

    /// In the order of the list.
    [[nodiscard]] QStringList checkedNames() const;
    /// Names that are not in the list are passed over.
    void setCheckedNames(const QStringList& names);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& child) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

Q_SIGNALS:
    void checkedNamesChanged();

private:
    struct Category {
        QString name;
        std::vector<std::size_t> profiles; // into m_profiles
    };
    [[nodiscard]] const std::size_t* profileOf(const QModelIndex& index) const noexcept;
    void emitCheckChanged(std::size_t profile);

    std::vector<ProfileEntry> m_profiles;
    std::vector<bool> m_checked; // one per profile
    std::vector<Category> m_categories;
};

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_model.h"

#include "ui/format.h"

#include <QFont>

#include <algorithm>

namespace tracedeck::ui {
namespace {
// A category's index carries 0, a profile's the row of its category + 1.
constexpr quintptr kCategoryId = 0;

/// WPR's own categories come first, in WPR's order.
qsizetype rankOf(const QString& category) {
    static const QStringList known{QStringLiteral("First level triage"), QStringLiteral("Resource Analysis"),
                                   QStringLiteral("Scenario Analysis")};
    for (qsizetype i = 0; i < known.size(); ++i) {
        if (known[i].compare(category, Qt::CaseInsensitive) == 0) {
            return i;
        }
    }
    return known.size();
}
} // namespace

ProfileModel::ProfileModel(QObject* parent) : QAbstractItemModel(parent) {}

void ProfileModel::setProfiles(std::vector<ProfileEntry> profiles) {
    beginResetModel();
    m_profiles = std::move(profiles);
    m_checked.assign(m_profiles.size(), false);
    m_categories.clear();
    for (std::size_t i = 0; i < m_profiles.size(); ++i) {
        for (const QString& name : m_profiles[i].categories) {
            auto category = std::find_if(m_categories.begin(), m_categories.end(),
                                         [&](const Category& known) { return known.name == name; });
            if (category == m_categories.end()) {
                m_categories.push_back({name, {}});
                category = std::prev(m_categories.end());
            }
            category->profiles.push_back(i);
        }
    }
    // The order in which people look: first triage, then single resources, then the rest as it comes.
    std::stable_sort(m_categories.begin(), m_categories.end(),
                     [](const Category& a, const Category& b) { return rankOf(a.name) < rankOf(b.name); });
    endResetModel();
    Q_EMIT checkedNamesChanged();
}

const ProfileEntry* ProfileModel::find(const QString& name) const noexcept {
    const auto entry = std::find_if(m_profiles.begin(), m_profiles.end(), [&](const ProfileEntry& known) {
        return known.name.compare(name, Qt::CaseInsensitive) == 0;
    });
    return entry == m_profiles.end() ? nullptr : &*entry;
}

QStringList ProfileModel::names() const {
    QStringList names;
    for (const ProfileEntry& entry : m_profiles) {
        names << entry.name;
    }
    return names;
}

QStringList ProfileModel::checkedNames() const {
    QStringList names;
    for (std::size_t i = 0; i < m_profiles.size(); ++i) {
        if (m_checked[i]) {
            names << m_profiles[i].name;
        }
    }
    return names;
}

void ProfileModel::setCheckedNames(const QStringList& names) {
    bool isChanged = false;
    for (std::size_t i = 0; i < m_profiles.size(); ++i) {
        const bool isChecked = names.contains(m_profiles[i].name, Qt::CaseInsensitive);
        if (m_checked[i] != isChecked) {
            m_checked[i] = isChecked;
            emitCheckChanged(i);
            isChanged = true;
        }
    }
    if (isChanged) {
        Q_EMIT checkedNamesChanged();
    }
}

QModelIndex ProfileModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) {
        return {};
    }
    return createIndex(row, column, parent.isValid() ? static_cast<quintptr>(parent.row()) + 1 : kCategoryId);
}

QModelIndex ProfileModel::parent(const QModelIndex& child) const {
    if (!child.isValid() || child.internalId() == kCategoryId) {
        return {};
    }
    return createIndex(static_cast<int>(child.internalId() - 1), 0, kCategoryId);
}

int ProfileModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) {
        return static_cast<int>(m_categories.size());
    }
    if (parent.internalId() != kCategoryId || parent.column() != 0) {
        return 0;
    }
    return static_cast<int>(m_categories[static_cast<std::size_t>(parent.row())].profiles.size());
}

int ProfileModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

const std::size_t* ProfileModel::profileOf(const QModelIndex& index) const noexcept {
    if (!index.isValid() || index.internalId() == kCategoryId) {
        return nullptr;
    }
    return &m_categories[index.internalId() - 1].profiles[static_cast<std::size_t>(index.row())];
}

QVariant ProfileModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) {
        return {};
    }
    const std::size_t* profile = profileOf(index);
    if (profile == nullptr) {
        if (index.column() != DescriptionColumn) {
            return {};
        }
        if (role == Qt::DisplayRole) {
            return m_categories[static_cast<std::size_t>(index.row())].name;
        }
        if (role == Qt::FontRole) {
            QFont font;
            font.setBold(true);
            return font;
        }
        return {};
    }
    const ProfileEntry& entry = m_profiles[*profile];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == DescriptionColumn ? entry.description : entry.name;
    case Qt::CheckStateRole:
        if (index.column() == DescriptionColumn) {
            return m_checked[*profile] ? Qt::Checked : Qt::Unchecked;
        }
        return {};
    case Qt::ToolTipRole:
        return tr("%1. On the command line: %2").arg(entry.description, entry.name);
    case kNameRole:
        return entry.name;
    default:
        return {};
    }
}

bool ProfileModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const std::size_t* profile = profileOf(index);
    if (profile == nullptr || role != Qt::CheckStateRole || index.column() != DescriptionColumn) {
        return false;
    }
    const bool isChecked = value.toInt() == Qt::Checked;
    if (m_checked[*profile] != isChecked) {
        m_checked[*profile] = isChecked;
        emitCheckChanged(*profile);
        Q_EMIT checkedNamesChanged();
    }
    return true;
}

Qt::ItemFlags ProfileModel::flags(const QModelIndex& index) const {
    if (!index.isValid()) {
        return Qt::NoItemFlags;
    }
    if (profileOf(index) == nullptr) {
        return Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    }
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
    if (index.column() == DescriptionColumn) {
        flags |= Qt::ItemIsUserCheckable;
    }
    return flags;
}

QVariant ProfileModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) {
        return {};
    }
    return section == DescriptionColumn ? tr("Profile") : tr("Name");
}

void ProfileModel::emitCheckChanged(std::size_t profile) {
    for (std::size_t category = 0; category < m_categories.size(); ++category) {
        const std::vector<std::size_t>& members = m_categories[category].profiles;
        const auto member = std::find(members.begin(), members.end(), profile);
        if (member != members.end()) {
            const QModelIndex changed =
                createIndex(static_cast<int>(member - members.begin()), DescriptionColumn, category + 1);
            Q_EMIT dataChanged(changed, changed, {Qt::CheckStateRole});
        }
    }
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_model.h"

#include "tests/support/catch.h"
#include "tests/ui/stage.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

namespace tracedeck {
namespace {

std::vector<ui::ProfileEntry> threeProfiles() {
    const QString triage = QStringLiteral("First level triage");
    const QString resources = QStringLiteral("Resource Analysis");
    return {{QStringLiteral("Disk"), QStringLiteral("Disk use"), {resources}, nullptr},
            {QStringLiteral("Own"), QStringLiteral("My own"), {QStringLiteral("Custom measurements")}, nullptr},
            {QStringLiteral("General"), QStringLiteral("A look"), {triage, resources}, nullptr}};
}

QModelIndex find(const ui::ProfileModel& model, int category, const QString& name) {
    const QModelIndex parent = model.index(category, 0);
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (model.index(row, 0, parent).data(ui::ProfileModel::kNameRole) == name) {
            return model.index(row, 0, parent);
        }
    }
    return {};
}

} // namespace

TEST_CASE("The checklist keeps the rules of models through every change", "[ui][profiles]") {
    test::needApplication();
    ui::ProfileModel model;
    const QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    CHECK(model.rowCount() == 0);
    model.setProfiles(threeProfiles());
    REQUIRE(model.rowCount() == 3);
    model.setCheckedNames({QStringLiteral("general"), QStringLiteral("unknown")});
    CHECK(model.checkedNames() == QStringList{QStringLiteral("General")});
    model.setProfiles({});
    CHECK(model.rowCount() == 0);
    CHECK(model.checkedNames().isEmpty());
}

TEST_CASE("Categories come in the order in which people look", "[ui][profiles]") {
    test::needApplication();
    ui::ProfileModel model;
    model.setProfiles(threeProfiles());
    CHECK(model.index(0, 0).data() == QStringLiteral("First level triage"));
    CHECK(model.index(1, 0).data() == QStringLiteral("Resource Analysis"));
    CHECK(model.index(2, 0).data() == QStringLiteral("Custom measurements"));
    CHECK(model.names() == QStringList{QStringLiteral("Disk"), QStringLiteral("Own"), QStringLiteral("General")});
}

TEST_CASE("A profile of two categories is checked in both", "[ui][profiles]") {
    test::needApplication();
    ui::ProfileModel model;
    model.setProfiles(threeProfiles());
    const QModelIndex inTriage = find(model, 0, QStringLiteral("General"));
    const QModelIndex inResources = find(model, 1, QStringLiteral("General"));
    REQUIRE(inTriage.isValid());
    REQUIRE(inResources.isValid());
    QSignalSpy changed(&model, &QAbstractItemModel::dataChanged);
    QSignalSpy names(&model, &ui::ProfileModel::checkedNamesChanged);
    REQUIRE(model.setData(inTriage, Qt::Checked, Qt::CheckStateRole));
    CHECK(changed.size() == 2);
    CHECK(names.size() == 1);
    CHECK(inResources.data(Qt::CheckStateRole) == Qt::Checked);
    // The same again changes nothing.
    REQUIRE(model.setData(inResources, Qt::Checked, Qt::CheckStateRole));
    CHECK(names.size() == 1);
}

TEST_CASE("Only profiles can be checked", "[ui][profiles]") {
    test::needApplication();
    ui::ProfileModel model;
    model.setProfiles(threeProfiles());
    const QModelIndex category = model.index(0, 0);
    CHECK_FALSE((category.flags() & Qt::ItemIsUserCheckable) != 0);
    CHECK_FALSE(category.data(Qt::CheckStateRole).isValid());
    CHECK_FALSE(model.setData(category, Qt::Checked, Qt::CheckStateRole));
    const QModelIndex name = find(model, 0, QStringLiteral("General")).siblingAtColumn(ui::ProfileModel::NameColumn);
    CHECK_FALSE(model.setData(name, Qt::Checked, Qt::CheckStateRole));
    CHECK(model.checkedNames().isEmpty());
}

} // namespace tracedeck

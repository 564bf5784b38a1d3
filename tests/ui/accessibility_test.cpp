// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/details_dialog.h"
#include "ui/recording_bar.h"
#include "ui/unfinished_bar.h"

#include <QAbstractButton>
#include <QAccessible>
#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QTest>

#include <map>

namespace tracedeck {
namespace {

QString describe(const QWidget* widget) {
    return QStringLiteral("%1 \"%2\" in %3")
        .arg(
            QLatin1String(widget->metaObject()->className()), widget->objectName(),
            QLatin1String(widget->parentWidget() != nullptr ? widget->parentWidget()->metaObject()->className() : "-"));
}

/// Every widget that the keyboard can reach, hidden panes included: a name as screen readers hear it.
QStringList withoutName(QWidget* root) {
    QStringList missing;
    for (QWidget* widget : root->findChildren<QWidget*>()) {
        const bool isPart = widget->objectName().startsWith(QStringLiteral("qt_")); // of a spin box, a scroll area, …
        if ((widget->focusPolicy() & Qt::TabFocus) == 0 || isPart || widget->focusProxy() != nullptr) {
            continue;
        }
        QAccessibleInterface* interface = QAccessible::queryAccessibleInterface(widget);
        if (interface == nullptr || interface->text(QAccessible::Name).trimmed().isEmpty()) {
            missing << describe(widget);
        }
    }
    return missing;
}

} // namespace

TEST_CASE("Every control that the keyboard reaches has a name", "[ui][accessibility]") {
    test::Stage stage;
    stage.openReadyWindow();
    CHECK(withoutName(stage.window.get()).join(u'\n').toStdString() == "");
    const ui::SaveDialog::Draft draft{stage.folderPath(), QStringLiteral("a.etl"), {}, false};
    ui::SaveDialog save(draft, stage.folders);
    CHECK(withoutName(&save).join(u'\n').toStdString() == "");
    ui::DetailsDialog details(**stage.window->setup().plan());
    CHECK(withoutName(&details).join(u'\n').toStdString() == "");
}

TEST_CASE("Tab goes through the window from top to bottom", "[ui][accessibility]") {
    test::Stage stage;
    stage.openReadyWindow();
    const bool offersRecording = GENERATE(false, true);
    CAPTURE(offersRecording);
    if (offersRecording) {
        stage.startRecording();
        stage.restart();
        stage.openReadyWindow();
        REQUIRE(test::waitFor([&] { return stage.window->unfinishedBar()->isVisible(); }));
    }
    stage.window->activateWindow();
    REQUIRE(test::waitForActive(*stage.window));
    // Rows of one height count as one line; in a line, and between the two panes, the order is the layout's.
    QWidget* first = nullptr;
    for (QWidget* widget = stage.window->nextInFocusChain(); widget != stage.window.get();
         widget = widget->nextInFocusChain()) {
        if (widget->isVisible() && widget->isEnabled() && (widget->focusPolicy() & Qt::TabFocus) != 0 &&
            qobject_cast<QMenuBar*>(widget) == nullptr) {
            first = widget;
            break;
        }
    }
    REQUIRE(first != nullptr);
    first->setFocus();
    std::vector<QWidget*> order{first};
    for (int i = 0; i < 60; ++i) {
        QTest::keyClick(stage.window.get(), Qt::Key_Tab);
        QWidget* now = QApplication::focusWidget();
        REQUIRE(now != nullptr);
        if (now == first) {
            break;
        }
        order.push_back(now);
    }
    CHECK(order.size() >= 10);
    const auto position = [&](const QWidget* widget) {
        return std::find(order.begin(), order.end(), widget) - order.begin();
    };
    const auto* record = stage.window->bar()->recordButton();
    REQUIRE(position(record) < static_cast<std::ptrdiff_t>(order.size()));
    // The bar is last; everything of the form comes before it, each pane from top to bottom.
    CHECK(position(record) >= static_cast<std::ptrdiff_t>(order.size()) - 2);
    for (std::size_t i = 1; i < order.size(); ++i) {
        const QPoint before = order[i - 1]->mapTo(stage.window.get(), QPoint(0, 0));
        const QPoint now = order[i]->mapTo(stage.window.get(), QPoint(0, 0));
        const bool goesDown = now.y() >= before.y() - 12; // controls of a row differ by a few pixels
        const bool isNextPane = now.x() > before.x();
        INFO(describe(order[i - 1]).toStdString() << " -> " << describe(order[i]).toStdString());
        CHECK((goesDown || isNextPane));
    }
}

TEST_CASE("The big button is described as what it does, in every state", "[ui][accessibility]") {
    test::Stage stage;
    stage.openReadyWindow();
    std::map<recorder::State, std::string> descriptions;
    QStringList wrong;
    const auto check = [&](recorder::State state) {
        QAccessibleInterface* button = QAccessible::queryAccessibleInterface(stage.window->bar()->recordButton());
        const QString name = button->text(QAccessible::Name).remove(u'&');
        const QString description = button->text(QAccessible::Description);
        descriptions[state] = description.toStdString();
        if (!description.startsWith(name)) {
            wrong << QStringLiteral("%1: %2").arg(name, description);
        }
    };
    check(recorder::State::Idle);
    QObject::connect(stage.recorder.get(), &recorder::Recorder::stateChanged, stage.window.get(), check);
    stage.startRecording();
    QTest::keyClick(stage.stopRecording(), Qt::Key_Return);
    REQUIRE(stage.waitForState(recorder::State::Idle));
    CHECK(wrong.join(u'\n').toStdString() == "");
    CHECK(descriptions.size() == 7);
    CHECK(descriptions[recorder::State::Idle] == "Record (F9)");
    CHECK(descriptions[recorder::State::Recording] == "Stop (F9)");
}

TEST_CASE("The state and the first loss can be read aloud", "[ui][accessibility]") {
    test::Stage stage;
    stage.openReadyWindow();
    // Offscreen no screen reader listens, so that no event is sent; what it would read are these names.
    const auto isReadable = [&](const QString& text) {
        const auto labels = stage.window->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [&](QLabel* label) {
            return label->isVisible() &&
                   QAccessible::queryAccessibleInterface(label)->text(QAccessible::Name).contains(text);
        });
    };
    stage.startRecording();
    CHECK(isReadable(QStringLiteral("Recording in memory")));
    stage.kernel.lose(etw::LossCause::SourceOverflow, 5);
    CHECK(test::waitFor([&] { return isReadable(QStringLiteral("Events are being lost")); }));
    CHECK(test::waitFor([&] { return isReadable(QStringLiteral("Serious: more than 1 % lost")); }));
    ui::SaveDialog* dialog = stage.stopRecording();
    CHECK(isReadable(QStringLiteral("Stopped, not saved yet")));
    dialog->reject();
}

} // namespace tracedeck

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/catch.h"
#include "tests/ui/stage.h"
#include "ui/details_dialog.h"
#include "ui/recording_bar.h"
#include "ui/unfinished_bar.h"

#include <QAbstractButton>
#include <QApplication>
#include <QLabel>
#include <QMenuBar>
#include <QTest>
#include <QTranslator>

#include <map>

namespace tracedeck {
namespace {

/// Every text 40 percent longer, as translations get.
class LongTexts final : public QTranslator {
public:
    [[nodiscard]] bool isEmpty() const override { return false; }
    [[nodiscard]] QString translate(const char* context, const char* text, const char*, int) const override {
        if (!QByteArray(context).startsWith("tracedeck")) {
            return {};
        }
        const QString source = QString::fromUtf8(text);
        return source + QStringLiteral("~").repeated((source.size() * 4 + 9) / 10);
    }
};

/// Installs the translation, or turns the layout around, for as long as it lives.
class Dressed {
public:
    explicit Dressed(Qt::LayoutDirection direction) {
        test::needApplication();
        QApplication::installTranslator(&m_texts);
        QApplication::setLayoutDirection(direction);
    }
    ~Dressed() {
        QApplication::removeTranslator(&m_texts);
        QApplication::setLayoutDirection(Qt::LeftToRight);
    }
    Dressed(const Dressed&) = delete;
    Dressed& operator=(const Dressed&) = delete;

private:
    LongTexts m_texts;
};

/// Buttons and one-line labels that are narrower than their text.
QStringList clipped(QWidget* root) {
    QStringList names;
    for (const QAbstractButton* button : root->findChildren<QAbstractButton*>()) {
        if (button->isVisible() && !button->text().isEmpty() && button->width() < button->minimumSizeHint().width()) {
            names << button->text();
        }
    }
    for (const QLabel* label : root->findChildren<QLabel*>()) {
        if (label->isVisible() && !label->wordWrap() && label->width() < label->minimumSizeHint().width()) {
            names << label->text();
        }
    }
    return names;
}

} // namespace

TEST_CASE("The window fits 1024 × 700 with long texts in both directions", "[ui][layout]") {
    const Dressed dressed(GENERATE(Qt::LeftToRight, Qt::RightToLeft));
    test::Stage stage;
    stage.openReadyWindow();
    stage.startRecording();
    stage.restart(); // leaves a recording that is to be offered
    stage.openReadyWindow();
    REQUIRE(test::waitFor([&] { return stage.window->unfinishedBar()->isVisible(); }));
    stage.window->resize(1024, 700);
    const auto check = [&](const char* when) {
        INFO(when);
        QCoreApplication::processEvents();
        CHECK(stage.window->minimumSizeHint().width() <= 1024);
        CHECK(stage.window->minimumSizeHint().height() <= 700);
        CHECK(clipped(stage.window.get()).join(u'\n').toStdString() == "");
        // To be looked at, where somebody wants to.
        if (const QString pictures = qEnvironmentVariable("TRACEDECK_PICTURES"); !pictures.isEmpty()) {
            const QString side = QApplication::isRightToLeft() ? QStringLiteral("rtl") : QStringLiteral("ltr");
            CHECK(
                stage.window->grab().save(QStringLiteral("%1/%2 %3.png").arg(pictures, side, QString::fromUtf8(when))));
        }
    };
    check("ready, with an offer");
    QTest::mouseClick(stage.window->unfinishedBar()->laterButton(), Qt::LeftButton);
    check("ready");
    stage.startRecording();
    stage.kernel.lose(etw::LossCause::SourceOverflow, 5);
    REQUIRE(test::waitFor([&] {
        const auto labels = stage.window->findChildren<QLabel*>();
        return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains(QStringLiteral("First loss at"));
        });
    }));
    check("recording with loss");
    stage.window->strip()->showMessage({QStringLiteral("What happened is told here."), QStringLiteral("evidence"),
                                        QStringLiteral("What to do."), QStringLiteral("Code")},
                                       ui::MessageStrip::Level::Error);
    check("recording with a message");
    ui::SaveDialog* dialog = stage.stopRecording();
    CHECK(dialog->sizeHint().width() <= 1024);
    CHECK(dialog->sizeHint().height() <= 700);
    CHECK(clipped(dialog).join(u'\n').toStdString() == "");
    dialog->reject();
    check("stopped");
}

TEST_CASE("No two controls of the window answer to one mnemonic", "[ui][layout]") {
    const bool offersRecording = GENERATE(false, true);
    CAPTURE(offersRecording);
    test::Stage stage;
    stage.openReadyWindow();
    if (offersRecording) {
        stage.startRecording();
        stage.restart();
        stage.openReadyWindow();
        REQUIRE(test::waitFor([&] { return stage.window->unfinishedBar()->isVisible(); }));
    }
    std::map<std::string, std::vector<std::string>> owners;
    const auto note = [&](const QString& text) {
        const QKeySequence mnemonic = QKeySequence::mnemonic(text);
        if (!mnemonic.isEmpty()) {
            owners[mnemonic.toString().toStdString()].push_back(text.toStdString());
        }
    };
    for (const QAction* menu : stage.window->menuBar()->actions()) {
        note(menu->text());
    }
    for (const QAbstractButton* button : stage.window->findChildren<QAbstractButton*>()) {
        if (button->isVisible()) {
            note(button->text());
        }
    }
    for (const QLabel* label : stage.window->findChildren<QLabel*>()) {
        if (label->isVisible() && label->buddy() != nullptr) {
            note(label->text());
        }
    }
    CHECK(owners.size() > 8);
    for (const auto& [key, texts] : owners) {
        INFO(key << ": " << texts.front() << ", " << texts.back());
        CHECK(texts.size() == 1);
    }
}

} // namespace tracedeck

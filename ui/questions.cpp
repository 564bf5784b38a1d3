// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/questions.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QDir>
#include <QGuiApplication>
#include <QMessageBox>
#include <QPushButton>

namespace tracedeck::ui {
namespace {

class Questions {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::MainWindow)
};

QMessageBox* boxOf(QMessageBox::Icon icon, const QString& title, const QString& text, QWidget* parent,
                   QMessageBox::StandardButtons buttons = QMessageBox::NoButton) {
    auto* box = new QMessageBox(icon, title, text, buttons, parent);
    box->setAttribute(Qt::WA_DeleteOnClose);
    return box;
}

} // namespace

QMessageBox* askBeforeClosing(CloseQuestion question, QWidget* parent) {
    const QString text =
        question.isRunning ? Questions::tr("A recording is running.") : Questions::tr("A recording is not saved yet.");
    QMessageBox* box = boxOf(QMessageBox::Question, Questions::tr("Close Tracedeck?"), text, parent);
    QString kept =
        question.rawFiles.isEmpty()
            ? Questions::tr("Without saving, the raw files stay in a hidden folder in %1. You will be told its name.")
                  .arg(QDir::toNativeSeparators(question.workFolder))
            : Questions::tr("Without saving, the raw files stay where they are: %1.").arg(question.rawFiles);
    if (question.isInMemory) {
        kept =
            Questions::tr("Some of it is still in memory, because its raw file could not be written. Without saving, "
                          "it goes into the folder for temporary files.");
    }
    if (question.letGoOn) {
        kept = Questions::tr("It can go on without the window, and is offered again when Tracedeck is started. %1")
                   .arg(kept);
    }
    box->setInformativeText(kept);
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QPushButton* save = box->addButton(question.isRunning ? Questions::tr("&Stop and Save…") : Questions::tr("&Save…"),
                                       QMessageBox::AcceptRole);
    if (question.letGoOn) {
        QPushButton* letGoOn = box->addButton(Questions::tr("&Let It Go On"), QMessageBox::AcceptRole);
        QObject::connect(letGoOn, &QPushButton::clicked, parent, std::move(question.letGoOn));
    }
    QPushButton* keep = box->addButton(Questions::tr("Close, &Keep Raw Files"), QMessageBox::DestructiveRole);
    QPushButton* back = box->addButton(Questions::tr("&Go Back"), QMessageBox::RejectRole);
    box->setDefaultButton(save);
    box->setEscapeButton(back);
    QObject::connect(save, &QPushButton::clicked, parent, std::move(question.save));
    QObject::connect(keep, &QPushButton::clicked, parent, std::move(question.keep));
    box->open();
    return box;
}

QMessageBox* tellRawFiles(const QString& rawFiles, std::function<void()> closed, QWidget* parent) {
    QMessageBox* box = boxOf(QMessageBox::Information, Questions::tr("Raw Files Are Kept"),
                             Questions::tr("The recording was stopped and not saved."), parent);
    box->setInformativeText(Questions::tr("Its raw files are %1.").arg(rawFiles));
    box->setTextInteractionFlags(Qt::TextSelectableByMouse);
    QPushButton* copy = box->addButton(Questions::tr("&Copy and Close"), QMessageBox::ActionRole);
    QPushButton* close = box->addButton(Questions::tr("C&lose"), QMessageBox::AcceptRole);
    box->setDefaultButton(close);
    box->setEscapeButton(close);
    QObject::connect(copy, &QPushButton::clicked, parent,
                     [rawFiles] { QGuiApplication::clipboard()->setText(rawFiles); });
    QObject::connect(box, &QDialog::finished, parent, std::move(closed));
    box->open();
    return box;
}

QMessageBox* askToReplace(const QString& fileName, std::function<void()> replace, std::function<void()> rename,
                          QWidget* parent) {
    QMessageBox* box = boxOf(QMessageBox::Question, Questions::tr("Replace the File?"),
                             Questions::tr("There is already a file named “%1”.").arg(fileName), parent);
    box->setInformativeText(Questions::tr("Replacing it throws away what is in it."));
    QPushButton* yes = box->addButton(Questions::tr("&Replace"), QMessageBox::DestructiveRole);
    QPushButton* no = box->addButton(Questions::tr("&Choose Another Name"), QMessageBox::RejectRole);
    box->setDefaultButton(no);
    box->setEscapeButton(no);
    QObject::connect(yes, &QPushButton::clicked, parent, std::move(replace));
    QObject::connect(no, &QPushButton::clicked, parent, std::move(rename));
    box->open();
    return box;
}

QMessageBox* askToDiscard(std::function<void()> discard, QWidget* parent) {
    QMessageBox* box = boxOf(QMessageBox::Warning, Questions::tr("Discard the Recording?"),
                             Questions::tr("Throw this recording away?"), parent);
    box->setInformativeText(Questions::tr("What was recorded cannot be brought back."));
    QPushButton* yes = box->addButton(Questions::tr("&Discard"), QMessageBox::DestructiveRole);
    QPushButton* keep = box->addButton(Questions::tr("&Keep"), QMessageBox::RejectRole);
    box->setDefaultButton(keep);
    box->setEscapeButton(keep);
    QObject::connect(yes, &QPushButton::clicked, parent, std::move(discard));
    box->open();
    return box;
}

void showAbout(QWidget* parent) {
    QMessageBox* box =
        boxOf(QMessageBox::NoIcon, Questions::tr("About Tracedeck"),
              Questions::tr("Tracedeck %1").arg(QStringLiteral(TRACEDECK_VERSION)), parent, QMessageBox::Close);
    box->setIconPixmap(parent->windowIcon().pixmap(64, 64));
    box->setInformativeText(
        Questions::tr("Records what a computer is doing into one .etl file.\n\nFree software under the GNU "
                      "General Public License, version 3 or later. It comes without any warranty."));
    box->open();
}

void showAboutQt(QWidget* parent) {
    QMessageBox* box = boxOf(QMessageBox::Information, Questions::tr("About Qt"),
                             Questions::tr("This program uses Qt version %1.").arg(QLatin1String(qVersion())), parent,
                             QMessageBox::Close);
    box->setInformativeText(Questions::tr("Qt is a toolkit for programs with windows. See www.qt.io."));
    box->open();
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/save_dialog.h"

#include "ui/folder_probe.h"
#include "ui/palette_icon.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

SaveDialog::SaveDialog(const QString& folder, const QString& fileName, QWidget* parent)
    : QDialog(parent), m_folder(new QLineEdit(QDir::toNativeSeparators(folder), this)),
      m_browse(new QPushButton(paletteIcon(QStringLiteral("folder")), tr("&Browse…"), this)),
      m_name(new QLineEdit(fileName, this)), m_description(new QPlainTextEdit(this)),
      m_openFolder(new QCheckBox(tr("&Open the folder afterwards"), this)), m_problem(new QLabel(this)),
      m_save(new QPushButton(paletteIcon(QStringLiteral("save")), tr("&Save"), this)),
      m_back(new QPushButton(tr("Go Bac&k"), this)) {
    setWindowTitle(tr("Save Recording"));
    build();
    connect(m_browse, &QPushButton::clicked, this, &SaveDialog::browse);
    connect(m_save, &QPushButton::clicked, this, &SaveDialog::accept);
    connect(m_back, &QPushButton::clicked, this, &SaveDialog::reject);
    connect(m_folder, &QLineEdit::textChanged, this, &SaveDialog::check);
    connect(m_name, &QLineEdit::textChanged, this, &SaveDialog::check);
    check();
    m_description->setFocus();
}

void SaveDialog::build() {
    m_description->setPlaceholderText(tr("For example: the window froze while saving, at about 14:05."));
    m_description->setTabChangesFocus(true);
    m_description->setMinimumHeight(fontMetrics().lineSpacing() * 4);
    m_description->installEventFilter(this);
    m_save->setDefault(true);
    m_save->setObjectName(QStringLiteral("save"));
    m_back->setObjectName(QStringLiteral("back"));
    m_name->setObjectName(QStringLiteral("fileName"));
    m_description->setObjectName(QStringLiteral("description"));
    m_back->setAutoDefault(false);
    m_back->setToolTip(tr("Back to the stopped recording. Nothing is thrown away."));
    m_browse->setAutoDefault(false);
    m_problem->setWordWrap(true);
    m_name->setMinimumWidth(fontMetrics().averageCharWidth() * 60);

    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(m_browse);
    auto* form = new QFormLayout;
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    const auto buddyLabel = [this](const QString& text, QWidget* buddy) {
        auto* label = new QLabel(text, this);
        label->setBuddy(buddy);
        return label;
    };
    form->addRow(buddyLabel(tr("&What was happening?"), m_description), m_description);
    form->addRow(QString(), new QLabel(tr("Kept in the recording. Enter saves; Shift+Enter starts a new line."), this));
    form->addRow(buddyLabel(tr("File &name:"), m_name), m_name);
    form->addRow(buddyLabel(tr("&Folder:"), m_folder), folderRow);
    form->addRow(QString(), m_openFolder);

    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(m_save, QDialogButtonBox::AcceptRole);
    buttons->addButton(m_back, QDialogButtonBox::RejectRole);
    // The buttons are connected themselves: the box must not accept twice.

    auto* column = new QVBoxLayout(this);
    column->addLayout(form);
    column->addWidget(buildPrivacyList());
    column->addWidget(m_problem);
    column->addWidget(buttons);
    setTabOrder(m_description, m_name);
    setTabOrder(m_name, m_folder);
    setTabOrder(m_folder, m_browse);
    setTabOrder(m_browse, m_openFolder);
    setTabOrder(m_openFolder, m_save);
    setTabOrder(m_save, m_back);
}

QWidget* SaveDialog::buildPrivacyList() {
    auto* box = new QGroupBox(tr("The file contains"), this);
    auto* column = new QVBoxLayout(box);
    column->setSpacing(4);
    const auto addLine = [&](const QString& icon, const QString& text) {
        auto* row = new QHBoxLayout;
        auto* picture = new QLabel(box);
        picture->setPixmap(paletteIcon(icon).pixmap(16, 16));
        auto* label = new QLabel(text, box);
        label->setWordWrap(true);
        row->addWidget(picture, 0, Qt::AlignTop);
        row->addWidget(label, 1);
        column->addLayout(row);
    };
    const QString note = QStringLiteral("information");
    addLine(note, tr("the names, command lines and users of all programs that ran, which may show names of documents"));
    addLine(note, tr("the names and folders of the programs and libraries in use"));
    addLine(note, tr("this machine's name, its processors, memory and system version"));
    addLine(note, tr("what you write above"));
    addLine(QStringLiteral("good"), tr("no contents of files, windows or network traffic, and no key strokes"));
    return box;
}

bool SaveDialog::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_description && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        const bool isEnter = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter;
        if (isEnter && (key->modifiers() & Qt::ShiftModifier) == 0) {
            if (m_save->isEnabled()) {
                accept();
            }
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

void SaveDialog::browse() {
    auto* dialog = new QFileDialog(this, tr("Folder for the Recording"), m_folder->text());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { m_folder->setText(QDir::toNativeSeparators(folder)); });
    dialog->open();
}

QString SaveDialog::path() const {
    QString name = m_name->text().trimmed();
    if (!name.endsWith(QStringLiteral(".etl"), Qt::CaseInsensitive)) {
        name += QStringLiteral(".etl");
    }
    return QDir(QDir::fromNativeSeparators(m_folder->text().trimmed())).filePath(name);
}

void SaveDialog::check() {
    const QString name = m_name->text().trimmed();
    QString problem;
    if (name.isEmpty()) {
        problem = tr("The file needs a name.");
    } else if (name.contains(u'/') || name.contains(u'\\')) {
        problem = tr("A file name must not contain slashes.");
    } else if (!QDir::isAbsolutePath(QDir::fromNativeSeparators(m_folder->text().trimmed()))) {
        problem = tr("Give the whole path of the folder.");
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    m_save->setEnabled(problem.isEmpty());
    m_replace = false;
}

void SaveDialog::accept() {
    if (!m_save->isEnabled()) {
        return;
    }
    m_save->setEnabled(false);
    FolderProbe::exists(path(), this, [this](bool isThere) {
        m_save->setEnabled(true);
        if (isThere && !m_replace) {
            askToReplace();
        } else if (isVisible()) {
            QDialog::accept();
        }
    });
}

void SaveDialog::askToReplace() {
    auto* question = new QMessageBox(QMessageBox::Question, tr("Replace the File?"),
                                     tr("There is already a file named “%1”.").arg(m_name->text().trimmed()),
                                     QMessageBox::NoButton, this);
    question->setAttribute(Qt::WA_DeleteOnClose);
    question->setInformativeText(tr("Replacing it throws away what is in it."));
    QPushButton* replace = question->addButton(tr("&Replace"), QMessageBox::DestructiveRole);
    QPushButton* keep = question->addButton(tr("&Choose Another Name"), QMessageBox::RejectRole);
    question->setDefaultButton(keep);
    question->setEscapeButton(keep);
    connect(replace, &QPushButton::clicked, this, [this] {
        m_replace = true;
        QDialog::accept();
    });
    connect(keep, &QPushButton::clicked, this, [this] {
        m_name->setFocus();
        m_name->selectAll();
    });
    question->open();
}

SaveDialog::Answer SaveDialog::answer() const {
    return {path(), m_replace, m_description->toPlainText().trimmed(), m_openFolder->isChecked()};
}

void SaveDialog::setDescription(const QString& description) {
    m_description->setPlainText(description);
}

} // namespace tracedeck::ui

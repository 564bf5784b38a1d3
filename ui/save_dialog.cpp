// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/save_dialog.h"

#include "ui/folder_line.h"
#include "ui/palette_icon.h"
#include "ui/questions.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

namespace tracedeck::ui {

SaveDialog::SaveDialog(const Draft& draft, const FolderAccess& access, QWidget* parent)
    : QDialog(parent), m_probe(access), m_folder(new QLineEdit(QDir::toNativeSeparators(draft.folder), this)),
      m_folderLine(new FolderLine(FolderLine::Purpose::Save, this)),
      m_browse(new QPushButton(paletteIcon(QStringLiteral("folder")), tr("&Browse…"), this)),
      m_name(new QLineEdit(draft.fileName, this)), m_description(new QPlainTextEdit(this)),
      m_openFolder(new QCheckBox(tr("&Open the folder afterwards"), this)), m_problem(new QLabel(this)),
      m_save(new QPushButton(paletteIcon(QStringLiteral("save")), tr("&Save"), this)),
      m_back(new QPushButton(tr("Go Bac&k"), this)) {
    setWindowTitle(tr("Save Recording"));
    build();
    connect(m_browse, &QPushButton::clicked, this, &SaveDialog::browse);
    connect(m_save, &QPushButton::clicked, this, &SaveDialog::accept);
    connect(m_back, &QPushButton::clicked, this, &SaveDialog::reject);
    connect(m_folder, &QLineEdit::textChanged, this, [this] {
        m_timer.start();
        m_folderLine->showFacts({});
        edited();
    });
    connect(m_name, &QLineEdit::textChanged, this, &SaveDialog::edited);
    connect(&m_probe, &FolderProbe::changed, this, &SaveDialog::folderKnown);
    m_timer.setSingleShot(true);
    m_timer.setInterval(300);
    connect(&m_timer, &QTimer::timeout, this, [this] { m_probe.look(folder()); });
    m_description->setPlainText(draft.description);
    m_openFolder->setChecked(draft.opensFolder);
    m_folderLine->showFacts({});
    m_probe.look(folder());
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
    m_folder->setObjectName(QStringLiteral("folder"));
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
    form->addRow(QString(), m_folderLine);
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
    // The dialog looks at its folder on this thread: never at one that may not answer.
    const FolderFacts& facts = m_probe.facts();
    const bool hasAnswered = facts.path == folder() && facts.state == FolderFacts::State::Usable;
    auto* dialog = new QFileDialog(this, tr("Folder for the Recording"), hasAnswered ? facts.path : QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { m_folder->setText(QDir::toNativeSeparators(folder)); });
    dialog->open();
}

QString SaveDialog::folder() const {
    return QDir::fromNativeSeparators(m_folder->text().trimmed());
}

QString SaveDialog::path() const {
    QString name = m_name->text().trimmed();
    if (!name.endsWith(QStringLiteral(".etl"), Qt::CaseInsensitive)) {
        name += QStringLiteral(".etl");
    }
    return QDir(folder()).filePath(name);
}

void SaveDialog::edited() {
    m_refusal.clear();
    m_isAccepting = false;
    m_replace = false;
    check();
}

QString SaveDialog::problemOfText() const {
    const QString name = m_name->text().trimmed();
    if (name.isEmpty()) {
        return tr("The file needs a name.");
    }
    if (name.contains(u'/') || name.contains(u'\\')) {
        return tr("A file name must not contain slashes.");
    }
    if (!QDir::isAbsolutePath(folder())) {
        return tr("Give the whole path of the folder.");
    }
    return {};
}

void SaveDialog::check() {
    QString problem = problemOfText();
    if (problem.isEmpty()) {
        problem = m_refusal;
    }
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
    // A folder that is still being looked at does not keep anybody from pressing Save, which looks for itself.
    const FolderFacts& facts = m_probe.facts();
    const bool isRefused = facts.path == folder() && facts.state != FolderFacts::State::Unknown && !facts.isUsable();
    m_save->setEnabled(problem.isEmpty() && !isRefused && !m_isAccepting);
    m_save->setToolTip(isRefused ? m_folderLine->text() : problem);
}

void SaveDialog::refuse(const QString& problem) {
    m_isAccepting = false;
    m_refusal = problem;
    check();
}

void SaveDialog::accept() {
    if (!m_save->isEnabled()) {
        return;
    }
    m_isAccepting = true;
    m_timer.stop();
    check();
    m_probe.look(folder());
}

void SaveDialog::folderKnown() {
    const FolderFacts& facts = m_probe.facts();
    if (facts.path != folder()) {
        return; // another name was typed meanwhile
    }
    m_folderLine->showFacts(facts);
    if (!m_isAccepting) {
        check();
    } else if (!facts.isUsable()) {
        refuse({});
    } else if (facts.state == FolderFacts::State::WillBeCreated) {
        m_probe.create(folder(), this, [this](std::optional<bool> isUsable) {
            if (m_isAccepting && isUsable.value_or(false)) {
                lookAtFile();
            } else if (m_isAccepting) {
                refuse(tr("The folder could not be created."));
            }
        });
    } else {
        lookAtFile();
    }
}

void SaveDialog::lookAtFile() {
    m_probe.fileAt(path(), this, [this](std::optional<FileKind> kind) {
        if (!m_isAccepting || !isVisible()) {
            return;
        }
        if (!kind) {
            refuse(tr("This folder does not answer."));
        } else if (*kind == FileKind::Other) {
            refuse(tr("This name belongs to something that is no file."));
        } else if (*kind == FileKind::File && !m_replace) {
            m_isAccepting = false;
            check();
            askToReplace();
        } else {
            QDialog::accept();
        }
    });
}

void SaveDialog::askToReplace() {
    ui::askToReplace(
        QFileInfo(path()).fileName(),
        [this] {
            m_replace = true;
            QDialog::accept();
        },
        [this] {
            m_name->setFocus();
            m_name->selectAll();
        },
        this);
}

SaveDialog::Answer SaveDialog::answer() const {
    return {path(), m_replace, m_description->toPlainText().trimmed(), m_openFolder->isChecked()};
}

SaveDialog::Draft SaveDialog::draft() const {
    return {folder(), m_name->text().trimmed(), m_description->toPlainText().trimmed(), m_openFolder->isChecked()};
}

} // namespace tracedeck::ui

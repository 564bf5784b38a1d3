// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/options_panel.h"

#include "ui/folder_line.h"
#include "ui/palette_icon.h"

#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QDir>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalBlocker>
#include <QSpinBox>

namespace tracedeck::ui {
namespace {

QHBoxLayout* rowOf(std::initializer_list<QWidget*> widgets) {
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 0, 0, 0);
    for (QWidget* widget : widgets) {
        row->addWidget(widget);
    }
    row->addStretch(1);
    return row;
}

constexpr int kDefaultFileSizeMib = 2048;
constexpr int kDefaultSeconds = 30;

} // namespace

OptionsPanel::OptionsPanel(QWidget* parent)
    : QWidget(parent), m_verbose(new QRadioButton(tr("&Verbose"), this)), m_light(new QRadioButton(tr("L&ight"), this)),
      m_memory(new QRadioButton(tr("In &memory, newest first"), this)),
      m_file(new QRadioButton(tr("In a fil&e"), this)),
      m_limitedFile(new QRadioButton(tr("In a file, at m&ost"), this)), m_fileSize(new QSpinBox(this)),
      m_keepsNewest(new QCheckBox(tr("When the disk runs short, keep the newest"), this)), m_stop(new QComboBox(this)),
      m_seconds(new QSpinBox(this)), m_folder(new QLineEdit(this)), m_browse(new QPushButton(tr("&Browse…"), this)),
      m_folderLine(new FolderLine(FolderLine::Purpose::Record, this)) {
    build();
    connectAll();
    enableParts();
}

void OptionsPanel::build() {
    m_verbose->setToolTip(tr("Everything that the profiles offer, with call stacks."));
    m_light->setToolTip(tr("Less to record: for long recordings and slow machines."));
    m_memory->setToolTip(tr("Can run for hours: when the buffers are full, the oldest events give way to new ones."));
    m_file->setToolTip(tr("Keeps everything from start to stop, as long as the disk has room."));
    m_limitedFile->setToolTip(tr("Keeps everything until the file has this size, then stops."));
    m_keepsNewest->setToolTip(
        tr("Goes on instead of stopping: newer events take the place of the oldest, with room left to save them."));
    auto* detailGroup = new QButtonGroup(this);
    detailGroup->addButton(m_verbose);
    detailGroup->addButton(m_light);
    auto* keepGroup = new QButtonGroup(this);
    keepGroup->addButton(m_memory);
    keepGroup->addButton(m_file);
    keepGroup->addButton(m_limitedFile);
    m_verbose->setChecked(true);
    m_memory->setChecked(true);

    m_fileSize->setRange(64, 1024 * 1024);
    m_fileSize->setSingleStep(256);
    m_fileSize->setGroupSeparatorShown(true);
    m_fileSize->setValue(kDefaultFileSizeMib);
    //: unit behind a number of megabytes
    m_fileSize->setSuffix(tr(" MB"));
    m_fileSize->setAccessibleName(tr("Largest size of the file in megabytes"));

    m_stop->addItem(tr("By hand"));
    m_stop->addItem(tr("After a time"));
    m_seconds->setRange(1, 24 * 3600);
    m_seconds->setGroupSeparatorShown(true);
    m_seconds->setValue(kDefaultSeconds);
    //: unit behind a number of seconds
    m_seconds->setSuffix(tr(" s"));
    m_seconds->setAccessibleName(tr("Seconds until the recording stops"));

    m_folder->setClearButtonEnabled(false);
    m_browse->setIcon(paletteIcon(QStringLiteral("folder")));

    auto* form = new QFormLayout(this);
    form->setContentsMargins(0, 0, 0, 0);
    form->setFieldGrowthPolicy(QFormLayout::ExpandingFieldsGrow);
    form->addRow(tr("Detail:"), rowOf({m_verbose, m_light}));
    auto* keep = new QVBoxLayout;
    keep->setSpacing(4);
    keep->addLayout(rowOf({m_memory, m_file}));
    keep->addLayout(rowOf({m_limitedFile, m_fileSize}));
    keep->addLayout(rowOf({m_keepsNewest}));
    form->addRow(tr("Keep:"), keep);
    auto* stopLabel = new QLabel(tr("Sto&p:"), this);
    stopLabel->setBuddy(m_stop);
    form->addRow(stopLabel, rowOf({m_stop, m_seconds}));
    auto* folderLabel = new QLabel(tr("Fol&der:"), this);
    folderLabel->setBuddy(m_folder);
    auto* folderRow = new QHBoxLayout;
    folderRow->addWidget(m_folder, 1);
    folderRow->addWidget(m_browse);
    form->addRow(folderLabel, folderRow);
    form->addRow(QString(), m_folderLine);
}

void OptionsPanel::connectAll() {
    const auto changed = [this] {
        enableParts();
        Q_EMIT edited();
    };
    for (QRadioButton* button : {m_verbose, m_light, m_memory, m_file, m_limitedFile}) {
        connect(button, &QRadioButton::toggled, this, [changed](bool isOn) {
            if (isOn) {
                changed();
            }
        });
    }
    connect(m_fileSize, &QSpinBox::valueChanged, this, changed);
    connect(m_keepsNewest, &QCheckBox::toggled, this, changed);
    connect(m_seconds, &QSpinBox::valueChanged, this, changed);
    connect(m_stop, &QComboBox::currentIndexChanged, this, changed);
    connect(m_folder, &QLineEdit::textChanged, this, changed);
    connect(m_browse, &QPushButton::clicked, this, &OptionsPanel::browse);
}

void OptionsPanel::enableParts() {
    m_fileSize->setEnabled(m_limitedFile->isChecked());
    m_keepsNewest->setEnabled(m_file->isChecked());
    m_seconds->setVisible(m_stop->currentIndex() == 1);
}

void OptionsPanel::browse() {
    // The dialog looks at its folder on this thread: never at one that may not answer.
    const bool isKnown = m_canBrowseFrom == QDir::fromNativeSeparators(m_folder->text().trimmed());
    auto* dialog = new QFileDialog(this, tr("Folder for Recordings"),
                                   isKnown && !m_canBrowseFrom.isEmpty() ? m_canBrowseFrom : QDir::homePath());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    dialog->setOption(QFileDialog::ShowDirsOnly);
    connect(dialog, &QFileDialog::fileSelected, this,
            [this](const QString& folder) { m_folder->setText(QDir::toNativeSeparators(folder)); });
    dialog->open();
}

void OptionsPanel::readInto(RecordingChoice& choice) const {
    choice.detail = m_light->isChecked() ? plan::DetailLevel::Light : plan::DetailLevel::Verbose;
    choice.mode = m_memory->isChecked() ? plan::LoggingMode::Memory : plan::LoggingMode::File;
    choice.maximumFileSizeMib.reset();
    if (m_limitedFile->isChecked()) {
        choice.maximumFileSizeMib = static_cast<std::uint32_t>(m_fileSize->value());
    }
    choice.keepsNewest = m_file->isChecked() && m_keepsNewest->isChecked();
    choice.timeLimit = std::chrono::seconds(m_stop->currentIndex() == 1 ? m_seconds->value() : 0);
    choice.folder = QDir::fromNativeSeparators(m_folder->text().trimmed());
}

void OptionsPanel::setChoice(const RecordingChoice& choice) {
    {
        const QSignalBlocker blocker(this);
        (choice.detail == plan::DetailLevel::Light ? m_light : m_verbose)->setChecked(true);
        (choice.mode == plan::LoggingMode::Memory ? m_memory
         : choice.maximumFileSizeMib              ? m_limitedFile
                                                  : m_file)
            ->setChecked(true);
        if (choice.maximumFileSizeMib) {
            m_fileSize->setValue(static_cast<int>(*choice.maximumFileSizeMib));
        }
        m_keepsNewest->setChecked(choice.keepsNewest);
        m_stop->setCurrentIndex(choice.timeLimit.count() > 0 ? 1 : 0);
        if (choice.timeLimit.count() > 0) {
            m_seconds->setValue(static_cast<int>(choice.timeLimit.count()));
        }
        if (QDir::fromNativeSeparators(m_folder->text()) != choice.folder) {
            m_folder->setText(QDir::toNativeSeparators(choice.folder));
        }
    }
    Q_EMIT edited();
}

QList<QWidget*> OptionsPanel::tabOrder() const {
    return {m_verbose,     m_light, m_memory,  m_file,   m_limitedFile, m_fileSize,
            m_keepsNewest, m_stop,  m_seconds, m_folder, m_browse};
}

void OptionsPanel::showFolder(const FolderFacts& facts) {
    m_canBrowseFrom = facts.state == FolderFacts::State::Usable ? facts.path : QString();
    m_folderLine->showFacts(facts);
}

} // namespace tracedeck::ui

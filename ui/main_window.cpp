// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/command_line.h"
#include "ui/details_dialog.h"
#include "ui/format.h"
#include "ui/health_card.h"
#include "ui/history_view.h"
#include "ui/options_panel.h"
#include "ui/palette_icon.h"
#include "ui/plan_panel.h"
#include "ui/plan_words.h"
#include "ui/profile_panel.h"
#include "ui/progress_panel.h"
#include "ui/questions.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"
#include "ui/session_gauges.h"
#include "ui/stopped_panel.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <utility>

namespace tracedeck::ui {
namespace {

/// Text and tool tip belong together: screen readers take the tool tip for the description.
void nameAction(QAction* action, const QString& text) {
    action->setText(text);
    const QString shortcut = action->shortcut().toString(QKeySequence::NativeText);
    const QString plain = QString(text).remove(u'&');
    //: tool tip: text of a command and its shortcut
    action->setToolTip(shortcut.isEmpty() ? plain : MainWindow::tr("%1 (%2)").arg(plain, shortcut));
}

/// What the machine refuses, and may not refuse any more after a remedy.
bool isAboutMachine(ErrorCode code) {
    return code == ErrorCode::KernelEventsRefused || code == ErrorCode::KernelSourceBusy ||
           code == ErrorCode::KernelSourceFailed || code == ErrorCode::SessionNameTaken ||
           code == ErrorCode::SessionLimit || code == ErrorCode::NothingToRecord;
}

QStringList toStringList(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts) {
        list << fromUtf8(text);
    }
    return list;
}

QFrame* separator(QWidget* parent) {
    auto* line = new QFrame(parent);
    line->setFrameShape(QFrame::HLine);
    line->setFrameShadow(QFrame::Sunken);
    return line;
}

} // namespace

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent), m_services(std::move(services)), m_machine(m_services.capabilities),
      m_folder(m_services.folders), m_setup(m_machine, m_folder) {
    setWindowTitle(tr("Tracedeck"));
    setWindowIcon(applicationIcon());
    m_profiles.setProfiles(profilesOf(*m_services.catalog));
    createActions();
    createContents();
    createMenus();
    connectRecorder();
    setTabOrders();

    m_folderTimer.setSingleShot(true);
    m_folderTimer.setInterval(300);
    connect(&m_folderTimer, &QTimer::timeout, this, [this] { m_folder.look(m_setup.choice().folder); });
    connect(&m_folder, &FolderProbe::changed, this, [this] { m_form->options()->showFolder(m_folder.facts()); });
    connect(&m_setup, &RecordingSetup::changed, this, &MainWindow::setupChanged);
    connect(&m_machine, &Machine::changed, this, [this] { m_isLookingAgain = false; });
    connect(&m_machine, &Machine::unchanged, this, [this] {
        if (std::exchange(m_isLookingAgain, false)) {
            m_bar->setNote(tr("Nothing has changed since."));
        }
    });
    connect(m_form, &RecordingForm::choiceChanged, this, &MainWindow::choiceChanged);

    m_setup.setProfiles(m_profiles.profiles());
    RecordingChoice choice = m_form->choice();
    choice.folder = m_services.defaultFolder;
    m_form->setChoice(choice);
    m_folderTimer.stop();
    m_folder.look(choice.folder);
    if (!m_services.catalog->refused().empty()) {
        m_strip->showMessage(m_services.messages.forError(m_services.catalog->refused().front().error),
                             MessageStrip::Level::Warning);
    }
    resize(960, 760);
}

MainWindow::~MainWindow() {
    // The views go before the models that they show, which are members.
    delete takeCentralWidget();
}

void MainWindow::createActions() {
    const auto make = [this](const QString& icon, const QString& text, const QKeySequence& shortcut) {
        auto* action = new QAction(icon.isEmpty() ? QIcon() : paletteIcon(icon), QString(), this);
        action->setShortcut(shortcut);
        nameAction(action, text);
        return action;
    };
    m_recordAction = make(QStringLiteral("record"), tr("&Record"), Qt::Key_F9);
    m_markAction = make(QStringLiteral("mark"), tr("Mar&k"), Qt::Key_F8);
    m_saveAction = make(QStringLiteral("save"), tr("&Save…"), QKeySequence::Save);
    m_discardAction = make(QStringLiteral("discard"), tr("Discard…"), {});
    m_copyAction = make(QStringLiteral("copy"), tr("&Copy as Command"), Qt::CTRL | Qt::SHIFT | Qt::Key_C);
    m_lookAgainAction = make({}, tr("Look &Again"), Qt::Key_F5);
    m_detailsAction = make(QStringLiteral("details"), tr("De&tails…"), Qt::CTRL | Qt::Key_D);
    m_filterAction = make(QStringLiteral("search"), tr("&Filter Profiles"), QKeySequence::Find);
    m_openFolderAction = make(QStringLiteral("folder"), tr("Open F&older"), {});
    m_quitAction = make({}, tr("&Quit"), QKeySequence(Qt::CTRL | Qt::Key_Q));

    connect(m_recordAction, &QAction::triggered, this, &MainWindow::recordOrStop);
    connect(m_markAction, &QAction::triggered, this, &MainWindow::mark);
    connect(m_saveAction, &QAction::triggered, this, &MainWindow::openSaveDialog);
    connect(m_discardAction, &QAction::triggered, this, &MainWindow::askToDiscard);
    connect(m_copyAction, &QAction::triggered, this, &MainWindow::copyCommand);
    connect(m_lookAgainAction, &QAction::triggered, this, &MainWindow::lookAgain);
    connect(m_detailsAction, &QAction::triggered, this, &MainWindow::showDetails);
    connect(m_filterAction, &QAction::triggered, this, [this] { m_form->profilePanel()->focusFilter(); });
    connect(m_openFolderAction, &QAction::triggered, this, [this] {
        m_services.openFolder(m_hasOutcome ? QFileInfo(m_health->path()).absolutePath() : m_setup.choice().folder);
    });
    connect(m_quitAction, &QAction::triggered, this, &QWidget::close);
}

void MainWindow::createMenus() {
    QMenu* file = menuBar()->addMenu(tr("&File"));
    file->addAction(m_saveAction);
    file->addAction(m_openFolderAction);
    file->addSeparator();
    file->addAction(m_quitAction);
    QMenu* recording = menuBar()->addMenu(tr("Recordi&ng"));
    recording->addAction(m_recordAction);
    recording->addAction(m_markAction);
    recording->addAction(m_discardAction);
    recording->addSeparator();
    recording->addAction(m_copyAction);
    QMenu* view = menuBar()->addMenu(tr("Vie&w"));
    view->addAction(m_filterAction);
    view->addAction(m_detailsAction);
    view->addAction(m_lookAgainAction);
    QMenu* help = menuBar()->addMenu(tr("&Help"));
    connect(help->addAction(tr("&About Tracedeck")), &QAction::triggered, this, [this] { showAbout(this); });
    connect(help->addAction(tr("About &Qt")), &QAction::triggered, this, [this] { showAboutQt(this); });
}

void MainWindow::createContents() {
    auto* center = new QWidget(this);
    m_form = new RecordingForm(&m_profiles, center);
    m_strip = new MessageStrip(m_lookAgainAction, center);
    m_bar = new RecordingBar(m_recordAction, m_markAction, center);
    m_hint = new QLabel(tr("Press Record, do what is slow, press Stop. You can look at everything before you save."),
                        center);
    m_hint->setWordWrap(true);
    m_live = new QWidget(center);
    m_gauges = new SessionGauges(m_services.messages, *m_services.clock, m_live);
    m_history = new HistoryView(m_live);
    auto* live = new QVBoxLayout(m_live);
    live->setContentsMargins(0, 0, 0, 0);
    live->addWidget(m_gauges);
    live->addWidget(m_history, 1);
    m_stoppedPanel = new StoppedPanel(m_saveAction, m_discardAction, center);
    m_progress = new ProgressPanel(center);
    m_health = new HealthCard(m_services.messages, center);

    auto* column = new QVBoxLayout(center);
    column->addWidget(m_form, 3);
    column->addWidget(separator(center));
    column->addWidget(m_strip);
    column->addWidget(m_bar);
    column->addWidget(m_stoppedPanel);
    column->addWidget(m_progress);
    column->addWidget(m_hint);
    column->addWidget(m_health);
    column->addWidget(m_live, 2);
    setCentralWidget(center);

    connect(m_form->planPanel()->detailsButton(), &QPushButton::clicked, m_detailsAction, &QAction::trigger);
    connect(m_form->planPanel()->copyButton(), &QPushButton::clicked, m_copyAction, &QAction::trigger);
    connect(m_form->planPanel()->lookAgainButton(), &QPushButton::clicked, m_lookAgainAction, &QAction::trigger);
    connect(m_health->openFolderButton(), &QPushButton::clicked, m_openFolderAction, &QAction::trigger);
    connect(m_progress->cancelButton(), &QPushButton::clicked, this,
            [this] { check(m_services.recorder->cancelSave()); });
}

void MainWindow::connectRecorder() {
    recorder::Recorder* recorder = m_services.recorder;
    connect(recorder, &recorder::Recorder::stateChanged, this, &MainWindow::stateChanged);
    connect(recorder, &recorder::Recorder::started, this, &MainWindow::recordingStarted);
    connect(recorder, &recorder::Recorder::statusChanged, this, &MainWindow::showStatus);
    connect(recorder, &recorder::Recorder::progressChanged, m_progress, &ProgressPanel::showProgress);
    connect(recorder, &recorder::Recorder::stopped, this, &MainWindow::recordingStopped);
    connect(recorder, &recorder::Recorder::finished, this, &MainWindow::finished);
    connect(recorder, &recorder::Recorder::failed, this, &MainWindow::fail);
    connect(recorder, &recorder::Recorder::discarded, this, [this] {
        m_isDiscarding = false;
        m_stopped.reset();
        applyState();
        m_bar->setNote(tr("The recording was discarded."));
        followWish();
    });
}

void MainWindow::setTabOrders() {
    QList<QWidget*> order = m_form->tabOrder();
    order << m_strip->tabOrder() << m_bar->recordButton() << m_bar->markButton() << m_stoppedPanel->saveButton()
          << m_stoppedPanel->discardButton() << m_progress->cancelButton() << m_health->tabOrder();
    for (qsizetype i = 1; i < order.size(); ++i) {
        setTabOrder(order[i - 1], order[i]);
    }
}

void MainWindow::choiceChanged() {
    const RecordingChoice choice = m_form->choice();
    const bool isOtherFolder = choice.folder != m_setup.choice().folder;
    m_setup.setChoice(choice);
    if (isOtherFolder) {
        m_folderTimer.start();
    }
}

void MainWindow::setupChanged() {
    showPlan();
    applyState();
    if (m_setup.isReady() && m_strip->isOffering()) {
        m_strip->hide(); // what it complained of has been mended
    }
    // Two clicks to a recording: the first key press finds the big button.
    if (!m_wasReady && m_setup.isReady()) {
        m_wasReady = true;
        m_bar->recordButton()->setFocus();
    }
}

void MainWindow::showPlan() {
    PlanPanel* panel = m_form->planPanel();
    m_limitations.clear();
    std::vector<etw::Limitation> liftable;
    if (m_machine.capabilities()) {
        m_limitations = m_machine.capabilities()->limitations;
        liftable = liftableLimitations(*m_machine.capabilities());
    }
    panel->lookAgainButton()->setVisible(m_machine.error() || !liftable.empty());
    const auto& plan = m_setup.plan();
    if (m_machine.error()) {
        panel->showMessage(m_services.messages.forError(*m_machine.error()));
    } else if (!plan) {
        panel->showPlan(m_machine.capabilities() ? tr("Nothing yet: tick a profile.")
                                                 : tr("Looking at what this machine can record…"),
                        {});
    } else if (!plan->has_value()) {
        panel->showMessage(m_services.messages.forError(plan->error()));
        // No plan says it: why the keywords were refused, and what would help.
        const std::vector<etw::Limitation> reasons = untold(liftable, m_limitations);
        m_limitations.insert(m_limitations.end(), reasons.begin(), reasons.end());
    } else {
        m_limitations = limitationsOf(**plan, *m_machine.capabilities());
        panel->showPlan(Words::whatIsRecorded(**plan), costText(**plan));
    }
    m_form->limitationPanel()->showLimitations(limitationTexts(m_limitations, m_services.messages));
}

QString MainWindow::costText(const plan::RecordingPlan& plan) const {
    QString memory = Words::memory(plan, m_machine.capabilities()->physicalMemory);
    if (plan.mode == plan::LoggingMode::File || m_lastBytesPerSecond <= 0) {
        return memory;
    }
    const double seconds = static_cast<double>(plan.bufferMemory().count) / m_lastBytesPerSecond;
    return tr("%1 At the last recording's %2 they hold about %3.")
        .arg(memory, Format::bytesPerSecond(m_lastBytesPerSecond), Format::span(seconds));
}

QString MainWindow::obstacleText() const {
    using enum RecordingSetup::Obstacle;
    switch (m_setup.obstacle()) {
    case None:
        return {};
    case MachineUnknown:
        return tr("Looking at what this machine can record…");
    case MachineFailed:
    case PlanFailed:
        return tr("This cannot be recorded: see above.");
    case NothingChosen:
        return tr("Tick a profile first.");
    case FolderUnusable:
        return m_folder.facts().state == FolderFacts::State::Unknown ? tr("Looking at the folder…")
                                                                     : tr("Choose another folder first.");
    case DiskTooFull:
        return tr("The disk of the folder is too full.");
    }
    return {};
}

void MainWindow::copyCommand() {
    const RecordingChoice choice = m_form->choice();
    const QString name = m_services.newFileName(m_form->label());
    const QString command = commandLine(choice, QDir(choice.folder).filePath(name));
    const FolderFacts& facts = m_folder.facts();
    const bool isThere = facts.path == choice.folder &&
                         (facts.state == FolderFacts::State::Usable || facts.state == FolderFacts::State::ReadOnly);
    QGuiApplication::clipboard()->setText(isThere ? command : creatingFolder(choice.folder, command));
    m_bar->setNote(tr("The command is in the clipboard."));
}

void MainWindow::showDetails() {
    if (m_setup.plan() && m_setup.plan()->has_value()) {
        auto* dialog = new DetailsDialog(**m_setup.plan(), this);
        dialog->setAttribute(Qt::WA_DeleteOnClose);
        dialog->open();
    }
}

void MainWindow::recordOrStop() {
    const Controls controls = controlsFor(m_services.recorder->state(), m_setup.isReady());
    if (controls.canStop) {
        check(m_services.recorder->stop());
        applyState();
    } else if (controls.canRecord && !m_isPreparing) {
        startRecording();
    }
}

void MainWindow::startRecording() {
    m_strip->hide();
    m_isPreparing = true;
    m_workFolder = m_setup.choice().folder;
    applyState();
    m_folder.create(m_workFolder, this, [this](std::optional<bool> isUsable) { folderIsThere(isUsable); });
}

void MainWindow::folderIsThere(std::optional<bool> isUsable) {
    if (!std::exchange(m_isPreparing, false)) {
        return; // the window was closed meanwhile
    }
    if (!isUsable) {
        m_folder.look(m_workFolder);
        tellNoAnswer();
        return;
    }
    if (!*isUsable || !m_setup.isReady()) {
        fail(Error{*isUsable ? ErrorCode::WrongState : ErrorCode::AccessDenied, m_workFolder.toStdString(), 0});
        m_folder.look(m_workFolder);
        return;
    }
    m_folder.look(m_workFolder); // it may have been created just now
    recorder::Request request;
    request.plan = **m_setup.plan();
    request.workFolder = m_workFolder.toStdString();
    request.timeLimit = m_setup.choice().timeLimit;
    m_mode = request.plan.mode;
    m_sizeLimitMib = m_setup.choice().maximumFileSizeMib;
    m_timeLimit = request.timeLimit;
    m_label = m_form->label();
    m_told = m_limitations;
    m_stopped.reset();
    m_draft.reset();
    m_closeWish = CloseWish::None;
    m_marks = 0;
    m_hasOutcome = false;
    m_gauges->clear();
    m_history->clear();
    m_bar->setElapsed(std::chrono::milliseconds(0));
    m_bar->setNote({});
    check(m_services.recorder->start(std::move(request)));
    applyState();
}

void MainWindow::tellNoAnswer() {
    applyState();
    m_strip->showMessage({tr("The folder does not answer."), QDir::toNativeSeparators(m_workFolder),
                          tr("Choose another folder, or wait until its server answers again."),
                          QStringLiteral("NoAnswer")},
                         MessageStrip::Level::Error);
}

void MainWindow::lookAgain() {
    m_isLookingAgain = true;
    m_bar->setNote(tr("Looking at what this machine can record…"));
    m_machine.ask();
}

void MainWindow::recordingStarted(const std::vector<etw::Limitation>& limitations) {
    const std::vector<LimitationText> news = limitationTexts(untold(limitations, m_told), m_services.messages);
    if (news.empty()) {
        return;
    }
    const bool isExpected = std::all_of(news.begin(), news.end(), [](const LimitationText& t) { return t.isExpected; });
    m_strip->showMessages(news, isExpected ? MessageStrip::Level::Information : MessageStrip::Level::Warning);
}

void MainWindow::mark() {
    const QString text = tr("Mark %1").arg(m_marks + 1);
    const tracedeck::Status marked = m_services.recorder->mark(text.toStdString());
    check(marked);
    if (marked) {
        ++m_marks;
        m_bar->setNote(tr("%Ln mark(s) set", nullptr, m_marks));
    }
}

void MainWindow::showStatus(const recorder::LiveStatus& status) {
    m_bar->setElapsed(status.elapsed);
    m_gauges->showStatus(status, m_mode);
    m_history->add(status);
    QStringList notes;
    if (m_marks > 0) {
        notes << tr("%Ln mark(s) set", nullptr, m_marks);
    }
    if (m_timeLimit > status.elapsed) {
        notes << tr("stops in %1")
                     .arg(Format::span(std::ceil(std::chrono::duration<double>(m_timeLimit - status.elapsed).count())));
    }
    if (const QString disk = diskText(status); !disk.isEmpty()) {
        notes << disk;
    }
    m_bar->setNote(notes.join(QStringLiteral(" · ")));
}

QString MainWindow::diskText(const recorder::LiveStatus& status) const {
    if (m_mode != plan::LoggingMode::File || status.elapsed < std::chrono::seconds(2)) {
        return {};
    }
    std::uint64_t written = 0;
    double rate = 0;
    for (const recorder::SessionStatus& session : status.sessions) {
        written += session.stats.fileSize.count;
        rate += session.bytesPerSecond;
    }
    if (rate < 1) {
        return {};
    }
    const double room =
        status.freeDisk > kFreeDiskFloor ? static_cast<double>(status.freeDisk.count - kFreeDiskFloor.count) : 0.0;
    if (m_sizeLimitMib) {
        const std::uint64_t limit = mib(*m_sizeLimitMib).count;
        const double left = limit > written ? static_cast<double>(limit - written) : 0.0;
        if (left < room) {
            return tr("%1 written, full in about %2").arg(Format::bytes(Bytes{written}), Format::span(left / rate));
        }
    }
    return tr("%1 written, disk lasts about %2").arg(Format::bytes(Bytes{written}), Format::span(room / rate));
}

void MainWindow::recordingStopped(const recorder::Stopped& recording) {
    m_stopped = recording;
    m_bar->setElapsed(recording.length);
    m_bar->setNote({});
    m_gauges->showStatus(recording.last, m_mode);
    m_stoppedPanel->showRecording(recording);
    const double seconds = std::chrono::duration<double>(recording.length).count();
    std::uint64_t bytes = 0;
    for (const recorder::SessionStatus& session : recording.last.sessions) {
        bytes += session.stats.bytesProduced;
    }
    m_lastBytesPerSecond = seconds > 0 ? static_cast<double>(bytes) / seconds : 0;
    showPlan();
    if (recording.writeError) {
        m_strip->showMessage(m_services.messages.forError(*recording.writeError), MessageStrip::Level::Warning);
        m_endProblem = m_strip->plainText();
    }
    applyState();
    if (m_closeWish == CloseWish::None) {
        openSaveDialog();
    } else {
        followWish();
    }
}

void MainWindow::fail(const Error& error) {
    m_isDiscarding = false;
    const recorder::State state = m_services.recorder->state();
    if (state == recorder::State::Idle) {
        m_stopped.reset();
    }
    applyState();
    if (m_closeWish == CloseWish::KeepThenClose && state == recorder::State::Stopped && m_stopped) {
        followWish(); // the raw files are there, which is all that was wished
        return;
    }
    if (error.code == ErrorCode::Cancelled && state == recorder::State::Stopped) {
        m_bar->setNote(tr("Nothing is lost: the recording is still there."));
        m_closeWish = CloseWish::None;
        return;
    }
    if (error.code == ErrorCode::FileExists && state == recorder::State::Stopped) {
        askToReplaceAndSave();
        return;
    }
    m_closeWish = CloseWish::None;
    tellError(error);
    if (m_isEnding) {
        m_endProblem = m_strip->plainText();
        closeForGood();
    }
}

void MainWindow::tellError(const Error& error) {
    UserMessage message = m_services.messages.forError(error);
    if (m_services.recorder->state() == recorder::State::Stopped && m_stopped) {
        message.action = tr("%1 The recording is not lost: its raw files are %2.").arg(message.action, rawFilesText());
    }
    const bool isMachines = m_services.recorder->state() == recorder::State::Idle && isAboutMachine(error.code);
    m_strip->showMessage(message, MessageStrip::Level::Error,
                         isMachines ? MessageStrip::Offer::Command : MessageStrip::Offer::Nothing);
    if (isMachines) {
        m_machine.ask(); // the form is to say what the machine says now
    }
}

void MainWindow::check(const tracedeck::Status& status) {
    if (!status) {
        fail(status.error());
    }
}

void MainWindow::openSaveDialog() {
    if (m_services.recorder->state() != recorder::State::Stopped || m_saveDialog) {
        return;
    }
    if (!m_draft) {
        m_draft = SaveDialog::Draft{m_workFolder, m_services.newFileName(m_label), {}, false};
    }
    m_saveDialog = new SaveDialog(*m_draft, m_services.folders, this);
    m_saveDialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(m_saveDialog, &QDialog::finished, this, [this](int result) {
        const SaveDialog::Answer answer = m_saveDialog->answer();
        m_draft = m_saveDialog->draft();
        m_saveDialog.clear();
        if (result == QDialog::Accepted) {
            save(answer);
        } else {
            m_closeWish = CloseWish::None;
            m_stoppedPanel->saveButton()->setFocus();
        }
    });
    m_saveDialog->open();
}

void MainWindow::save(const SaveDialog::Answer& answer) {
    m_lastAnswer = answer;
    m_strip->hide();
    recorder::SaveRequest request;
    request.path = answer.path.toStdString();
    request.replace = answer.replace;
    request.problemDescription = answer.description.toStdString();
    check(m_services.recorder->save(std::move(request)));
    applyState();
}

void MainWindow::askToReplaceAndSave() {
    askToReplace(
        QFileInfo(m_lastAnswer.path).fileName(),
        [this] {
            SaveDialog::Answer answer = m_lastAnswer;
            answer.replace = true;
            save(answer);
        },
        [this] { openSaveDialog(); }, this);
}

void MainWindow::finished(const recorder::Outcome& outcome) {
    m_hasOutcome = true;
    m_stopped.reset();
    m_health->showOutcome(outcome, m_told);
    applyState();
    m_folder.look(m_setup.choice().folder);
    if (m_lastAnswer.opensFolder) {
        m_services.openFolder(QFileInfo(m_lastAnswer.path).absolutePath());
    }
    followWish();
}

void MainWindow::askToDiscard() {
    ui::askToDiscard(
        [this] {
            const tracedeck::Status discarded = m_services.recorder->discard();
            m_isDiscarding = discarded.has_value();
            check(discarded);
            applyState();
        },
        this);
}

// ---- closing

bool MainWindow::holdsRecording() const {
    return m_services.recorder->state() != recorder::State::Idle;
}

QString MainWindow::rawFilesText() const {
    return m_stopped ? Words::rawFiles(*m_stopped) : QString();
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_mayClose || !holdsRecording()) {
        m_isPreparing = false; // nothing was recorded yet, and nothing will be
        event->accept();
        if (!std::exchange(m_hasEnded, true)) {
            Q_EMIT ended(m_stopped ? toStringList(m_stopped->rawFiles) : QStringList(), m_endProblem);
        }
        return;
    }
    event->ignore();
    askBeforeClosing();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    // Whoever comes back from a terminal may have followed a remedy there.
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && !holdsRecording() && !m_isPreparing &&
        m_form->planPanel()->lookAgainButton()->isVisibleTo(this)) {
        m_machine.ask();
    }
}

void MainWindow::askBeforeClosing() {
    if (m_closeQuestion) {
        return;
    }
    if (m_saveDialog) {
        m_saveDialog->reject();
    }
    const recorder::State state = m_services.recorder->state();
    CloseQuestion question;
    question.isRunning = state == recorder::State::Recording || state == recorder::State::Starting;
    question.rawFiles = rawFilesText();
    question.isInMemory = m_stopped && !m_stopped->inMemory.empty();
    question.workFolder = m_workFolder;
    question.save = [this] { wishToClose(CloseWish::SaveThenClose); };
    question.keep = [this, isTold = m_stopped.has_value()] {
        m_hasToldRawFiles = isTold;
        wishToClose(CloseWish::KeepThenClose);
    };
    m_closeQuestion = ui::askBeforeClosing(std::move(question), this);
}

void MainWindow::closeKeepingRawFiles() {
    if (m_saveDialog) {
        m_saveDialog->reject();
    }
    m_isEnding = true;
    wishToClose(CloseWish::KeepThenClose);
}

void MainWindow::wishToClose(CloseWish wish) {
    m_closeWish = wish;
    followWish();
}

void MainWindow::stateChanged(recorder::State state) {
    applyState();
    // What Stopped and Idle mean is told by the signal that follows: stopped, finished, failed or discarded.
    if (state != recorder::State::Stopped && state != recorder::State::Idle) {
        followWish();
    }
}

void MainWindow::followWish() {
    const recorder::State state = m_services.recorder->state();
    if (m_isDiscarding || (state == recorder::State::Stopped && !m_stopped)) {
        return; // the signal that ends this comes back here
    }
    switch (nextStep(m_closeWish, state)) {
    case CloseStep::Wait:
        break;
    case CloseStep::Stop:
        check(m_services.recorder->stop());
        applyState();
        break;
    case CloseStep::AskWhereToSave:
        openSaveDialog();
        break;
    case CloseStep::CancelSave:
        check(m_services.recorder->cancelSave());
        break;
    case CloseStep::Close:
        if (m_stopped && !m_isEnding && !std::exchange(m_hasToldRawFiles, true)) {
            tellRawFiles(
                rawFilesText(), [this] { closeForGood(); }, this);
        } else {
            closeForGood();
        }
        break;
    }
}

void MainWindow::closeForGood() {
    m_mayClose = true;
    close();
}

void MainWindow::applyState() {
    const recorder::State state = m_services.recorder->state();
    Controls controls = controlsFor(state, m_setup.isReady());
    if (m_isPreparing) {
        controls = controlsFor(recorder::State::Starting, false);
    }
    const bool hasPlan = m_setup.plan() && m_setup.plan()->has_value();
    m_recordAction->setEnabled(controls.canRecord || controls.canStop);
    nameAction(m_recordAction, controls.showsLive && state != recorder::State::Stopped ? tr("&Stop") : tr("&Record"));
    m_recordAction->setIcon(paletteIcon(controls.canStop ? QStringLiteral("stop") : QStringLiteral("record")));
    m_markAction->setEnabled(controls.canMark);
    m_saveAction->setEnabled(controls.canSave);
    m_discardAction->setEnabled(controls.canDiscard);
    m_detailsAction->setEnabled(hasPlan);
    m_copyAction->setEnabled(hasPlan);
    m_lookAgainAction->setEnabled(controls.canEditForm);
    m_form->planPanel()->lookAgainButton()->setEnabled(controls.canEditForm);
    m_form->planPanel()->detailsButton()->setEnabled(hasPlan);
    m_form->planPanel()->copyButton()->setEnabled(hasPlan);
    m_form->setEditable(controls.canEditForm);
    m_filterAction->setEnabled(controls.canEditForm);
    m_progress->cancelButton()->setEnabled(controls.canCancelSave);
    if (controls.showsProgress) {
        m_progress->setStage(state);
    }

    const bool isIdle = state == recorder::State::Idle && !m_isPreparing;
    m_hint->setVisible(isIdle && !m_hasOutcome);
    m_health->setVisible(isIdle && m_hasOutcome);
    m_live->setVisible(controls.showsLive);
    m_stoppedPanel->setVisible(controls.showsStopped);
    m_progress->setVisible(controls.showsProgress);
    if (isIdle) {
        m_bar->setState(m_setup.isReady() ? Words::state(state, m_mode) : tr("Not ready"));
        // Other news stay until there is something new to say about the form.
        if (const QString obstacle = obstacleText(); m_obstacle != obstacle) {
            m_obstacle = obstacle;
            m_bar->setNote(obstacle);
        }
    } else {
        m_obstacle.reset();
        m_bar->setState(Words::state(m_isPreparing ? recorder::State::Starting : state, m_mode));
    }
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/main_window.h"

#include "ui/command_line.h"
#include "ui/details_dialog.h"
#include "ui/format.h"
#include "ui/health_card.h"
#include "ui/live_pane.h"
#include "ui/options_panel.h"
#include "ui/palette_icon.h"
#include "ui/plan_panel.h"
#include "ui/plan_words.h"
#include "ui/profile_panel.h"
#include "ui/progress_panel.h"
#include "ui/questions.h"
#include "ui/recording_bar.h"
#include "ui/recording_form.h"
#include "ui/stopped_panel.h"
#include "ui/unfinished_flow.h"
#include "ui/window_actions.h"

#include <QAction>
#include <QClipboard>
#include <QCloseEvent>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QPushButton>

#include <algorithm>
#include <utility>

namespace tracedeck::ui {
namespace {

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

} // namespace

MainWindow::MainWindow(Services services, QWidget* parent)
    : QMainWindow(parent), m_services(std::move(services)), m_machine(m_services.capabilities),
      m_folder(m_services.folders), m_setup(m_machine, m_folder), m_actions(new WindowActions(this)),
      m_saving(new SaveFlow(*m_services.recorder, m_services.folders, m_services.newFileName, this)),
      m_closing(new CloseFlow(*m_services.recorder, m_recording, this)) {
    setWindowTitle(tr("Tracedeck"));
    setWindowIcon(applicationIcon());
    m_profiles.setProfiles(profilesOf(*m_services.catalog));
    m_panes = new WindowPanes({&m_profiles, m_actions, &m_services.messages, m_services.clock}, this);
    m_view.emplace(SetupView::Model{m_machine, m_folder, m_setup, m_services.messages}, form());
    m_unfinished = new UnfinishedFlow({*m_services.recorder, m_recording, m_setup.profiles(), form()->presets()},
                                      unfinishedBar(), this);
    setCentralWidget(m_panes);
    m_actions->createMenus(this);
    connectActions();
    connectFlows();
    connectRecorder();

    m_folderTimer.setSingleShot(true);
    m_folderTimer.setInterval(300);
    connect(&m_folderTimer, &QTimer::timeout, this, [this] { m_folder.look(m_setup.choice().folder); });
    connect(&m_folder, &FolderProbe::changed, this, [this] { form()->options()->showFolder(m_folder.facts()); });
    connect(&m_setup, &RecordingSetup::changed, this, &MainWindow::setupChanged);
    connect(&m_machine, &Machine::changed, this, [this] {
        m_isLookingAgain = false;
        m_view->showPresets();
    });
    connect(&m_machine, &Machine::unchanged, this, [this] {
        if (std::exchange(m_isLookingAgain, false)) {
            bar()->setNote(tr("Nothing has changed since."));
        }
    });
    connect(form(), &RecordingForm::choiceChanged, this, &MainWindow::choiceChanged);

    m_setup.setProfiles(m_profiles.profiles());
    m_view->showPresets();
    form()->chooseFirstPreset();
    RecordingChoice choice = form()->choice();
    choice.folder = m_services.defaultFolder;
    form()->setChoice(choice);
    m_folderTimer.stop();
    m_folder.look(choice.folder);
    if (!m_services.catalog->refused().empty()) {
        strip()->showMessage(m_services.messages.forError(m_services.catalog->refused().front().error),
                             MessageStrip::Level::Warning);
    }
    resize(960, 760);
}

MainWindow::~MainWindow() {
    // The views go before the models that they show, which are members.
    delete takeCentralWidget();
}

void MainWindow::connectActions() {
    connect(m_actions->record(), &QAction::triggered, this, &MainWindow::recordOrStop);
    connect(m_actions->mark(), &QAction::triggered, this, &MainWindow::mark);
    connect(m_actions->save(), &QAction::triggered, m_saving, &SaveFlow::open);
    connect(m_actions->discard(), &QAction::triggered, this, &MainWindow::askToDiscard);
    connect(m_actions->copy(), &QAction::triggered, this, &MainWindow::copyCommand);
    connect(m_actions->lookAgain(), &QAction::triggered, this, &MainWindow::lookAgain);
    connect(m_actions->details(), &QAction::triggered, this, &MainWindow::showDetails);
    connect(m_actions->filter(), &QAction::triggered, this, [this] { form()->profilePanel()->focusFilter(); });
    connect(m_actions->openFolder(), &QAction::triggered, this, [this] {
        m_services.openFolder(m_hasOutcome ? QFileInfo(healthCard()->path()).absolutePath() : m_setup.choice().folder);
    });
    connect(m_actions->quit(), &QAction::triggered, this, &QWidget::close);
}

void MainWindow::connectFlows() {
    connect(m_panes->progress()->cancelButton(), &QPushButton::clicked, this,
            [this] { check(m_services.recorder->cancelSave()); });
    connect(m_saving, &SaveFlow::requested, this, &MainWindow::save);
    connect(m_saving, &SaveFlow::left, this, [this] {
        m_closing->forget();
        m_panes->stoppedPanel()->saveButton()->setFocus();
    });
    connect(m_closing, &CloseFlow::stopWished, this, [this] {
        check(m_services.recorder->stop());
        applyState();
    });
    connect(m_closing, &CloseFlow::letGoOnWished, this, [this] { check(m_services.recorder->detach()); });
    connect(m_closing, &CloseFlow::saveWished, m_saving, &SaveFlow::open);
    connect(m_closing, &CloseFlow::cancelSaveWished, this, [this] { check(m_services.recorder->cancelSave()); });
    connect(m_closing, &CloseFlow::closeWished, this, &QWidget::close);
    connect(m_unfinished, &UnfinishedFlow::adopting, this, &MainWindow::recordingAdopted);
    connect(m_unfinished, &UnfinishedFlow::refused, this, &MainWindow::fail);
    connect(m_unfinished, &UnfinishedFlow::left, this, [this] { bar()->recordButton()->setFocus(); });
}

void MainWindow::lookForUnfinished() {
    m_unfinished->look();
}

void MainWindow::connectRecorder() {
    recorder::Recorder* recorder = m_services.recorder;
    connect(recorder, &recorder::Recorder::stateChanged, this, &MainWindow::stateChanged);
    connect(recorder, &recorder::Recorder::started, this, &MainWindow::recordingStarted);
    connect(recorder, &recorder::Recorder::statusChanged, this, [this](const recorder::LiveStatus& status) {
        bar()->setElapsed(status.elapsed);
        bar()->setNote(m_panes->live()->showStatus(status));
    });
    connect(recorder, &recorder::Recorder::progressChanged, m_panes->progress(), &ProgressPanel::showProgress);
    connect(recorder, &recorder::Recorder::stopped, this, &MainWindow::recordingStopped);
    connect(recorder, &recorder::Recorder::finished, this, &MainWindow::finished);
    connect(recorder, &recorder::Recorder::failed, this, &MainWindow::fail);
    connect(recorder, &recorder::Recorder::discarded, this, [this] {
        m_recording.isDiscarding = false;
        m_recording.stopped.reset();
        applyState();
        bar()->setNote(tr("The recording was discarded."));
        m_closing->follow();
    });
    connect(recorder, &recorder::Recorder::detached, this, [this] {
        applyState();
        m_closing->follow();
    });
}

void MainWindow::choiceChanged() {
    const RecordingChoice choice = form()->choice();
    const bool isOtherFolder = choice.folder != m_setup.choice().folder;
    m_setup.setChoice(choice);
    if (isOtherFolder) {
        m_folderTimer.start();
    }
}

void MainWindow::setupChanged() {
    m_view->show();
    applyState();
    if (m_setup.isReady() && strip()->isOffering()) {
        strip()->hide(); // what it complained of has been mended
    }
    // Two clicks to a recording: the first key press finds the big button.
    if (!m_wasReady && m_setup.isReady()) {
        m_wasReady = true;
        bar()->recordButton()->setFocus();
    }
}

void MainWindow::setCosts(plan::CostHistory costs) {
    m_view->setCosts(std::move(costs));
    m_view->show();
}

void MainWindow::copyCommand() {
    RecordingChoice choice = form()->choice();
    // The command line adds nothing of its own accord.
    choice.profiles.clear();
    for (const plan::Selection& selection : m_setup.selected().selections) {
        choice.profiles << fromUtf8(selection.name);
    }
    const QString name = m_services.newFileName(form()->label());
    const QString command = commandLine(choice, QDir(choice.folder).filePath(name));
    const FolderFacts& facts = m_folder.facts();
    const bool isThere = facts.path == choice.folder &&
                         (facts.state == FolderFacts::State::Usable || facts.state == FolderFacts::State::ReadOnly);
    QGuiApplication::clipboard()->setText(isThere ? command : creatingFolder(choice.folder, command));
    bar()->setNote(tr("The command is in the clipboard."));
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
    strip()->hide();
    m_isPreparing = true;
    m_recording.workFolder = m_setup.choice().folder;
    applyState();
    m_folder.create(m_recording.workFolder, this, [this](std::optional<bool> isUsable) { folderIsThere(isUsable); });
}

void MainWindow::folderIsThere(std::optional<bool> isUsable) {
    if (!std::exchange(m_isPreparing, false)) {
        return; // the window was closed meanwhile
    }
    if (!isUsable) {
        m_folder.look(m_recording.workFolder);
        tellNoAnswer();
        return;
    }
    if (!*isUsable || !m_setup.isReady()) {
        fail(Error{*isUsable ? ErrorCode::WrongState : ErrorCode::AccessDenied, m_recording.workFolder.toStdString(),
                   0});
        m_folder.look(m_recording.workFolder);
        return;
    }
    m_folder.look(m_recording.workFolder); // it may have been created just now
    recorder::Request request;
    request.plan = **m_setup.plan();
    request.workFolder = m_recording.workFolder.toStdString();
    request.timeLimit = m_setup.choice().timeLimit;
    request.whenDiskShort =
        m_setup.choice().keepsNewest ? recorder::WhenDiskShort::KeepNewest : recorder::WhenDiskShort::StopAndSave;
    m_recording.plan = request.plan;
    m_recording.machine = *m_machine.capabilities();
    m_recording.label = form()->label();
    m_recording.told = m_view->limitations();
    m_recording.stopped.reset();
    m_recording.adoption = RecordingAtHand::Adoption::None;
    m_saving->begin(m_recording.workFolder, m_recording.label);
    m_closing->forget();
    m_hasOutcome = false;
    m_panes->live()->begin({request.plan.mode, m_setup.choice().maximumFileSizeMib, request.timeLimit});
    bar()->setElapsed(std::chrono::milliseconds(0));
    bar()->setNote({});
    check(m_services.recorder->start(std::move(request)));
    applyState();
}

void MainWindow::tellNoAnswer() {
    applyState();
    strip()->showMessage({tr("The folder does not answer."), QDir::toNativeSeparators(m_recording.workFolder),
                          tr("Choose another folder, or wait until its server answers again."),
                          QStringLiteral("NoAnswer")},
                         MessageStrip::Level::Error);
}

void MainWindow::lookAgain() {
    m_isLookingAgain = true;
    bar()->setNote(tr("Looking at what this machine can record…"));
    m_machine.ask();
}

void MainWindow::recordingAdopted(const recorder::JournalEntry& entry) {
    strip()->hide();
    m_closing->forget();
    if (!m_recording.isUnseen()) {
        std::optional<std::uint32_t> fileSizeMib;
        for (const recorder::JournalEntry::Session& session : entry.sessions) {
            if (session.maximumFileSizeMib > 0) {
                fileSizeMib = std::max(fileSizeMib.value_or(0), session.maximumFileSizeMib);
            }
        }
        m_saving->begin(m_recording.workFolder, m_recording.label);
        m_hasOutcome = false;
        m_panes->live()->begin({entry.mode, fileSizeMib, entry.timeLimit, static_cast<int>(entry.marks)});
        bar()->setElapsed({});
        bar()->setNote({});
    }
    applyState();
}

void MainWindow::recordingStarted(const std::vector<etw::Limitation>& limitations) {
    if (m_unfinished->hasArrived()) {
        return;
    }
    if (m_recording.isAdopted()) {
        applyState();
        bar()->recordButton()->setFocus(); // the offer had it
    }
    const std::vector<LimitationText> news =
        limitationTexts(untold(limitations, m_recording.told), m_services.messages);
    if (news.empty()) {
        return;
    }
    const bool isExpected = std::all_of(news.begin(), news.end(), [](const LimitationText& t) { return t.isExpected; });
    strip()->showMessages(news, isExpected ? MessageStrip::Level::Information : MessageStrip::Level::Warning);
}

void MainWindow::mark() {
    const QString text = tr("Mark %1").arg(m_panes->live()->marks() + 1);
    const tracedeck::Status marked = m_services.recorder->mark(text.toStdString());
    check(marked);
    if (marked) {
        bar()->setNote(m_panes->live()->addMark());
    }
}

void MainWindow::recordingStopped(const recorder::Stopped& recording) {
    if (m_unfinished->hasArrived()) {
        return;
    }
    m_recording.stopped = recording;
    bar()->setElapsed(m_recording.isCutOff() ? std::nullopt : std::optional(recording.length));
    bar()->setNote({});
    m_panes->live()->showLast(recording.last);
    m_panes->stoppedPanel()->showRecording(recording);
    if (m_services.noteCost && !m_recording.isAdopted()) { // the plan of another run, or of another version
        m_services.noteCost(m_recording.plan, m_recording.machine, recording);
    }
    if (recording.writeError) {
        strip()->showMessage(m_services.messages.forError(*recording.writeError), MessageStrip::Level::Warning);
        m_endProblem = strip()->plainText();
    }
    applyState();
    if (m_closing->wish() == CloseWish::None) {
        m_saving->open();
    } else {
        m_closing->follow();
    }
}

void MainWindow::fail(const Error& error) {
    m_recording.isDiscarding = false;
    const recorder::State state = m_services.recorder->state();
    if (state == recorder::State::Idle) {
        m_recording.stopped.reset();
    }
    applyState();
    if (m_closing->wish() == CloseWish::KeepThenClose && state == recorder::State::Stopped && m_recording.stopped) {
        m_closing->follow(); // the raw files are there, which is all that was wished
        return;
    }
    if (error.code == ErrorCode::Cancelled && state == recorder::State::Stopped) {
        bar()->setNote(tr("Nothing is lost: the recording is still there."));
        m_closing->forget();
        return;
    }
    if (error.code == ErrorCode::FileExists && state == recorder::State::Stopped) {
        m_saving->askToReplace();
        return;
    }
    m_closing->forget();
    tellError(error);
    if (m_closing->isEnding()) {
        m_endProblem = strip()->plainText();
        m_closing->close();
    }
}

void MainWindow::tellError(const Error& error) {
    if (const auto news = m_unfinished->messageFor(error, m_services.messages)) {
        strip()->showMessage(*news, MessageStrip::Level::Error);
        return;
    }
    UserMessage message = m_services.messages.forError(error);
    if (m_services.recorder->state() == recorder::State::Stopped && m_recording.stopped) {
        message.action = tr("%1 The recording is not lost: its raw files are %2.")
                             .arg(message.action, Words::rawFiles(*m_recording.stopped));
    }
    const bool isMachines = m_services.recorder->state() == recorder::State::Idle && isAboutMachine(error.code);
    strip()->showMessage(message, MessageStrip::Level::Error,
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

void MainWindow::save(const SaveDialog::Answer& answer) {
    strip()->hide();
    recorder::SaveRequest request;
    request.path = answer.path.toStdString();
    request.replace = answer.replace;
    request.problemDescription = answer.description.toStdString();
    check(m_services.recorder->save(std::move(request)));
    applyState();
}

void MainWindow::finished(const recorder::Outcome& outcome) {
    m_hasOutcome = true;
    m_recording.stopped.reset();
    healthCard()->showOutcome(outcome, m_recording.told);
    applyState();
    m_folder.look(m_setup.choice().folder);
    if (const SaveDialog::Answer& answer = m_saving->lastAnswer(); answer.opensFolder) {
        m_services.openFolder(QFileInfo(answer.path).absolutePath());
    }
    m_closing->follow();
}

void MainWindow::askToDiscard() {
    ui::askToDiscard(
        [this] {
            const tracedeck::Status discarded = m_services.recorder->discard();
            m_recording.isDiscarding = discarded.has_value();
            check(discarded);
            applyState();
        },
        this);
}

void MainWindow::closeEvent(QCloseEvent* event) {
    if (m_closing->mayClose()) {
        m_isPreparing = false; // nothing was recorded yet, and nothing will be
        event->accept();
        if (!std::exchange(m_hasEnded, true)) {
            const std::optional<recorder::Stopped>& stopped = m_recording.stopped;
            Q_EMIT ended(stopped ? toStringList(stopped->rawFiles) : QStringList(), m_endProblem);
        }
        return;
    }
    event->ignore();
    m_saving->leave();
    m_closing->ask();
}

void MainWindow::changeEvent(QEvent* event) {
    QMainWindow::changeEvent(event);
    // Whoever comes back from a terminal may have followed a remedy there.
    if (event->type() == QEvent::ActivationChange && isActiveWindow() && !holdsRecording() && !m_isPreparing &&
        form()->planPanel()->lookAgainButton()->isVisibleTo(this)) {
        m_machine.ask();
    }
}

void MainWindow::closeKeepingRawFiles() {
    m_saving->leave();
    m_closing->keepRawFiles();
}

void MainWindow::stateChanged(recorder::State state) {
    applyState();
    if (state == recorder::State::Idle && m_closing->wish() == CloseWish::None) {
        m_unfinished->look();
    }
    // What Stopped and Idle mean is told by the signal that follows: stopped, finished, failed or discarded.
    if (state != recorder::State::Stopped && state != recorder::State::Idle) {
        m_closing->follow();
    }
}

QString MainWindow::stateText() const {
    if (m_recording.isUnseen()) {
        return tr("Discarding…");
    }
    if (m_recording.isArriving) {
        return tr("Taking the recording over…");
    }
    return Words::state(m_isPreparing ? recorder::State::Starting : m_services.recorder->state(),
                        m_panes->live()->mode());
}

void MainWindow::applyState() {
    const recorder::State state = m_services.recorder->state();
    const bool isIdle = state == recorder::State::Idle && !m_isPreparing;
    m_unfinished->setIdle(isIdle);
    WindowPanes::View view;
    view.state = m_recording.isUnseen() ? recorder::State::Idle : state;
    view.controls =
        m_isPreparing ? controlsFor(recorder::State::Starting, false) : controlsFor(state, m_setup.isReady());
    if (m_recording.isUnseen()) {
        view.controls = {};
    }
    // Of a recording that was cut off nobody knows the numbers.
    view.controls.showsLive = view.controls.showsLive && !m_recording.isArriving && !m_recording.isCutOff();
    view.isIdle = isIdle || m_recording.isUnseen();
    view.hasPlan = m_setup.plan() && m_setup.plan()->has_value();
    view.hasOutcome = m_hasOutcome;
    m_actions->applyState(view.state, view.controls, view.hasPlan);
    m_panes->show(view);
    if (!isIdle) {
        m_obstacle.reset();
        bar()->setState(stateText());
        return;
    }
    bar()->setState(m_setup.isReady() ? Words::state(state, m_panes->live()->mode()) : tr("Not ready"));
    // Other news stay until there is something new to say about the form.
    if (const QString obstacle = m_view->obstacleText(); m_obstacle != obstacle) {
        m_obstacle = obstacle;
        bar()->setNote(obstacle);
    }
}

} // namespace tracedeck::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/user_message.h"

#ifndef Q_MOC_RUN
#include "core/etl/summary.h"
#include "core/plan/plan.h"
#include "core/recorder/recorder.h"
#endif

#include <QCoreApplication>
#include <QString>

#include <vector>

namespace tracedeck::ui {

/// What is told about one reason: the objects that it concerns are in message.evidence.
struct LimitationText {
    UserMessage message;
    bool isExpected = false; ///< a property of the platform that the user cannot change, not a lack of rights
};

/// A plan and a recording in words for people.
///
/// Threading: UI thread.
class Words {
    Q_DECLARE_TR_FUNCTIONS(tracedeck::ui::Words)
public:
    /// "Samples of what each processor runs, context switches and processes, with stacks."
    [[nodiscard]] static QString whatIsRecorded(const plan::RecordingPlan& plan);
    /// "Buffers take 232 MB of this machine's 16 GB of memory."
    [[nodiscard]] static QString memory(const plan::RecordingPlan& plan, Bytes physicalMemory);
    /// "CSwitch, Power and 8 more".
    [[nodiscard]] static QString andMore(const QString& listed, int more);
    [[nodiscard]] static QString keyword(const std::string& name);
    [[nodiscard]] static QString sessionName(plan::PlannedSession::Kind kind);
    [[nodiscard]] static QString state(recorder::State state, plan::LoggingMode mode);
    [[nodiscard]] static QString stopReason(recorder::StopReason reason);
    [[nodiscard]] static QString finding(const etl::Finding& finding);
    [[nodiscard]] static QString severity(plan::Severity severity);
    /// "system.etl and events.etl in /home/me/.tracedeck-cpu-4711-1": files of one folder.
    [[nodiscard]] static QString files(const std::vector<std::string>& paths);
    /// Where the raw files of a stopped recording are, to follow "its raw files are".
    /// "DiskIO (in part)": of what is missing.
    [[nodiscard]] static QString inPart(const QString& name);
    [[nodiscard]] static QString rawFiles(const recorder::Stopped& recording);
};

/// What the machine or the plan leaves out, one entry per reason, what the user can change first.
[[nodiscard]] std::vector<LimitationText> limitationTexts(const std::vector<etw::Limitation>& limitations,
                                                          const MessageCatalog& messages);
/// The limitations of the machine and of the plan.
[[nodiscard]] std::vector<etw::Limitation> limitationsOf(const plan::RecordingPlan& plan,
                                                         const etw::Capabilities& capabilities);
/// What of the profiles' wishes the machine is the reason to leave out.
[[nodiscard]] std::vector<etw::Limitation> leftOut(const plan::RecordingPlan& plan);
/// Those of `found` that were not told by `told`: neither the same kind nor, where a kind concerns single keywords,
/// stacks or providers, the same object.
[[nodiscard]] std::vector<etw::Limitation> untold(const std::vector<etw::Limitation>& found,
                                                  const std::vector<etw::Limitation>& told);
/// Somebody with the rights can lift it while the program runs; what the platform lacks stays as it is.
[[nodiscard]] bool canBeLifted(etw::LimitationCode code) noexcept;
/// Everything of the machine that canBeLifted(), refused keywords included.
[[nodiscard]] std::vector<etw::Limitation> liftableLimitations(const etw::Capabilities& capabilities);

} // namespace tracedeck::ui

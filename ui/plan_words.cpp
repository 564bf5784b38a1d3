// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plan_words.h"

#include "ui/format.h"

#include <QDir>
#include <QFileInfo>
#include <QUuid>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>

namespace tracedeck::ui {
namespace {

struct KeywordWords {
    const char* name;
    const char* words;
};

// What a WPR keyword records, for people. Names that are not here are shown as they are.
constexpr std::array kKeywords{
    KeywordWords{"SampledProfile", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "samples of what each processor runs")},
    KeywordWords{"CSwitch", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "which thread runs when")},
    KeywordWords{"ReadyThread", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "which thread wakes another")},
    KeywordWords{"ProcessThread", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "processes and threads")},
    KeywordWords{"Loader", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "programs and libraries in use")},
    KeywordWords{"DiskIO", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "disk reads and writes")},
    KeywordWords{"DiskIOInit", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "who starts disk reads and writes")},
    KeywordWords{"FileIO", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "file operations")},
    KeywordWords{"FileIOInit", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "who starts file operations")},
    KeywordWords{"Filename", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "file names")},
    KeywordWords{"HardFaults", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "memory that is read from disk")},
    KeywordWords{"Registry", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "registry operations")},
    KeywordWords{"NetworkTrace", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "network sends and receives")},
    KeywordWords{"DPC", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "deferred driver work")},
    KeywordWords{"Interrupt", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "interrupts")},
    KeywordWords{"Power", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "power states")},
    KeywordWords{"ProcessCounter", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "memory counters of processes")},
    KeywordWords{"MemoryInfo", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "memory use of the system")},
    KeywordWords{"CpuConfig", QT_TRANSLATE_NOOP("tracedeck::ui::Words", "system configuration")},
};

/// The first few, names before bare GUIDs; all of them are in the details.
QString shortened(QStringList objects) {
    constexpr qsizetype kMost = 6;
    std::stable_partition(objects.begin(), objects.end(),
                          [](const QString& object) { return QUuid::fromString(object).isNull(); });
    const qsizetype left = objects.size() - kMost;
    QString text = objects.mid(0, kMost).join(QStringLiteral(", "));
    return left <= 0 ? text : Words::andMore(text, static_cast<int>(left));
}

/// Its detail names the one thing that it concerns.
bool isAboutObject(etw::LimitationCode code) {
    using enum etw::LimitationCode;
    return code == KeywordNotOnThisPlatform || code == KeywordNotServed || code == StackNotServed ||
           code == ProviderNotOnThisPlatform;
}

bool isExpected(etw::LimitationCode code) noexcept {
    using enum etw::LimitationCode;
    switch (code) {
    case KeywordNotOnThisPlatform:
    case KeywordNotServed:
    case StackNotServed:
    case ProviderNotOnThisPlatform:
    case ShortStacks:
    case ImageUnloadUnseen:
    case FeatureNotServed:
        return true;
    case PerfEventParanoid:
    case NoPerfEvents:
    case NoTracefs:
    case MlockLimit:
    case KernelPointersHidden:
    case ProcUnreadable:
    case ProfilerTimerCoarse:
    case NotElevated:
    case EventsUnreported:
    case PidNamespace:
    case DescriptorLimit:
    case ImageFilesUntouched:
    case ProcessorsUnrecorded:
    case RingNotShared:
        return false;
    }
    return false;
}

} // namespace

QString Words::keyword(const std::string& name) {
    const auto known = std::find_if(kKeywords.begin(), kKeywords.end(),
                                    [&](const KeywordWords& keyword) { return name == keyword.name; });
    return known == kKeywords.end() ? fromUtf8(name) : tr(known->words);
}

QString Words::whatIsRecorded(const plan::RecordingPlan& plan) {
    QStringList parts;
    std::size_t providers = 0;
    bool hasStacks = false;
    // In the order of the table, which goes from what matters most.
    std::vector<std::string> keywords;
    for (const plan::PlannedSession& session : plan.sessions) {
        keywords.insert(keywords.end(), session.keywords.begin(), session.keywords.end());
        // The recorder's own provider is always there and says nothing about what was chosen.
        providers += static_cast<std::size_t>(
            std::count_if(session.providers.begin(), session.providers.end(),
                          [](const etw::ProviderConfig& provider) { return provider.name != kOwnProviderName; }));
        hasStacks = hasStacks || !session.stacks.empty();
    }
    for (const KeywordWords& known : kKeywords) {
        if (const auto found = std::find(keywords.begin(), keywords.end(), known.name); found != keywords.end()) {
            parts << tr(known.words);
            keywords.erase(found);
        }
    }
    for (const std::string& name : keywords) {
        parts << fromUtf8(name);
    }
    if (providers > 0) {
        parts << tr("%Ln source(s) of program events", nullptr, static_cast<int>(providers));
    }
    QString sentence =
        hasStacks ? tr("%1, with call stacks.").arg(Format::list(parts)) : tr("%1.").arg(Format::list(parts));
    sentence[0] = sentence[0].toUpper();
    return sentence;
}

QString Words::andMore(const QString& listed, int more) {
    //: %1 is a list of names that is cut short
    return tr("%1 and %Ln more", nullptr, more).arg(listed);
}

QString Words::memory(const plan::RecordingPlan& plan, Bytes physicalMemory) {
    const QString buffers = Format::bytes(plan.bufferMemory());
    if (physicalMemory.count == 0) {
        return tr("Buffers take %1 of memory.").arg(buffers);
    }
    const double share = static_cast<double>(plan.bufferMemory().count) / static_cast<double>(physicalMemory.count);
    return tr("Buffers take %1 of memory (%2 of what this machine has).").arg(buffers, Format::percent(share, 1));
}

QString Words::sessionName(plan::PlannedSession::Kind kind) {
    using enum plan::PlannedSession::Kind;
    switch (kind) {
    case System:
        return tr("System");
    case Event:
        return tr("Events");
    case Heap:
        return tr("Heap");
    case Hypervisor:
        return tr("Hypervisor");
    }
    return {};
}

QString Words::state(recorder::State state, plan::LoggingMode mode) {
    using enum recorder::State;
    switch (state) {
    case Idle:
        return tr("Ready");
    case Starting:
        return tr("Starting…");
    case Recording:
        return mode == plan::LoggingMode::Memory ? tr("Recording in memory") : tr("Recording in a file");
    case Stopping:
        return tr("Stopping…");
    case Stopped:
        return tr("Stopped, not saved yet");
    case Saving:
        return tr("Saving…");
    case Verifying:
        return tr("Checking the saved file…");
    }
    return {};
}

QString Words::stopReason(recorder::StopReason reason) {
    using enum recorder::StopReason;
    switch (reason) {
    case User:
        return tr("You stopped the recording.");
    case TimeLimit:
        return tr("The time that was set is over.");
    case DiskFull:
        return tr("The disk is nearly full, so the recording was stopped. What fitted is kept.");
    case SizeLimit:
        return tr("The size that was set is reached. Everything up to that point is kept.");
    case WriteFailed:
        return tr("The disk failed, so the recording was stopped. What was written until then is kept.");
    case SourceFailed:
        return tr("The system stopped giving events. What came until then is kept.");
    case RecorderEnded:
        return tr("The program was ended before the recording was saved.");
    }
    return {};
}

QString Words::finding(const etl::Finding& finding) {
    using enum etl::Finding::Code;
    const int count = static_cast<int>(std::min<std::uint64_t>(finding.count, 1'000'000'000));
    switch (finding.code) {
    case NotClosed:
        return tr("The recording was not closed properly.");
    case Truncated:
        return tr("The file ends too early.");
    case DamagedBuffer:
        return tr("%Ln part(s) of the file are damaged.", nullptr, count);
    case TimeDisorder:
        return tr("%Ln event(s) are out of order.", nullptr, count);
    case SequenceGap:
        return tr("%Ln part(s) of the file are missing or repeated.", nullptr, count);
    case CountMismatch:
        return tr("The file does not hold as much as it says.");
    case StackWithoutEvent:
        return tr("%Ln call stack(s) belong to no event.", nullptr, count);
    case EventsLost:
        return tr("Events were lost.");
    case NoEvents:
        return tr("The file holds no events.");
    case ProcessorOutOfRange:
        return tr("%Ln event(s) name a processor that does not exist.", nullptr, count);
    }
    return {};
}

QString Words::severity(plan::Severity severity) {
    switch (severity) {
    case plan::Severity::Note:
        return tr("Note");
    case plan::Severity::Warning:
        return tr("Warning");
    case plan::Severity::Error:
        return tr("Error");
    }
    return {};
}

QString Words::files(const std::vector<std::string>& paths) {
    if (paths.empty()) {
        return {};
    }
    QStringList names;
    for (const std::string& path : paths) {
        names << QFileInfo(fromUtf8(path)).fileName();
    }
    //: names of files, and the folder that they are in
    return tr("%1 in %2").arg(Format::list(names), QDir::toNativeSeparators(QFileInfo(fromUtf8(paths.front())).path()));
}

QString Words::inPart(const QString& name) {
    //: %1: a keyword of which some events are recorded and some are not
    return tr("%1 (in part)").arg(name);
}

QString Words::rawFiles(const recorder::Stopped& recording) {
    QString written = files(recording.rawFiles);
    if (recording.inMemory.empty()) {
        return written;
    }
    //: follows "its raw files are"
    return written.isEmpty() ? tr("still in memory, because they could not be written")
                             //: follows "its raw files are"
                             : tr("%1; the others are still in memory, because they could not be written").arg(written);
}

std::vector<LimitationText> limitationTexts(const std::vector<etw::Limitation>& limitations,
                                            const MessageCatalog& messages) {
    struct Group {
        etw::LimitationCode code;
        LimitationText text;
        QStringList evidence;
    };
    std::vector<Group> groups;
    for (const etw::Limitation& limitation : limitations) {
        const UserMessage message = messages.forLimitation(limitation);
        auto group = std::find_if(groups.begin(), groups.end(),
                                  [&](const Group& known) { return known.code == limitation.code; });
        if (group == groups.end()) {
            groups.push_back({limitation.code, {message, isExpected(limitation.code)}, {}});
            group = std::prev(groups.end());
        }
        if (!message.evidence.isEmpty() && !group->evidence.contains(message.evidence)) {
            group->evidence << message.evidence;
        }
    }
    std::stable_partition(groups.begin(), groups.end(), [](const Group& group) { return !group.text.isExpected; });
    std::vector<LimitationText> texts;
    for (Group& group : groups) {
        group.text.message.evidence = shortened(group.evidence);
        texts.push_back(std::move(group.text));
    }
    return texts;
}

std::vector<etw::Limitation> limitationsOf(const plan::RecordingPlan& plan, const etw::Capabilities& capabilities) {
    std::vector<etw::Limitation> limitations = capabilities.limitations;
    const std::vector<etw::Limitation> more = leftOut(plan);
    limitations.insert(limitations.end(), more.begin(), more.end());
    return limitations;
}

std::vector<etw::Limitation> leftOut(const plan::RecordingPlan& plan) {
    std::vector<etw::Limitation> limitations;
    for (const plan::Diagnostic& diagnostic : plan.diagnostics) {
        if (!diagnostic.limitation) {
            continue;
        }
        limitations.push_back(*diagnostic.limitation);
        if (diagnostic.detail.starts_with(plan::kIsInPart)) {
            std::string& name = limitations.back().detail;
            name = Words::inPart(fromUtf8(name)).toStdString();
        }
    }
    return limitations;
}

std::vector<etw::Limitation> untold(const std::vector<etw::Limitation>& found,
                                    const std::vector<etw::Limitation>& told) {
    std::vector<etw::Limitation> news;
    std::copy_if(found.begin(), found.end(), std::back_inserter(news), [&](const etw::Limitation& limitation) {
        return std::none_of(told.begin(), told.end(), [&](const etw::Limitation& known) {
            return known.code == limitation.code && (!isAboutObject(known.code) || known.detail == limitation.detail);
        });
    });
    return news;
}

bool canBeLifted(etw::LimitationCode code) noexcept {
    // A kernel that keeps events to itself does so for good.
    return !isExpected(code) && code != etw::LimitationCode::EventsUnreported;
}

std::vector<etw::Limitation> liftableLimitations(const etw::Capabilities& capabilities) {
    std::vector<etw::Limitation> liftable;
    for (const etw::Limitation& limitation : capabilities.limitations) {
        if (canBeLifted(limitation.code)) {
            liftable.push_back(limitation);
        }
    }
    for (const etw::Capabilities::Refused& refused : capabilities.refusedGroups) {
        if (canBeLifted(refused.limitation.code)) {
            liftable.push_back(refused.limitation);
        }
    }
    return liftable;
}

} // namespace tracedeck::ui

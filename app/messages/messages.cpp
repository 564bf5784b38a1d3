// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/messages/messages.h"

#include <cerrno>

// Marks a text for lupdate without a library.
#ifndef QT_TRANSLATE_NOOP
#define QT_TRANSLATE_NOOP(context, text) text
#endif

namespace tracedeck::messages {
namespace {

struct Text {
    const char* what = "";
    const char* action = "";
};

Text textFor(ErrorCode code) {
    switch (code) {
    case ErrorCode::InvalidArgument:
        return {QT_TRANSLATE_NOOP("messages", "This request cannot be carried out as it was given."),
                QT_TRANSLATE_NOOP("messages", "Check the settings and try again.")};
    case ErrorCode::NotSupported:
        return {QT_TRANSLATE_NOOP("messages", "This is not supported on this machine."),
                QT_TRANSLATE_NOOP("messages", "Choose another setting or another profile.")};
    case ErrorCode::Cancelled:
        return {QT_TRANSLATE_NOOP("messages", "This was cancelled."),
                QT_TRANSLATE_NOOP("messages", "Nothing that was recorded is lost; you can try again.")};
    case ErrorCode::OutOfMemory:
        return {
            QT_TRANSLATE_NOOP("messages", "There is not enough memory."),
            QT_TRANSLATE_NOOP("messages", "Close other programs, choose fewer profiles, or record with less detail.")};
    case ErrorCode::Internal:
        return {QT_TRANSLATE_NOOP("messages", "Something went wrong inside the recorder."),
                QT_TRANSLATE_NOOP("messages", "Please report this with the line of evidence.")};
    case ErrorCode::TimedOut:
        return {QT_TRANSLATE_NOOP("messages", "A program did not answer in time."),
                QT_TRANSLATE_NOOP("messages", "Try again, or end the program that the line of evidence names.")};
    case ErrorCode::FileNotFound:
        return {QT_TRANSLATE_NOOP("messages", "The file does not exist."),
                QT_TRANSLATE_NOOP("messages", "Check the name and the folder.")};
    case ErrorCode::FolderNotFound:
        return {QT_TRANSLATE_NOOP("messages", "The folder does not exist."),
                QT_TRANSLATE_NOOP("messages", "Create the folder or choose another one.")};
    case ErrorCode::FileExists:
        return {QT_TRANSLATE_NOOP("messages", "There is already a file of this name."),
                QT_TRANSLATE_NOOP("messages", "Choose another name, or say that the file is to be replaced.")};
    case ErrorCode::AccessDenied:
        return {QT_TRANSLATE_NOOP("messages", "You are not allowed to do this."),
                QT_TRANSLATE_NOOP("messages", "Choose another folder, or run again as an administrator.")};
    case ErrorCode::DiskFull:
        return {QT_TRANSLATE_NOOP("messages", "The disk is full, or has no more than it is to keep free."),
                QT_TRANSLATE_NOOP("messages", "Free some space or choose a folder on another disk.")};
    case ErrorCode::ReadFailed:
        return {QT_TRANSLATE_NOOP("messages", "The file could not be read."),
                QT_TRANSLATE_NOOP("messages", "Check the disk, or copy the file to another one and try again.")};
    case ErrorCode::WriteFailed:
        return {QT_TRANSLATE_NOOP("messages", "The file could not be written."),
                QT_TRANSLATE_NOOP("messages", "Check the disk or choose a folder on another one.")};
    case ErrorCode::ProfileMalformed:
        return {QT_TRANSLATE_NOOP("messages", "The profile file is not well-formed XML."),
                QT_TRANSLATE_NOOP("messages", "Correct the file at the place given.")};
    case ErrorCode::ProfileInvalid:
        return {QT_TRANSLATE_NOOP("messages", "The profile file says something that a profile must not say."),
                QT_TRANSLATE_NOOP("messages", "Correct the file at the place given.")};
    case ErrorCode::ProfileUnknown:
        return {QT_TRANSLATE_NOOP("messages", "There is no profile of this name."),
                QT_TRANSLATE_NOOP("messages", "Choose one of the profiles that are listed.")};
    case ErrorCode::ProfileVariantMissing:
        return {QT_TRANSLATE_NOOP("messages", "The profile does not offer this level of detail or this way of keeping "
                                              "the recording."),
                QT_TRANSLATE_NOOP("messages", "Choose one of the variants that the profile has.")};
    case ErrorCode::StrictRefused:
        return {QT_TRANSLATE_NOOP("messages", "The profile insists on something that cannot be recorded here."),
                QT_TRANSLATE_NOOP("messages", "Choose another profile, or remove Strict from that entry.")};
    case ErrorCode::NothingToRecord:
        return {QT_TRANSLATE_NOOP("messages", "Nothing of the chosen profiles can be recorded on this machine."),
                QT_TRANSLATE_NOOP("messages", "Choose other profiles, or follow what is said about each one.")};
    case ErrorCode::SessionNameTaken:
        return {QT_TRANSLATE_NOOP("messages", "Another recording of the same name is running."),
                QT_TRANSLATE_NOOP("messages", "Stop the other recording first.")};
    case ErrorCode::SessionUnknown:
        return {QT_TRANSLATE_NOOP("messages", "The recording has ended already."),
                QT_TRANSLATE_NOOP("messages", "Start a new recording.")};
    case ErrorCode::SessionLimit:
        return {QT_TRANSLATE_NOOP("messages", "Too many recordings are running on this machine."),
                QT_TRANSLATE_NOOP("messages", "Stop another recording first.")};
    case ErrorCode::SessionBadParameters:
        return {QT_TRANSLATE_NOOP("messages", "The profile asks for settings that are not allowed."),
                QT_TRANSLATE_NOOP("messages", "Choose another profile, or correct its buffers and sizes.")};
    case ErrorCode::ProviderUnknown:
        return {QT_TRANSLATE_NOOP("messages", "A source of events that the profile names does not exist here."),
                QT_TRANSLATE_NOOP("messages", "Choose another profile, or install the program that it belongs to.")};
    case ErrorCode::HostUnreachable:
        return {QT_TRANSLATE_NOOP("messages", "The service that records does not answer."),
                QT_TRANSLATE_NOOP("messages", "Start the service (tracedeck-host) and try again; what it has recorded "
                                              "is in its files.")};
    case ErrorCode::KernelEventsRefused:
        return {QT_TRANSLATE_NOOP("messages", "The kernel does not let you record what this machine does."),
                QT_TRANSLATE_NOOP("messages", "Run again as an administrator (sudo).")};
    case ErrorCode::KernelSourceBusy:
        return {QT_TRANSLATE_NOOP("messages", "Another recording of the kernel is running."),
                QT_TRANSLATE_NOOP("messages", "Stop the other recording first.")};
    case ErrorCode::KernelSourceFailed:
        return {QT_TRANSLATE_NOOP("messages", "The kernel stopped giving events."),
                QT_TRANSLATE_NOOP("messages", "Save what was recorded up to now, then start again.")};
    case ErrorCode::NotAnEtl:
        return {QT_TRANSLATE_NOOP("messages", "This is not an .etl recording."),
                QT_TRANSLATE_NOOP("messages", "Choose a file that a recorder has written.")};
    case ErrorCode::EtlDamaged:
        return {QT_TRANSLATE_NOOP("messages", "The recording is damaged."),
                QT_TRANSLATE_NOOP("messages", "Copy it again from where it came, or record again.")};
    case ErrorCode::VerificationFailed:
        return {QT_TRANSLATE_NOOP("messages", "The saved file is not what was recorded."),
                QT_TRANSLATE_NOOP("messages", "Save again to another disk; the raw recording is still there.")};
    case ErrorCode::WrongState:
        return {QT_TRANSLATE_NOOP("messages", "This is not possible at the moment."),
                QT_TRANSLATE_NOOP("messages", "Wait until the current step has ended.")};
    }
    return {};
}

Text textFor(etw::LimitationCode code) {
    using enum etw::LimitationCode;
    switch (code) {
    case PerfEventParanoid:
        return {QT_TRANSLATE_NOOP("messages", "The kernel lets only administrators record system activity."),
                QT_TRANSLATE_NOOP("messages", "Run again as root (sudo), or ask an administrator to run: sysctl "
                                              "kernel.perf_event_paranoid=-1")};
    case NoPerfEvents:
        return {QT_TRANSLATE_NOOP("messages", "The kernel gives no performance events to this program."),
                QT_TRANSLATE_NOOP("messages", "Run outside the container or sandbox as root, or with the capability "
                                              "CAP_PERFMON and a seccomp profile that allows perf_event_open.")};
    case NoTracefs:
        return {QT_TRANSLATE_NOOP("messages", "Context switches and wake-ups cannot be recorded, because the kernel's "
                                              "trace points cannot be reached."),
                QT_TRANSLATE_NOOP("messages", "Run as root, or ask an administrator to run: mount -t tracefs tracefs "
                                              "/sys/kernel/tracing")};
    case MlockLimit:
        return {QT_TRANSLATE_NOOP("messages", "The kernel's buffers had to be made smaller, so that events may be lost "
                                              "when much happens."),
                QT_TRANSLATE_NOOP("messages", "Run as root, or ask an administrator to raise "
                                              "kernel.perf_event_mlock_kb.")};
    case KernelPointersHidden:
        return {QT_TRANSLATE_NOOP("messages", "Addresses of the kernel and its modules are hidden, so that their "
                                              "functions cannot be named."),
                QT_TRANSLATE_NOOP("messages", "Run as root, or ask an administrator to run: sysctl "
                                              "kernel.kptr_restrict=0")};
    case ProcUnreadable:
        return {QT_TRANSLATE_NOOP("messages", "Some processes do not show their command line or the code they have "
                                              "loaded."),
                QT_TRANSLATE_NOOP("messages", "Run as root; what a container or a security module refuses stays "
                                              "hidden.")};
    case ShortStacks:
        return {QT_TRANSLATE_NOOP("messages", "Stacks of code without frame pointers end early."),
                QT_TRANSLATE_NOOP("messages", "Build the program that you look at with -fno-omit-frame-pointer.")};
    case KeywordNotOnThisPlatform:
        return {QT_TRANSLATE_NOOP("messages", "This kind of kernel event does not exist on this platform."),
                QT_TRANSLATE_NOOP("messages", "Record the rest here, or record on Windows.")};
    case KeywordNotServed:
        return {QT_TRANSLATE_NOOP("messages", "This kind of kernel event is not recorded by this version."),
                QT_TRANSLATE_NOOP("messages", "Record the rest; a later version may add it.")};
    case StackNotServed:
        return {QT_TRANSLATE_NOOP("messages", "Stacks of this kernel event are not recorded here."),
                QT_TRANSLATE_NOOP("messages", "Record the rest; the events themselves are complete.")};
    case ProviderNotOnThisPlatform:
        return {QT_TRANSLATE_NOOP("messages", "This source of events does not exist on this machine."),
                QT_TRANSLATE_NOOP("messages", "Record the rest here, or record on a machine that has it.")};
    case ProfilerTimerCoarse:
        return {QT_TRANSLATE_NOOP("messages", "Samples cannot be taken as often as the profile asks."),
                QT_TRANSLATE_NOOP("messages", "Ask an administrator to raise kernel.perf_event_max_sample_rate.")};
    case NotElevated:
        return {QT_TRANSLATE_NOOP("messages", "Without administrator rights only your own programs can be recorded."),
                QT_TRANSLATE_NOOP("messages", "Run again as an administrator (sudo).")};
    case ImageUnloadUnseen:
        return {QT_TRANSLATE_NOOP("messages", "Code that a running program unloads keeps counting as loaded."),
                QT_TRANSLATE_NOOP("messages", "Nothing to do; function names in unloaded code may be wrong.")};
    case FeatureNotServed:
        return {QT_TRANSLATE_NOOP("messages", "Some of what the profiles ask for is not carried out on this machine."),
                QT_TRANSLATE_NOOP("messages",
                                  "Record all the same; more may be recorded than was asked for, or details "
                                  "be missing.")};
    case EventsUnreported:
        return {QT_TRANSLATE_NOOP("messages", "This kernel keeps some threads to itself; some of their events are "
                                              "missing."),
                QT_TRANSLATE_NOOP("messages", "Record outside the sandbox or virtual machine if those threads matter; "
                                              "all others are complete.")};
    case PidNamespace:
        return {QT_TRANSLATE_NOOP("messages", "The recorder runs in a container with process ids of its own, so that "
                                              "the kernel's events cannot be told whose they are."),
                QT_TRANSLATE_NOOP("messages", "Record on the host, or start the container with the host's process ids "
                                              "(--pid=host).")};
    case DescriptorLimit:
        return {QT_TRANSLATE_NOOP("messages", "The recorder may not open as many files as recording this machine "
                                              "takes."),
                QT_TRANSLATE_NOOP("messages", "Raise the limit of open files (ulimit -n, LimitNOFILE=, or "
                                              "fs.file-max), then start again.")};
    case ImageFilesUntouched:
        return {QT_TRANSLATE_NOOP("messages", "Programs and libraries on network drives were not looked into, so that "
                                              "recording never waits for a server."),
                QT_TRANSLATE_NOOP("messages", "Copy the program that you look at to a local disk if its function names "
                                              "are wrong.")};
    case ProcessorsUnrecorded:
        return {QT_TRANSLATE_NOOP("messages", "Processors were switched off or on while recording, so that some of "
                                              "what they did is missing."),
                QT_TRANSLATE_NOOP("messages", "Record again without suspending the machine and without switching "
                                              "processors off if those seconds matter.")};
    case RingNotShared:
        return {QT_TRANSLATE_NOOP("messages", "If the program is killed, what it holds in memory is lost: there is no "
                                              "room for it in shared memory."),
                QT_TRANSLATE_NOOP("messages", "Make room in /dev/shm, record into a file, or choose less detail.")};
    }
    return {};
}

Text textFor(etw::LossCause cause) {
    using enum etw::LossCause;
    switch (cause) {
    case NoFreeBuffer:
        return {QT_TRANSLATE_NOOP("messages", "Events came faster than they could be written."),
                QT_TRANSLATE_NOOP("messages", "Record with less detail, in memory, or with more or larger buffers.")};
    case EventTooLarge:
        return {QT_TRANSLATE_NOOP("messages", "Some events were larger than a buffer."),
                QT_TRANSLATE_NOOP("messages", "Use a profile with larger buffers.")};
    case SourceOverflow:
        return {QT_TRANSLATE_NOOP("messages", "The kernel's own buffer overflowed before it was read."),
                QT_TRANSLATE_NOOP("messages", "Record fewer kinds of events, or as root, who may use larger buffers.")};
    case SourceThrottled:
        return {QT_TRANSLATE_NOOP("messages", "The kernel paused sampling because it took too much time."),
                QT_TRANSLATE_NOOP("messages", "Ask an administrator to raise kernel.perf_event_max_sample_rate and "
                                              "kernel.perf_cpu_time_max_percent.")};
    case TooLate:
        return {QT_TRANSLATE_NOOP("messages", "Some events arrived after their place in time was written."),
                QT_TRANSLATE_NOOP("messages", "Record with less detail, so that the machine keeps up.")};
    case DiskFull:
        return {QT_TRANSLATE_NOOP("messages", "The disk was full, or had no more than it is to keep free."),
                QT_TRANSLATE_NOOP("messages", "Free some space, or record in memory.")};
    case WriteFailed:
        return {QT_TRANSLATE_NOOP("messages", "The disk failed while the recording was written."),
                QT_TRANSLATE_NOOP("messages", "Check the disk or choose a folder on another one.")};
    }
    return {};
}

/// The source of the kernel's events opens several files for each processor; nothing else of it fails this way.
bool isDescriptorLimit(const Error& error) {
    return error.code == ErrorCode::KernelSourceFailed && (error.native == EMFILE || error.native == ENFILE);
}

Text textFor(const Error& error) {
    if (isDescriptorLimit(error)) {
        return textFor(etw::LimitationCode::DescriptorLimit);
    }
    if (isFileSizeLimit(error)) {
        return {QT_TRANSLATE_NOOP("messages", "The file has reached the size that this program may write at most."),
                QT_TRANSLATE_NOOP("messages", "Raise the limit on the size of files (ulimit -f, LimitFSIZE=), then "
                                              "record again.")};
    }
    return textFor(error.code);
}

/// The line of evidence of a limitation; values alone are told apart by their code.
std::string evidenceOf(const etw::Limitation& limitation) {
    std::string evidence = limitation.detail;
    const bool isBareNumber = !evidence.empty() && evidence.find_first_not_of("-0123456789") == std::string::npos;
    if (limitation.code == etw::LimitationCode::PerfEventParanoid && isBareNumber) {
        evidence = "kernel.perf_event_paranoid is " + evidence;
    }
    if (limitation.code == etw::LimitationCode::ProcessorsUnrecorded && limitation.count > 0) {
        return "processors " + evidence; // which names each of them
    }
    if (limitation.count > 0) {
        evidence += (evidence.empty() ? "" : ": ") + std::to_string(limitation.count) + "×";
    }
    return evidence;
}

std::string evidenceOf(const Error& error) {
    if (error.native == 0) {
        return error.detail;
    }
    return error.detail + " (code " + std::to_string(error.native) + ")";
}

} // namespace

bool isFileSizeLimit(const Error& error) noexcept {
    return error.code == ErrorCode::DiskFull && error.native == EFBIG;
}

UserMessage messageFor(const Error& error) {
    const Text text = textFor(error);
    return {text.what, evidenceOf(error), text.action, std::string(toString(error.code))};
}

UserMessage messageFor(const etw::Limitation& limitation) {
    const Text text = textFor(limitation.code);
    return {text.what, evidenceOf(limitation), text.action, std::string(toString(limitation.code))};
}

UserMessage messageFor(etw::LossCause cause) {
    const Text text = textFor(cause);
    return {text.what, {}, text.action, std::string(toString(cause))};
}

} // namespace tracedeck::messages

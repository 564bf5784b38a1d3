// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/etlformat/kernel_events.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

/// How Linux's terms become the NT kernel's. Everything that is a choice and not a fact stands here.
///
/// Processes and threads
///   process id       thread group id (tgid); thread id: tid. The main thread has tid = tgid.
///   idle             process 0 "Idle", thread 0 on every processor.
///   kernel threads   threads of process 4 "System" (kthreadd and all that it makes: PF_KTHREAD). Linux's own process 4
///                    is a kernel thread, so the number never names a second process.
///   fork             Process Start, Thread Start, and an Image Load for each image that the child inherits.
///   exec             Process End and Process Start with the same id and a new UniqueProcessKey, at the time of the
///                    exec: otherwise every child of a shell would carry the shell's name.
///   SessionId        the POSIX session id; 0xFFFFFFFF for Idle and System.
///   ExitStatus       as a shell's $? has it: exit code, or 128 + signal; 0x103 (still active) where it is not known;
///                    0 for a program that gave way to another by exec.
///   user             see sidOfUser(). A change of user while running (setuid) is seen at the next exec.
///
/// Images
///   user             mappings with execute permission of a file, one image per file and process; base and size are
///                    those of all its load segments, so that address - base + DefaultBase is the ELF file's address.
///                    [vdso] too.
///   kernel, modules  images of process 0: "vmlinux", "<name>.ko".
///   unload           at exit, at exec and where another file is mapped over it. munmap() alone is not seen: only in a
///                    process with very many images /proc is asked, at the next load, which of them are still there.
///
/// Stacks of context switches
///   ETW gives the stack of the thread that is switched in, taken where it resumes. Linux gives the one of the thread
///   that is switched out. A thread resumes where it left off, so each thread's last stack is kept and written with the
///   CSwitch that brings it back. A thread that was not seen leaving has none.
namespace tracedeck::linux_source {

constexpr std::uint32_t kIdleProcess = 0;
constexpr std::uint32_t kSystemProcess = 4;
/// kthreadd: the parent of kernel threads.
constexpr std::uint32_t kKthreadd = 2;
/// "Not known" in ETW's events.
constexpr std::uint32_t kUnknownId = 0xFFFFFFFF;

/// What became of the thread that a processor leaves.
struct OldThread {
    etlformat::ThreadState state = etlformat::ThreadState::Running;
    etlformat::WaitReason reason = etlformat::WaitReason::Executive;
    friend bool operator==(const OldThread&, const OldThread&) = default;
};

/// By the letter that the kernel prints for a task's state (print fmt of sched_switch), as in ps(1):
///
/// | letter | Linux                               | OldThreadState | WaitReason   |
/// | ------ | ----------------------------------- | -------------- | ------------ |
/// | +      | runnable, preempted in the kernel   | Ready          | WrPreempted  |
/// | R      | runnable: preempted or yielded      | Ready          | WrQuantumEnd |
/// | S      | interruptible sleep                 | Waiting        | UserRequest  |
/// | D K W  | uninterruptible sleep               | Waiting        | Executive    |
/// | I      | idle kernel worker                  | Waiting        | WrQueue      |
/// | T t P  | stopped, traced, parked             | Waiting        | Suspended    |
/// | X Z    | dead, zombie                        | Terminated     | WrTerminated |
/// | other  |                                     | Waiting        | Executive    |
///
/// R is what a thread is that lost its processor on its way back to user code as well as one that yielded: the kernel
/// does not tell them apart. Whether D waits for a page or for a device is not told, so PageIn is never written. The
/// idle thread (tid 0) is Running/Executive, as on Windows.
OldThread oldThreadOf(char letter) noexcept;

/// prev_state of sched_switch as numbers, for one kernel: which bit is which letter.
class TaskStates {
public:
    /// The bits of Linux 4.14 and later.
    TaskStates();
    /// Takes the bits from the print fmt of the tracepoint's format file: `{ 0x00000001, "S" }, …`; keeps the default
    /// where it holds none.
    explicit TaskStates(std::string_view printFormat);
    /// The letter of the highest meaning: '+' where the preemption bit is set, 'R' for 0.
    [[nodiscard]] char letter(std::int64_t state) const noexcept;

private:
    std::array<char, 32> m_letters{};
};

/// Linux's kernel priority (`prio` of the scheduler's tracepoints) as 0…31, larger is more urgent:
///
/// | Linux                       | prio    | Windows                          |
/// | --------------------------- | ------- | -------------------------------- |
/// | SCHED_DEADLINE              | -1      | 31                               |
/// | SCHED_FIFO, SCHED_RR 99…1   | 0…98    | 30…16, linear                    |
/// | nice -20…-1                 | 100…119 | 15…9, linear                     |
/// | nice 0                      | 120     | 8 (normal)                       |
/// | nice 1…19                   | 121…139 | 7…1, linear                      |
///
/// The idle thread is 0 wherever it appears.
std::int8_t priorityOf(int prio) noexcept;

/// See etlformat::sidOfUnixUser().
etlformat::Sid sidOfUser(std::uint32_t uid) noexcept;

/// The ImageFileName of a process: the whole file name where `comm` is its first 15 bytes (all that the kernel keeps),
/// otherwise `comm`, which for a script is the script's name while `executable` is its interpreter.
std::string processName(const std::string& comm, const std::string& executable, const std::string& commandLine);

/// Arguments joined by spaces; those that are empty or hold a space, a tab or a quote are put in quotes, with
/// backslashes as CommandLineToArgvW reads them. `arguments` are separated and ended by zero bytes, as in
/// /proc/<pid>/cmdline.
std::string joinArguments(std::string_view arguments);

/// Whether an executable mapping of this name is an image: files and [vdso]; not anonymous memory, memfd, SysV shared
/// memory or devices. Drops a trailing " (deleted)".
bool imageFileName(std::string_view mapped, std::string& fileName);

/// As a shell's $? would say it: `code` is the kernel's exit_code (status << 8 | signal).
std::int32_t exitStatusOf(std::uint32_t code) noexcept;

} // namespace tracedeck::linux_source

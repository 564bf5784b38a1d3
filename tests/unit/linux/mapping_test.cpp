// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/mapping.h"
#include "tests/support/catch.h"

namespace tracedeck::linux_source {

using etlformat::ThreadState;
using etlformat::WaitReason;

TEST_CASE("every task state has a thread state and a wait reason", "[linux][mapping]") {
    struct Row {
        char letter;
        OldThread expected;
    };
    const auto row = GENERATE(values<Row>({
        {'+', {ThreadState::Ready, WaitReason::WrPreempted}},
        {'R', {ThreadState::Ready, WaitReason::WrQuantumEnd}},
        {'S', {ThreadState::Waiting, WaitReason::UserRequest}},
        {'D', {ThreadState::Waiting, WaitReason::Executive}},
        {'I', {ThreadState::Waiting, WaitReason::WrQueue}},
        {'T', {ThreadState::Waiting, WaitReason::Suspended}},
        {'t', {ThreadState::Waiting, WaitReason::Suspended}},
        {'P', {ThreadState::Waiting, WaitReason::Suspended}},
        {'X', {ThreadState::Terminated, WaitReason::WrTerminated}},
        {'Z', {ThreadState::Terminated, WaitReason::WrTerminated}},
        {'?', {ThreadState::Waiting, WaitReason::Executive}},
    }));
    CAPTURE(row.letter);
    CHECK(oldThreadOf(row.letter) == row.expected);
}

TEST_CASE("task states are those of the kernel that runs", "[linux][mapping]") {
    const TaskStates ours;
    CHECK(ours.letter(0) == 'R');
    CHECK(ours.letter(1) == 'S');
    CHECK(ours.letter(2) == 'D');
    CHECK(ours.letter(0x80) == 'I');
    CHECK(ours.letter(0x100) == '+');

    // Linux 4.9 numbered them differently.
    const TaskStates old(R"(print fmt: "...", __print_flags(REC->prev_state & (2048-1), "|", { 1, "S"} , )"
                         R"({ 0x1, "S" }, { 0x2, "D" }, { 0x4, "T" }, { 0x8, "t" }, { 0x10, "Z" }, { 0x20, "X" }, )"
                         R"({ 0x40, "x" }, { 0x80, "K" }, { 0x100, "W" }, { 0x200, "P" }, { 0x400, "N" }) : "R")");
    CHECK(old.letter(0x10) == 'Z');
    CHECK(old.letter(0x200) == 'P');
    CHECK(old.letter(0x800) == '+');
    CHECK(TaskStates("no flags here").letter(0x40) == 'P');
}

TEST_CASE("priorities keep their order and their classes", "[linux][mapping]") {
    CHECK(priorityOf(-1) == 31);
    CHECK(priorityOf(0) == 30);
    CHECK(priorityOf(98) == 16);
    CHECK(priorityOf(99) == 16);
    CHECK(priorityOf(100) == 15);
    CHECK(priorityOf(119) == 9);
    CHECK(priorityOf(120) == 8);
    CHECK(priorityOf(121) == 7);
    CHECK(priorityOf(139) == 1);
    CHECK(priorityOf(5000) == 1);
    for (int prio = -1; prio < 140; ++prio) {
        CAPTURE(prio);
        CHECK(priorityOf(prio) >= priorityOf(prio + 1));
    }
}

TEST_CASE("users have SIDs", "[linux][mapping]") {
    CHECK(sidOfUser(0) == etlformat::Sid{5, 1, {18}});
    CHECK(sidOfUser(1000) == etlformat::Sid{22, 2, {1, 1000}});
}

TEST_CASE("a process is called by its whole name", "[linux][mapping]") {
    CHECK(processName("true", "/usr/bin/true", "true") == "true");
    CHECK(processName("run.sh", "/usr/bin/dash", "/bin/sh ./run.sh") == "run.sh");
    CHECK(processName("a-very-long-nam", "/opt/a-very-long-name", "x") == "a-very-long-name");
    CHECK(processName("a-very-long-nam", "/usr/bin/python3", "\"/opt/my dir/a-very-long-name.py\" -v") ==
          "a-very-long-name.py");
    CHECK(processName("a-very-long-nam", "", "") == "a-very-long-nam");
    CHECK(processName("", "/usr/bin/true", "") == "true");
}

TEST_CASE("arguments become one command line", "[linux][mapping]") {
    using namespace std::string_view_literals;
    CHECK(joinArguments(""sv) == "");
    CHECK(joinArguments("ls\0-l\0"sv) == "ls -l");
    CHECK(joinArguments("sh\0-c\0echo a b\0"sv) == "sh -c \"echo a b\"");
    CHECK(joinArguments("x\0\0y"sv) == "x \"\" y");
    CHECK(joinArguments("x\0say \"hi\"\\\0"sv) == "x \"say \\\"hi\\\"\\\\\"");
    CHECK(joinArguments("x\0C:\\\"q\0"sv) == "x \"C:\\\\\\\"q\"");
}

TEST_CASE("only files and the vdso are images", "[linux][mapping]") {
    std::string name;
    CHECK((imageFileName("/usr/lib/libc.so.6", name) && name == "/usr/lib/libc.so.6"));
    CHECK((imageFileName("/opt/old (deleted)", name) && name == "/opt/old"));
    CHECK((imageFileName("[vdso]", name) && name == "[vdso]"));
    for (const char* none :
         {"", "//anon", "[heap]", "[vsyscall]", "/memfd:jit (deleted)", "/dev/zero", "/SYSV00000000", "anon_inode:x"}) {
        CAPTURE(none);
        CHECK_FALSE(imageFileName(none, name));
    }
}

TEST_CASE("exit statuses are a shell's", "[linux][mapping]") {
    CHECK(exitStatusOf(0) == 0);
    CHECK(exitStatusOf(3U << 8U) == 3);
    CHECK(exitStatusOf(9) == 137);
    CHECK(exitStatusOf(0x80U | 11U) == 139); // with a core dump
}

} // namespace tracedeck::linux_source

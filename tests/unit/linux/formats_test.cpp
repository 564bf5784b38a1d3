// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/kernel_symbols.h"
#include "core/sources/linux/proc_files.h"
#include "core/sources/linux/tracepoint_format.h"
#include "tests/support/catch.h"
#include "tests/unit/linux/fake_machine.h"

namespace tracedeck::linux_source {
namespace {

constexpr const char* kSwitchFormat = R"(name: sched_switch
ID: 372
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:char prev_comm[16];	offset:8;	size:16;	signed:0;
	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;
	field:long prev_state;	offset:32;	size:8;	signed:1;
	field:__data_loc char[] name;	offset:40;	size:4;	signed:0;

print fmt: "prev_comm=%s", { 0x00000001, "S" }
)";

} // namespace

TEST_CASE("a tracepoint's format says where its fields are", "[linux][format]") {
    const auto format = TracepointFormat::parse(kSwitchFormat);
    REQUIRE(format);
    CHECK(format->id == 372);
    const auto pid = format->integer("prev_pid");
    REQUIRE(pid);
    CHECK(pid->offset == 24);
    CHECK(pid->size == 4);
    CHECK(pid->isSigned);
    CHECK(format->integer("common_flags")->size == 1);
    CHECK(format->printFormat.find("\"S\"") != std::string::npos);
    CHECK(format->integer("prev_comm").error().code == ErrorCode::InvalidArgument);
    CHECK(format->integer("next_pid").error().code == ErrorCode::InvalidArgument);
}

TEST_CASE("a tracepoint's format without id or places is refused", "[linux][format]") {
    CHECK_FALSE(TracepointFormat::parse(""));
    CHECK_FALSE(TracepointFormat::parse("ID: 3\n"));
    CHECK_FALSE(TracepointFormat::parse("ID: x\n\tfield:int a;\toffset:0;\tsize:4;\tsigned:1;\n"));
    CHECK_FALSE(TracepointFormat::parse("ID: 3\n\tfield:int a;\tsize:4;\n"));
}

TEST_CASE("fields are read with their sign and never beyond the data", "[linux][format]") {
    const std::byte raw[] = {std::byte{0xFE}, std::byte{0xFF}, std::byte{0xFF}, std::byte{0xFF}, std::byte{1}};
    CHECK(TracepointField{0, 4, true}.read(raw) == -2);
    CHECK(TracepointField{0, 4, false}.read(raw) == 0xFFFFFFFE);
    CHECK(TracepointField{0, 2, true}.read(raw) == -2);
    CHECK(TracepointField{4, 1, false}.read(raw) == 1);
    CHECK(TracepointField{2, 4, true}.read(raw) == 0);
    CHECK(TracepointField{}.read(raw) == 0);
}

TEST_CASE("stat is read whatever the name holds", "[linux][proc]") {
    const auto stat = parseTaskStat("17 (a) b (c) S 2 0 5 0 -1 2129984 0 0 0 0 1 2 3 4 -51 0 1 0 7");
    REQUIRE(stat);
    CHECK(stat->id == 17);
    CHECK(stat->comm == "a) b (c");
    CHECK(stat->state == 'S');
    CHECK(stat->parent == 2);
    CHECK(stat->session == 5);
    CHECK(stat->isKernelThread());
    CHECK(stat->prio == 49); // SCHED_FIFO 50
    CHECK_FALSE(parseTaskStat(""));
    CHECK_FALSE(parseTaskStat("17 (x) S 1 2"));
    CHECK_FALSE(parseTaskStat("x (x) S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16"));
}

TEST_CASE("status gives the effective user and the processors", "[linux][proc]") {
    const auto status = parseTaskStatus("Name:\tx\nUid:\t1000\t1001\t1000\t1000\nCpus_allowed:\tff,00000003\n");
    REQUIRE(status);
    CHECK(status->uid == 1001);
    CHECK(status->affinity == 0xFF00000003);
    CHECK_FALSE(parseTaskStatus("Name:\tx\n"));
}

TEST_CASE("maps lines are read with blanks in the path", "[linux][proc]") {
    const auto map = parseMapLine("7f00-7f80 r-xp 00001000 08:01 42                 /opt/my app/lib.so (deleted)");
    REQUIRE(map);
    CHECK(map->start == 0x7f00);
    CHECK(map->end == 0x7f80);
    CHECK(map->isExecutable);
    CHECK(map->offset == 0x1000);
    CHECK(map->inode == 42);
    CHECK(map->path == "/opt/my app/lib.so (deleted)");
    CHECK_FALSE(parseMapLine("7f00-7f80 rw-p 00000000 00:00 0 ")->isExecutable);
    CHECK(parseMapLine("7f00-7f80 rw-p 00000000 00:00 0 ")->path.empty());
    CHECK_FALSE(parseMapLine("nonsense"));
}

TEST_CASE("modules and the kernel's range are read, hidden ones are zero", "[linux][proc]") {
    const auto module = parseModuleLine("nf_nat 61440 3 xt_nat,nft_nat, Live 0xffffffffc0a00000");
    REQUIRE(module);
    CHECK(module->name == "nf_nat");
    CHECK(module->size == 61440);
    CHECK(module->base == 0xffffffffc0a00000);
    CHECK(parseModuleLine("x 1 0 - Live 0x0000000000000000")->base == 0);
    CHECK_FALSE(parseModuleLine("x"));

    const KernelRange range = parseKallsyms("ffffffff81000000 T _stext\nffffffff81000000 T _text\n"
                                            "ffffffff82000000 T _etext\nffffffff83000000 B _end\n"
                                            "ffffffffc0000000 t _end\t[module]\n");
    CHECK(range.base == 0xffffffff81000000);
    CHECK(range.end == 0xffffffff83000000);
    CHECK(parseKallsyms("ffffffff81000000 T _text\nffffffff82000000 T _etext\n").end == 0xffffffff82000000);
    CHECK(parseKallsyms("0000000000000000 T _text\n0000000000000000 T _etext\n").base == 0);
    CHECK(parseKallsyms("").base == 0);
    CHECK(parseKallsyms("x\nffffffff81000000\nffffffff81000000 T\nffffffff81000000 T \n").base == 0);
}

TEST_CASE("functions of the kernel have their addresses, those of modules and hidden ones have none", "[linux][proc]") {
    const std::string_view names[] = {"net_rx_action", "tasklet_action", "absent", "hidden"};
    CHECK(parseAddresses("ffffffff81000010 T net_rx_action\nffffffff81000020 t tasklet_action\n"
                         "ffffffffc0000000 t absent\t[module]\n0000000000000000 T hidden\n",
                         names) == std::vector<std::uint64_t>{0xffffffff81000010, 0xffffffff81000020, 0, 0});
    test::FakeMachine machine;
    machine.write("proc/kallsyms", "0000000000000000 T net_rx_action\n");
    KernelSymbols symbols{ProcFiles(machine.roots().proc)};
    CHECK(symbols.addresses(names)[0] == 0);
    machine.write("proc/kallsyms", "ffffffff81000010 T net_rx_action\n");
    CHECK(symbols.addresses(names)[0] == 0xffffffff81000010); // no longer hidden
    machine.remove("proc/kallsyms");
    CHECK(symbols.addresses(names)[0] == 0xffffffff81000010);
}

TEST_CASE("processor lists are read", "[linux][proc]") {
    CHECK(parseCpuList("0-2,5,7-8\n") == std::vector<std::uint32_t>{0, 1, 2, 5, 7, 8});
    CHECK(parseCpuList("0").size() == 1);
    CHECK(parseCpuList("").empty());
    CHECK(parseCpuList("x,1-y,3") == std::vector<std::uint32_t>{3});
}

} // namespace tracedeck::linux_source

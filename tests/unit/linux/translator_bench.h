// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/rundown.h"
#include "core/sources/linux/translator.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/memory_sink.h"
#include "tests/unit/linux/perf_memory.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>

namespace tracedeck::linux_source {

using test::RecordBuilder;
using test::SinkEvent;
namespace hook = etlformat::hook;

inline constexpr std::uint64_t kSideband = 1;
inline constexpr std::uint64_t kClock = 3;
inline constexpr std::uint64_t kSwitch = 4;
inline constexpr std::uint64_t kWaking = 5;

class FakeFacts final : public LiveFacts {
public:
    std::optional<ExecFacts> takeExec(std::uint32_t process, Ticks, const std::string&) override {
        const auto found = execs.find(process);
        return found == execs.end() ? std::nullopt : std::optional(found->second);
    }
    std::optional<std::int32_t> takeExit(std::uint32_t process, Ticks) override {
        const auto found = exits.find(process);
        return found == exits.end() ? std::nullopt : std::optional(found->second);
    }
    std::map<std::uint32_t, ExecFacts> execs;
    std::map<std::uint32_t, std::int32_t> exits;
};

inline TranslationPlan everything() {
    TranslationPlan plan;
    plan.hasProcesses = plan.hasThreads = plan.hasImages = true;
    plan.hasProfileStacks = plan.hasSwitchStacks = plan.hasWakingStacks = true;
    plan.switches.previousId = {0, 4, true};
    plan.switches.previousPrio = {4, 4, true};
    plan.switches.previousState = {8, 8, true};
    plan.switches.nextId = {16, 4, true};
    plan.switches.nextPrio = {20, 4, true};
    plan.waking.id = {0, 4, true};
    plan.waking.flags = {4, 1, false};
    plan.processors = 2;
    return plan;
}

/// A translator on processor 0 and what it wrote.
class Bench {
public:
    explicit Bench(bool keepsEnded = false, const std::string& procRoot = "/nonexistent")
        : proc(procRoot), table(keepsEnded), output(sink, 2),
          translator(everything(), table, output, facts, proc, clock) {
        Process shell;
        shell.id = 100;
        shell.parent = 1;
        shell.session = 100;
        shell.uid = 1000;
        shell.name = "sh";
        shell.commandLine = "sh -i";
        Image image;
        image.fileName = "/bin/sh";
        image.place = {0x400000, 0x1000, 0x400000};
        image.codeBegin = 0x400000;
        image.codeEnd = 0x401000;
        shell.images.push_back(image);
        table.addProcess(shell);
        addThread(100, 100);
        addThread(16, kSystemProcess);
    }
    void addThread(std::uint32_t tid, std::uint32_t process) {
        Thread thread;
        thread.id = tid;
        thread.process = process;
        table.addThread(thread);
    }
    void translate(const RecordBuilder& record) {
        memory.write(record);
        stream().gather();
        while (!stream().isEmpty()) {
            translator.translate(stream().take());
        }
        stream().release();
    }
    void task(std::uint32_t type, std::uint32_t pid, std::uint32_t ppid, std::uint32_t tid, std::uint32_t ptid,
              Ticks time) {
        translate(
            RecordBuilder(type).put(pid).put(ppid).put(tid).put(ptid).put(time).trailer(ppid, ptid, time, kSideband));
    }
    void exec(std::uint32_t pid, const char* name, Ticks time) {
        translate(RecordBuilder(PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC)
                      .put(pid)
                      .put(pid)
                      .text(name)
                      .trailer(pid, pid, time, kSideband));
    }
    void map(std::uint32_t pid, std::uint64_t address, std::uint64_t length, std::uint64_t offset, const char* file,
             Ticks time) {
        translate(RecordBuilder(PERF_RECORD_MMAP2)
                      .put(pid)
                      .put(pid)
                      .put(address)
                      .put(length)
                      .put(offset)
                      .put(8U)
                      .put(1U)
                      .put(std::uint64_t{77})
                      .put(std::uint64_t{0})
                      .put(5U)
                      .put(2U)
                      .text(file)
                      .trailer(pid, pid, time, kSideband));
    }
    void switchTo(std::uint32_t from, std::uint32_t to, std::int64_t state, Ticks time,
                  const std::vector<std::uint64_t>& chain) {
        std::vector<std::byte> raw(24);
        const auto put = [&](std::size_t at, auto value) { std::memcpy(raw.data() + at, &value, sizeof(value)); };
        put(0, from);
        put(4, 120);
        put(8, state);
        put(16, to);
        put(20, 100);
        translate(RecordBuilder(PERF_RECORD_SAMPLE).sample(kSwitch, 0, from, from, time).chain(chain).raw(raw));
    }
    std::vector<std::uint16_t> hooks() const {
        std::vector<std::uint16_t> all;
        for (const SinkEvent& event : sink.events) {
            all.push_back(event.hook);
        }
        return all;
    }

    test::MemorySink sink;
    test::ManualClock clock;
    ProcFiles proc;
    FakeFacts facts;
    ProcessTable table;
    EventOutput output;
    Translator translator;
    test::RingMemory memory{65536};

private:
    RecordStream& stream() {
        if (!m_stream) {
            m_stream.emplace(PerfRing(memory.mapping()), 0);
            m_stream->addEvent(kSideband, Origin::Sideband);
            m_stream->addEvent(kClock, Origin::Clock);
            m_stream->addEvent(kSwitch, Origin::Switch);
            m_stream->addEvent(kWaking, Origin::Waking);
        }
        return *m_stream;
    }
    std::optional<RecordStream> m_stream;
};

inline const std::uint64_t kUser = static_cast<std::uint64_t>(PERF_CONTEXT_USER);
inline const std::uint64_t kKernel = static_cast<std::uint64_t>(PERF_CONTEXT_KERNEL);

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/rundown.h"

#include "core/sources/linux/translator.h"

#include <algorithm>

namespace tracedeck::linux_source {

namespace hook = etlformat::hook;
namespace version = etlformat::event_version;

namespace {

/// One writing of a rundown.
class RundownWriter {
public:
    RundownWriter(RundownKind kind, const RundownFacts& facts, ProcessTable& table, EventOutput& output)
        : m_isEnd(kind == RundownKind::End), m_isRing(kind == RundownKind::Ring), m_facts(facts), m_table(table),
          m_output(output) {}

    void masks(std::uint16_t hookId, const etlformat::GroupMasks& masks) {
        const etlformat::GroupMasksPayload payload{masks};
        m_output.rundownPerfinfo(hookId, version::kHeader, std::as_bytes(std::span(&payload, 1)));
    }

    void config() {
        config(hook::kConfigCpu, version::kConfigCpu, etlformat::encodeConfigCpu(m_facts.config));
        for (const Disks::Disk& disk : m_facts.disks.disks) {
            config(hook::kConfigPhysicalDisk, version::kConfigPhysicalDisk, etlformat::encodePhysicalDisk(disk.fields));
        }
        for (const etlformat::LogicalDiskFields& volume : m_facts.disks.volumes) {
            config(hook::kConfigLogicalDisk, version::kConfigLogicalDisk, etlformat::encodeLogicalDisk(volume));
        }
        for (const etlformat::ConfigIrqFields& irq : m_facts.interrupts) {
            config(hook::kConfigIrq, version::kConfigIrq, etlformat::encodeConfigIrq(irq));
        }
    }

    void profileInterval() {
        if (!m_facts.profileInterval) {
            return;
        }
        const auto interval = static_cast<std::uint32_t>(m_facts.profileInterval->count() / 100);
        m_output.rundownSystem(m_isEnd ? hook::kProfileDcEnd : hook::kProfileDcStart, version::kProfileInterval,
                               etlformat::encodeProfileInterval(0, interval, interval, "Timer"),
                               m_facts.controllerProcess, m_facts.controllerThread);
    }

    void processes() {
        groupThreads();
        std::vector<std::uint32_t> ids;
        for (const auto& [id, process] : m_table.processes()) {
            ids.push_back(id);
        }
        std::sort(ids.begin(), ids.end());
        for (const std::uint32_t id : ids) {
            const Process& process = *m_table.findProcess(id);
            writeProcess(m_isEnd ? hook::kProcessDcEnd : hook::kProcessDcStart, process);
            if (id == kIdleProcess) {
                idleThreads();
                kernelImages();
            }
            writeThreads(id);
            writeImages(process, id);
        }
    }

    void endedProcesses() {
        for (const Process& process : m_table.endedProcesses()) {
            writeProcess(hook::kProcessDefunct, process);
            writeImages(process, process.id);
        }
    }

    void complete() { m_output.rundownPerfinfo(hook::kRundownComplete, version::kHeader, {}); }

private:
    void config(std::uint16_t hookId, std::uint16_t eventVersion, const std::vector<std::byte>& payload) {
        m_output.rundownSystem(hookId, eventVersion, payload, m_facts.controllerProcess, m_facts.controllerThread);
    }

    void groupThreads() {
        for (const auto& [tid, thread] : m_table.threads()) {
            if (thread.ended == 0) {
                m_threads.push_back(&thread);
            }
        }
        std::sort(m_threads.begin(), m_threads.end(), [](const Thread* a, const Thread* b) {
            return std::pair(a->process, a->id) < std::pair(b->process, b->id);
        });
    }

    void writeProcess(std::uint16_t hookId, const Process& process) {
        if (m_facts.hasProcesses) {
            const std::uint16_t eventVersion =
                hookId == hook::kProcessDefunct ? version::kProcessDefunct : version::kProcess;
            m_output.rundownPerfinfo(hookId, eventVersion, etlformat::encodeProcess(hookId, fieldsOf(process)));
        }
    }

    /// The header of a thread's rundown event names the thread itself, as on Windows.
    void writeThread(const Thread& thread, std::uint32_t processId, std::uint32_t threadId) {
        if (m_facts.hasThreads) {
            m_output.rundownSystem(m_isEnd ? hook::kThreadDcEnd : hook::kThreadDcStart, version::kThread,
                                   etlformat::encodeThread(fieldsOf(thread)), processId, threadId);
        }
    }

    void idleThreads() {
        for (const std::uint32_t processor : m_facts.processors) {
            Thread idle;
            idle.name = "swapper/" + std::to_string(processor);
            idle.priority = 0;
            idle.affinity = processor < 64 ? std::uint64_t{1} << processor : 0;
            writeThread(idle, kIdleProcess, 0);
        }
    }

    void writeThreads(std::uint32_t process) {
        const auto begin = std::lower_bound(m_threads.begin(), m_threads.end(), process,
                                            [](const Thread* a, std::uint32_t id) { return a->process < id; });
        for (auto at = begin; at != m_threads.end() && (*at)->process == process; ++at) {
            writeThread(**at, process, (*at)->id);
        }
    }

    void writeImages(const Process& process, std::uint32_t id) {
        if (m_isRing) {
            for (const Image& image : process.unloadedImages) {
                writeImage(image, id);
            }
        }
        for (const Image& image : process.images) {
            writeImage(image, id);
        }
    }

    void writeImage(const Image& image, std::uint32_t process) {
        if (m_facts.hasImages) {
            m_output.rundownPerfinfo(imageHook(), version::kImage, etlformat::encodeImage(fieldsOf(image, process)));
        }
    }

    void kernelImages() {
        if (!m_facts.hasImages) {
            return;
        }
        if (!m_isEnd && !m_facts.kernelImages.empty()) {
            const std::uint64_t base = m_facts.kernelImages.front().place.base;
            m_output.rundownPerfinfo(hook::kKernelBase, version::kKernelBase, std::as_bytes(std::span(&base, 1)));
        }
        // Unlike those of processes they have headers that say who wrote them, as on Windows.
        for (const Image& image : m_facts.kernelImages) {
            m_output.rundownSystem(imageHook(), version::kImage, etlformat::encodeImage(fieldsOf(image, 0)),
                                   m_facts.controllerProcess, m_facts.controllerThread);
        }
    }

    [[nodiscard]] std::uint16_t imageHook() const { return m_isEnd ? hook::kImageDcEnd : hook::kImageDcStart; }

    bool m_isEnd;
    bool m_isRing;
    const RundownFacts& m_facts;
    ProcessTable& m_table;
    EventOutput& m_output;
    std::vector<const Thread*> m_threads;
};

} // namespace

void writeRundown(RundownKind kind, const RundownFacts& facts, ProcessTable& table, EventOutput& output,
                  std::uint32_t processor, Ticks time) {
    output.beginRundown(processor, time);
    RundownWriter writer(kind, facts, table, output);
    if (kind == RundownKind::End) {
        writer.processes();
        writer.profileInterval();
        writer.masks(hook::kGroupMasks, facts.masks);
        writer.masks(hook::kHeaderExtension, {});
    } else {
        // 0x0020 holds the masks before, 0x0005 those after.
        writer.masks(hook::kGroupMasks, {});
        writer.masks(hook::kHeaderExtension, facts.masks);
        writer.config();
        writer.profileInterval();
        if (kind == RundownKind::Ring) {
            writer.endedProcesses();
        }
        writer.processes();
    }
    writer.complete();
}

} // namespace tracedeck::linux_source

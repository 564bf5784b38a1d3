// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/process_scan.h"

#include <algorithm>

namespace tracedeck::linux_source {
namespace {

void addKernelThread(ProcessTable& table, const TaskStat& stat, std::uint64_t affinity) {
    Thread thread;
    thread.id = stat.id;
    thread.process = kSystemProcess;
    thread.name = stat.comm;
    thread.affinity = affinity;
    thread.priority = static_cast<std::uint8_t>(priorityOf(stat.prio));
    table.addThread(std::move(thread));
}

void addThreads(const ProcFiles& proc, ProcessTable& table, std::uint32_t process, std::uint64_t affinity) {
    const auto threads = proc.threads(process);
    if (!threads) {
        return; // it has ended, and its end is in the records
    }
    for (const std::uint32_t tid : *threads) {
        const auto text = readWhole(proc.threadPath(process, tid, "stat"));
        const auto stat = text ? parseTaskStat(*text) : std::nullopt;
        if (!stat || stat->state == 'Z' || stat->state == 'X') {
            continue;
        }
        Thread thread;
        thread.id = tid;
        thread.process = process;
        thread.name = stat->comm;
        thread.affinity = affinity;
        thread.priority = static_cast<std::uint8_t>(priorityOf(stat->prio));
        table.addThread(std::move(thread));
    }
}

bool addImages(const ProcFiles& proc, Translator& translator, Process& process) {
    const auto maps = readWhole(proc.path(process.id, "maps"));
    if (!maps) {
        return false;
    }
    forEachLine(*maps, [&](std::string_view line) {
        const auto map = parseMapLine(line);
        Image image;
        if (!map || !map->isExecutable || !imageFileName(map->path, image.fileName)) {
            return;
        }
        image.codeBegin = map->start;
        image.codeEnd = map->end;
        image.place = translator.place(process.id, image, map->offset, map->inode);
        for (Image& other : process.images) {
            if (other.fileName == image.fileName && other.place.base == image.place.base) {
                other.codeEnd = std::max(other.codeEnd, image.codeEnd);
                return;
            }
        }
        process.images.push_back(std::move(image));
    });
    return true;
}

} // namespace

ScanGaps scanProcesses(const ProcFiles& proc, ProcessTable& table, Translator& translator) {
    ScanGaps gaps;
    const auto ids = proc.processes();
    if (!ids) {
        return gaps; // no /proc at all: the events alone tell
    }
    for (const std::uint32_t id : *ids) {
        const auto statText = readWhole(proc.path(id, "stat"));
        const auto statusText = readWhole(proc.path(id, "status"));
        const auto stat = statText ? parseTaskStat(*statText) : std::nullopt;
        const auto status = statusText ? parseTaskStatus(*statusText) : std::nullopt;
        if (!stat || !status || stat->state == 'X') {
            continue; // gone
        }
        if (stat->isKernelThread()) {
            addKernelThread(table, *stat, status->affinity);
            continue;
        }
        const auto threads = proc.threads(id);
        if (stat->state == 'Z' && (!threads || threads->size() <= 1)) {
            continue; // ended already, only not yet waited for
        }
        const auto commandLine = readWhole(proc.path(id, "cmdline"));
        Process process;
        process.id = id;
        process.parent = stat->parent == kKthreadd ? kSystemProcess : stat->parent;
        process.session = stat->session;
        process.uid = status->uid;
        process.commandLine = commandLine ? joinArguments(*commandLine) : std::string();
        process.name = processName(stat->comm, proc.executable(id), process.commandLine);
        gaps.processesWithoutCommandLine += commandLine ? 0U : 1U;
        gaps.processesWithoutImages += addImages(proc, translator, process) ? 0U : 1U;
        table.addProcess(std::move(process));
        addThreads(proc, table, id, status->affinity);
    }
    return gaps;
}

std::vector<Image> kernelImages(const ProcFiles& proc, const KernelRange& range) {
    std::vector<Image> images;
    const auto add = [&](std::string name, std::uint64_t base, std::uint64_t size) {
        Image image;
        image.fileName = std::move(name);
        image.place = {base, size, base};
        images.push_back(std::move(image));
    };
    if (range.base != 0) {
        add("vmlinux", range.base, range.end - range.base);
    }
    // A kernel without loadable modules has no such file.
    if (const auto modules = readWhole(proc.path("modules"))) {
        forEachLine(*modules, [&](std::string_view line) {
            const auto module = parseModuleLine(line);
            if (module && module->base != 0) {
                add(module->name + ".ko", module->base, module->size);
            }
        });
    }
    return images;
}

} // namespace tracedeck::linux_source

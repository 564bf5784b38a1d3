// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the kernel tells of processes, threads and images.
#include "core/sources/linux/translator.h"

#include <algorithm>

namespace tracedeck::linux_source {

namespace hook = etlformat::hook;
namespace version = etlformat::event_version;

namespace {

/// More images than this can only be ones that were unmapped and of which /proc does not tell.
constexpr std::size_t kMostImages = 16'384;

// Places in the bodies of records, from linux/perf_event.h.
namespace task {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kParent = 4;
constexpr std::size_t kThread = 8;
constexpr std::size_t kParentThread = 12;
} // namespace task
namespace comm {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kThread = 4;
constexpr std::size_t kName = 8;
} // namespace comm
namespace mapping {
constexpr std::size_t kProcess = 0;
constexpr std::size_t kAddress = 8;
constexpr std::size_t kLength = 16;
constexpr std::size_t kOffset = 24;
constexpr std::size_t kInode = 40;
constexpr std::size_t kBuildIdSize = 32;
constexpr std::size_t kBuildId = 36;
constexpr std::size_t kName = 64;
constexpr std::size_t kLongestBuildId = 20;
} // namespace mapping

std::string text(const Record& record, std::size_t offset) {
    if (offset >= record.body.size()) {
        return {};
    }
    const auto* begin = reinterpret_cast<const char*>(record.body.data() + offset);
    return {begin, ::strnlen(begin, record.body.size() - offset)};
}

} // namespace

etlformat::ProcessFields fieldsOf(const Process& process) {
    etlformat::ProcessFields fields;
    fields.uniqueProcessKey = process.key;
    fields.processId = process.id;
    fields.parentId = process.parent;
    fields.sessionId = process.session;
    fields.exitStatus = process.exitStatus;
    fields.user = sidOfUser(process.uid);
    fields.imageFileName = process.name;
    fields.commandLine = process.commandLine;
    fields.exitTime = process.exitTime;
    return fields;
}

etlformat::ThreadFields fieldsOf(const Thread& thread) {
    etlformat::ThreadFields fields;
    fields.processId = thread.process;
    fields.threadId = thread.id;
    fields.affinity = thread.affinity;
    fields.basePriority = thread.priority;
    fields.name = thread.name;
    return fields;
}

etlformat::ImageFields fieldsOf(const Image& image, std::uint32_t processId) {
    etlformat::ImageFields fields;
    fields.base = image.place.base;
    fields.size = image.place.size;
    fields.defaultBase = image.place.defaultBase;
    fields.processId = processId;
    fields.fileName = image.fileName;
    return fields;
}

void Translator::onFork(const Record& record) {
    const auto linuxProcess = record.at<std::uint32_t>(task::kProcess);
    const auto linuxParent = record.at<std::uint32_t>(task::kParent);
    const auto tid = record.at<std::uint32_t>(task::kThread);
    const auto parentThread = record.at<std::uint32_t>(task::kParentThread);
    const std::uint32_t parentId = m_table.processOf(linuxParent, parentThread);

    const Thread* maker = m_table.findThread(parentThread);
    Thread thread;
    thread.id = tid;
    thread.affinity = maker != nullptr ? maker->affinity : ~std::uint64_t{0};
    thread.priority = maker != nullptr ? maker->priority : std::uint8_t{8};
    thread.name = maker != nullptr ? maker->name : std::string();
    if (linuxParent == kKthreadd || (parentId == kSystemProcess && linuxProcess != linuxParent)) {
        // A kernel worker that makes a process does so to start a program: it is the kernel's until its exec.
        thread.process = kSystemProcess;
    } else if (linuxProcess == linuxParent) {
        thread.process = parentId;
    } else {
        thread.process = linuxProcess;
        const Process* parent = m_table.findProcess(parentId);
        Process unknown; // its own start was lost
        unknown.id = parentId;
        startProcess(record, parent != nullptr ? *parent : unknown, linuxProcess, parentThread);
    }
    writeThread(record, hook::kThreadStart, m_table.addThread(std::move(thread)), parentId, parentThread);
    if (linuxProcess != linuxParent && m_plan.hasImages) {
        if (const Process* process = m_table.findProcess(linuxProcess)) {
            for (const Image& image : process->images) {
                writeImage(record, hook::kImageLoad, *process, image, tid);
            }
        }
    }
}

void Translator::startProcess(const Record& record, const Process& parent, std::uint32_t process,
                              std::uint32_t parentThread) {
    const std::uint32_t parentId = parent.id;
    Process child = parent;
    child.id = process;
    child.parent = parentId;
    child.exitStatus = etlformat::ProcessFields::kStillActive;
    child.liveThreads = 0;
    child.unloadedImages.clear();
    writeProcess(record, hook::kProcessStart, m_table.addProcess(std::move(child)), parentId, parentThread);
}

void Translator::onExit(const Record& record) {
    const auto tid = record.at<std::uint32_t>(task::kThread);
    Thread* thread = m_table.findThread(tid);
    if (thread == nullptr || thread->ended != 0) {
        return; // it started before anybody looked, or its start was lost
    }
    const std::uint32_t processId = thread->process;
    endThread(record, *thread);
    Process* process = m_table.findProcess(processId);
    if (process != nullptr && process->liveThreads == 0 && processId != kSystemProcess && processId != kIdleProcess) {
        if (const auto status = m_facts.takeExit(processId, record.time)) {
            process->exitStatus = *status;
        }
        endProcess(record, *process, tid);
    }
}

void Translator::endThread(const Record& record, Thread& thread) {
    writeThread(record, hook::kThreadEnd, thread, thread.process, thread.id);
    m_table.endThread(thread, record.time);
}

void Translator::endProcess(const Record& record, Process& process, std::uint32_t actorThread) {
    for (const Image& image : process.images) {
        writeImage(record, hook::kImageUnload, process, image, actorThread);
    }
    const std::uint32_t id = process.id;
    const Process& ended = m_table.endProcess(process, record.time, wallTimeOf(record.time));
    writeProcess(record, hook::kProcessEnd, ended, id, actorThread);
}

void Translator::onComm(const Record& record) {
    const auto tid = record.at<std::uint32_t>(comm::kThread);
    std::string name = text(record, comm::kName);
    if ((record.misc & PERF_RECORD_MISC_COMM_EXEC) != 0) {
        onExec(record, std::move(name));
        return;
    }
    Thread* thread = m_table.findThread(tid);
    if (thread == nullptr || thread->name == name) {
        return;
    }
    thread->name = std::move(name);
    if (m_plan.hasThreads) {
        const auto payload = etlformat::encodeThreadSetName(thread->process, tid, thread->name);
        m_output.system(record.processor, record.time, hook::kThreadSetName, version::kThreadSetName, payload,
                        m_table.processOf(record.processId, record.threadId), record.threadId);
    }
}

void Translator::onExec(const Record& record, std::string comm) {
    const auto id = record.at<std::uint32_t>(comm::kProcess);
    Process started;
    started.id = id;
    Thread main;
    main.id = id;
    main.process = id;
    main.affinity = ~std::uint64_t{0};
    if (Thread* thread = m_table.findThread(id)) {
        main.affinity = thread->affinity;
        main.priority = thread->priority;
        if (thread->process != id) { // a program that the kernel starts
            started.parent = thread->process;
            started.session = 0;
            endThread(record, *thread);
        }
    }
    if (Process* process = m_table.findProcess(id)) {
        started.parent = process->parent;
        started.session = process->session;
        started.uid = process->uid;
        // The thread that calls exec goes on as the main thread; all others are dead, and their ends may come late.
        for (auto& [tid, thread] : m_table.threads()) {
            if (thread.process == id && thread.ended == 0) {
                endThread(record, thread);
            }
        }
        process->exitStatus = 0; // a program that makes room for another has not failed
        endProcess(record, *process, id);
    }
    const auto facts = m_facts.takeExec(id, record.time, comm);
    started.commandLine = facts ? facts->commandLine : std::string();
    started.name = processName(comm, facts ? facts->executable : std::string(), started.commandLine);
    if (facts) {
        started.uid = facts->uid.value_or(started.uid);
        started.session = facts->session.value_or(started.session);
    }
    main.name = std::move(comm);
    writeProcess(record, hook::kProcessStart, m_table.addProcess(std::move(started)), id, id);
    writeThread(record, hook::kThreadStart, m_table.addThread(std::move(main)), id, id);
}

void Translator::onMapping(const Record& record) {
    const auto linuxProcess = record.at<std::uint32_t>(mapping::kProcess);
    Process* process = linuxProcess == kUnknownId ? nullptr : m_table.findProcess(linuxProcess);
    Image image;
    if (process == nullptr || !imageFileName(text(record, mapping::kName), image.fileName)) {
        return;
    }
    const auto address = record.at<std::uint64_t>(mapping::kAddress);
    const auto length = record.at<std::uint64_t>(mapping::kLength);
    std::uint64_t inode = 0;
    if ((record.misc & PERF_RECORD_MISC_MMAP_BUILD_ID) != 0) {
        const std::size_t size =
            std::min<std::size_t>(record.at<std::uint8_t>(mapping::kBuildIdSize), mapping::kLongestBuildId);
        for (std::size_t i = 0; i < size; ++i) {
            image.buildId += record.at<char>(mapping::kBuildId + i);
        }
    } else {
        inode = record.at<std::uint64_t>(mapping::kInode);
    }
    image.codeBegin = address;
    image.codeEnd = address + length;
    image.place = place(process->id, image, record.at<std::uint64_t>(mapping::kOffset), inode);
    addImage(record, *process, std::move(image));
}

ImagePlace Translator::place(std::uint32_t process, Image& image, std::uint64_t offset, std::uint64_t inode) {
    const std::uint64_t length = image.codeEnd - image.codeBegin;
    if (image.fileName.front() != '/') {
        return {image.codeBegin, length, 0}; // [vdso]
    }
    const ElfLayout& layout = m_layouts.find({image.fileName, image.buildId, inode, process});
    if (image.buildId.empty()) {
        image.buildId = layout.buildId;
    }
    return placeImage(layout, image.codeBegin, length, offset);
}

void Translator::addImage(const Record& record, Process& process, Image image) {
    if (process.images.size() >= process.manyImages) {
        unloadUnmapped(record, process);
    }
    for (std::size_t i = 0; i < process.images.size();) {
        Image& other = process.images[i];
        if (other.fileName == image.fileName && other.place.base == image.place.base) {
            other.codeBegin = std::min(other.codeBegin, image.codeBegin);
            other.codeEnd = std::max(other.codeEnd, image.codeEnd);
            return; // another mapping of the same image, or its rights were changed
        }
        if (image.codeBegin < other.codeEnd && other.codeBegin < image.codeEnd) {
            unloadImage(record, process, i);
        } else {
            ++i;
        }
    }
    writeImage(record, hook::kImageLoad, process, image, record.threadId);
    process.images.push_back(std::move(image));
}

void Translator::unloadImage(const Record& record, Process& process, std::size_t index) {
    writeImage(record, hook::kImageUnload, process, process.images[index], record.threadId);
    m_table.unloadImage(process, index, record.time);
}

/// A program that loads and unloads plug-ins, each time at another address, would fill the table without end. What is
/// mapped now tells what of it has gone; asked at each doubling only, it costs next to nothing.
void Translator::unloadUnmapped(const Record& record, Process& process) {
    struct Range {
        std::uint64_t begin = 0;
        std::uint64_t end = 0;
    };
    std::vector<Range> mapped; // in order, as /proc has it
    if (const auto maps = readWhole(m_proc.path(process.id, "maps"))) {
        forEachLine(*maps, [&](std::string_view line) {
            const auto map = parseMapLine(line);
            if (map && map->isExecutable) {
                mapped.push_back({map->start, map->end});
            }
        });
    }
    // By address alone: a process in a container knows its files by other names than we do.
    const auto isMapped = [&](const Image& image) {
        const auto at = std::upper_bound(mapped.begin(), mapped.end(), image.codeBegin,
                                         [](std::uint64_t begin, const Range& range) { return begin < range.end; });
        return at != mapped.end() && at->begin < image.codeEnd;
    };
    for (std::size_t i = process.images.size(); i > 0 && !mapped.empty(); --i) {
        if (!isMapped(process.images[i - 1])) {
            unloadImage(record, process, i - 1);
        }
    }
    while (process.images.size() >= kMostImages) {
        unloadImage(record, process, 0);
    }
    process.manyImages = std::clamp(2 * process.images.size(), kManyImages, kMostImages);
}

FileTime Translator::wallTimeOf(Ticks time) const noexcept {
    return m_clock.wallTime() - (m_clock.ticks() - time) / (m_clock.frequency() / 10'000'000);
}

void Translator::writeProcess(const Record& record, std::uint16_t hookId, const Process& process,
                              std::uint32_t actorProcess, std::uint32_t actorThread) {
    if (m_plan.hasProcesses) {
        m_output.system(record.processor, record.time, hookId, version::kProcess,
                        etlformat::encodeProcess(hookId, fieldsOf(process)), actorProcess, actorThread);
    }
}

void Translator::writeThread(const Record& record, std::uint16_t hookId, const Thread& thread,
                             std::uint32_t actorProcess, std::uint32_t actorThread) {
    if (m_plan.hasThreads) {
        m_output.system(record.processor, record.time, hookId, version::kThread,
                        etlformat::encodeThread(fieldsOf(thread)), actorProcess, actorThread);
    }
}

void Translator::writeImage(const Record& record, std::uint16_t hookId, const Process& process, const Image& image,
                            std::uint32_t actorThread) {
    if (m_plan.hasImages) {
        m_output.system(record.processor, record.time, hookId, version::kImage,
                        etlformat::encodeImage(fieldsOf(image, process.id)), process.id, actorThread);
    }
}

} // namespace tracedeck::linux_source

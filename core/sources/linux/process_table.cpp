// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/process_table.h"

#include <algorithm>

namespace tracedeck::linux_source {
namespace {

/// More than a ring's span holds on any sane machine; bounds, so that memory cannot grow without end.
constexpr std::size_t kMostEnded = 200'000;
constexpr std::size_t kMostUnloaded = 20'000; // of one process
/// For what must have ended unseen: before any recording.
constexpr Ticks kLongAgo = 1;

} // namespace

ProcessTable::ProcessTable(bool keepsEnded) : m_keepsEnded(keepsEnded) {
    Process idle;
    idle.id = kIdleProcess;
    idle.key = nextKey();
    idle.name = "Idle";
    idle.exitStatus = 0; // as Windows has it
    m_processes.emplace(idle.id, std::move(idle));
    Process system;
    system.id = kSystemProcess;
    system.key = nextKey();
    system.name = "System";
    m_processes.emplace(system.id, std::move(system));
}

Process* ProcessTable::findProcess(std::uint32_t id) {
    const auto found = m_processes.find(id);
    return found == m_processes.end() ? nullptr : &found->second;
}

Thread* ProcessTable::findThread(std::uint32_t tid) {
    const auto found = m_threads.find(tid);
    return found == m_threads.end() ? nullptr : &found->second;
}

std::uint32_t ProcessTable::processOf(std::uint32_t linuxProcess, std::uint32_t tid) {
    if (tid == 0) {
        return kIdleProcess;
    }
    const Thread* thread = findThread(tid);
    return thread == nullptr ? linuxProcess : thread->process;
}

Process& ProcessTable::addProcess(Process process) {
    process.key = nextKey();
    const std::uint32_t id = process.id;
    if (m_processes.contains(id)) {
        // Read from /proc already, or its end was lost: its threads go with it.
        for (auto& [tid, thread] : m_threads) {
            if (thread.process == id) {
                endThread(thread, kLongAgo);
            }
        }
    }
    return m_processes.insert_or_assign(id, std::move(process)).first->second;
}

Thread& ProcessTable::addThread(Thread thread) {
    const auto known = m_threads.find(thread.id);
    if (known != m_threads.end()) {
        // An id that is used again before the dead thread was forgotten; its stack slot goes over.
        thread.stackSlot = known->second.stackSlot;
        if (known->second.ended == 0) {
            endThread(known->second, kLongAgo); // its end was lost
        }
    }
    if (Process* process = findProcess(thread.process)) {
        ++process->liveThreads;
    }
    const std::uint32_t id = thread.id;
    return m_threads.insert_or_assign(id, std::move(thread)).first->second;
}

void ProcessTable::endThread(Thread& thread, Ticks time) {
    if (thread.ended != 0) {
        return;
    }
    thread.ended = time;
    m_dying.push_back({thread.id, time});
    if (Process* process = findProcess(thread.process); process != nullptr && process->liveThreads > 0) {
        --process->liveThreads;
    }
}

void ProcessTable::unloadImage(Process& process, std::size_t index, Ticks time) {
    const auto image = process.images.begin() + static_cast<std::ptrdiff_t>(index);
    if (m_keepsEnded) {
        image->unloaded = time;
        process.unloadedImages.push_back(std::move(*image));
        if (process.unloadedImages.size() > kMostUnloaded) {
            process.unloadedImages.pop_front();
        }
    }
    process.images.erase(image);
}

Process& ProcessTable::endProcess(Process& process, Ticks time, FileTime wallTime) {
    process.ended = time;
    process.exitTime = wallTime;
    for (Image& image : process.images) {
        image.unloaded = time;
        if (m_keepsEnded) {
            process.unloadedImages.push_back(std::move(image));
        }
    }
    process.images.clear();
    const auto found = m_processes.find(process.id);
    Process* kept = &m_lastEnded;
    if (m_keepsEnded) {
        kept = &m_endedProcesses.emplace_back(std::move(found->second));
    } else {
        m_lastEnded = std::move(found->second);
    }
    m_processes.erase(found);
    return *kept;
}

void ProcessTable::pruneEnded(Ticks oldest) {
    while (!m_endedProcesses.empty() &&
           (m_endedProcesses.front().ended < oldest || m_endedProcesses.size() > kMostEnded)) {
        m_endedProcesses.pop_front();
    }
    for (auto& [id, process] : m_processes) {
        while (!process.unloadedImages.empty() && process.unloadedImages.front().unloaded < oldest) {
            process.unloadedImages.pop_front();
        }
    }
}

} // namespace tracedeck::linux_source

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/clock.h"
#include "core/etlformat/kernel_events.h"
#include "core/sources/linux/elf_layout.h"
#include "core/sources/linux/mapping.h"

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracedeck::linux_source {

/// An image of a process.
struct Image {
    ImagePlace place;
    std::uint64_t codeBegin = 0; ///< the executable mapping that made it known
    std::uint64_t codeEnd = 0;
    std::string fileName;
    std::string buildId; ///< bytes; empty where not known
    Ticks unloaded = 0;  ///< 0: still there
};

/// Images of one process beyond which it is asked what of them is still mapped; a browser has some 300.
constexpr std::size_t kManyImages = 512;

/// A process by its ETW id. Every exec makes a new one.
struct Process {
    std::uint32_t id = 0;
    std::uint64_t key = 0;
    std::uint32_t parent = 0;
    std::uint32_t session = etlformat::ProcessFields::kNoSession;
    std::uint32_t uid = 0;
    std::string name;
    std::string commandLine;
    std::int32_t exitStatus = etlformat::ProcessFields::kStillActive;
    Ticks ended = 0;
    FileTime exitTime = 0;
    std::vector<Image> images;            ///< loaded ones
    std::deque<Image> unloadedImages;     ///< kept for a ring's rundown, oldest first
    std::size_t manyImages = kManyImages; ///< at that number of images /proc is asked again
    std::uint32_t liveThreads = 0;
};

/// A thread by its Linux id.
struct Thread {
    std::uint32_t id = 0;
    std::uint32_t process = 0; ///< ETW id
    std::string name;
    std::uint64_t affinity = 0;
    std::uint8_t priority = 8;
    Ticks ended = 0;
    // What the translation of context switches keeps.
    Ticks switchedOut = 0;       ///< 0: not seen leaving
    std::int32_t stackSlot = -1; ///< in the stack pool
};

/// The processes, threads and images of the machine as the events so far leave them; processes and images that have
/// ended are kept for as long as a rundown may ask for them.
///
/// Threading: one thread at a time. Finding never allocates.
class ProcessTable {
public:
    /// `keepsEnded`: for rings, whose rundown names what ended within their span.
    explicit ProcessTable(bool keepsEnded);

    [[nodiscard]] Process* findProcess(std::uint32_t id);
    [[nodiscard]] Thread* findThread(std::uint32_t tid);
    /// The ETW process of a running thread: `linuxProcess` itself unless the thread is known to be the kernel's.
    [[nodiscard]] std::uint32_t processOf(std::uint32_t linuxProcess, std::uint32_t tid);

    /// New or, with the same id, instead of the one before.
    Process& addProcess(Process process);
    Thread& addThread(Thread thread);
    /// The thread stays findable for a while: its last events come after its end.
    void endThread(Thread& thread, Ticks time);
    /// Takes the image out of the loaded ones, whose order stays.
    void unloadImage(Process& process, std::size_t index, Ticks time);
    /// Takes the process out of the live ones, with its images; the reference is to where it is kept (valid until the
    /// next call).
    Process& endProcess(Process& process, Ticks time, FileTime wallTime);

    /// Forgets what ended before `oldest` (a ring's span) and dead threads that can have no more events.
    /// `dropped` is called with each thread that goes.
    template <class Function>
    void prune(Ticks oldest, Ticks now, Function&& dropped) {
        while (!m_dying.empty() && m_dying.front().time + kLinger < now) {
            const auto found = m_threads.find(m_dying.front().tid);
            if (found != m_threads.end() && found->second.ended == m_dying.front().time) {
                dropped(found->second);
                m_threads.erase(found);
            }
            m_dying.pop_front();
        }
        pruneEnded(oldest);
    }

    [[nodiscard]] std::uint64_t nextKey() noexcept { return m_nextKey++; }
    [[nodiscard]] std::unordered_map<std::uint32_t, Process>& processes() noexcept { return m_processes; }
    [[nodiscard]] std::unordered_map<std::uint32_t, Thread>& threads() noexcept { return m_threads; }
    [[nodiscard]] const std::deque<Process>& endedProcesses() const noexcept { return m_endedProcesses; }

private:
    static constexpr Ticks kLinger = 2'000'000'000;
    struct Dying {
        std::uint32_t tid = 0;
        Ticks time = 0;
    };
    void pruneEnded(Ticks oldest);

    bool m_keepsEnded;
    // The key is unique, never zero, and looks like what it is on Windows: a kernel address.
    std::uint64_t m_nextKey = 0xFFFF'8000'0000'0001;
    std::unordered_map<std::uint32_t, Process> m_processes;
    std::unordered_map<std::uint32_t, Thread> m_threads;
    std::deque<Process> m_endedProcesses;
    std::deque<Dying> m_dying;
    Process m_lastEnded; ///< where processes that are not kept end
};

} // namespace tracedeck::linux_source

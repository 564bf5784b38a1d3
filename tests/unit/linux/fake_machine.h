// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/linux_kernel_source.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/perf_memory.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/ioctl.h>
#include <vector>

namespace tracedeck::test {

using linux_source::PerfApi;
using linux_source::Roots;

/// A kernel that gives and refuses what the test says; nothing ever happens in it.
class FakePerf final : public PerfApi {
public:
    int open(const perf_event_attr& attributes, int cpu) override {
        const std::lock_guard lock(m_mutex);
        opened.push_back(attributes);
        if (attributes.type == PERF_TYPE_TRACEPOINT && tracepointError != 0) {
            return tracepointError;
        }
        if (openError != 0) {
            return openError;
        }
        if (openNow >= mostDescriptors) {
            return -EMFILE;
        }
        if (offline.count(cpu) != 0) {
            return -ENODEV;
        }
        if ((attributes.read_format & PERF_FORMAT_LOST) != 0 && !takesLost) {
            return -EINVAL;
        }
        ++openNow;
        Event& event = m_events[m_next];
        event.attributes = attributes;
        event.cpu = cpu;
        return m_next++; // from 0, which is a descriptor like any other
    }
    void* map(int fd, std::size_t bytes, int& error) override {
        const std::lock_guard lock(m_mutex);
        if (bytes > mostBytes) {
            error = -EPERM;
            return nullptr;
        }
        auto& ring = m_events.at(fd).ring;
        ring = std::make_unique<RingMemory>(bytes - 4096);
        ++mapped;
        return ring->mapping();
    }
    void unmap(void* mapping, std::size_t) override {
        const std::lock_guard lock(m_mutex);
        --mapped;
        for (auto& [fd, event] : m_events) {
            if (event.ring && event.ring->mapping() == mapping) {
                event.ring.reset(); // whoever reads it now is found by the sanitizers
            }
        }
    }
    int control(int fd, unsigned long request, std::uint64_t argument) override {
        const std::lock_guard lock(m_mutex);
        if (request == PERF_EVENT_IOC_ID) {
            *reinterpret_cast<std::uint64_t*>(argument) = static_cast<std::uint64_t>(fd);
        } else if (request == PERF_EVENT_IOC_ENABLE) {
            if (enableError != 0) {
                return enableError;
            }
            m_events.at(fd).isEnabled = true;
        } else if (request == PERF_EVENT_IOC_DISABLE) {
            m_events.at(fd).isEnabled = false;
        }
        return 0;
    }
    std::int64_t read(int fd, std::span<std::byte> into) override {
        const std::lock_guard lock(m_mutex);
        if (fd == givenUp || fd == unreadable) {
            return fd == givenUp ? 0 : -EACCES;
        }
        const Event& event = m_events.at(fd);
        const std::uint64_t values[3] = {event.count, event.enabledFor, lostPerEvent};
        std::memcpy(into.data(), values, std::min(into.size(), sizeof(values)));
        return static_cast<std::int64_t>(into.size());
    }
    int poll(std::span<pollfd> descriptors, std::chrono::nanoseconds timeout) override {
        ++polls;
        {
            const std::lock_guard lock(m_mutex);
            m_polled.clear();
            for (const pollfd& descriptor : descriptors.subspan(1)) {
                m_polled.push_back(descriptor.fd);
            }
        }
        if (pollError != 0) {
            return pollError;
        }
        if (whenPolled) {
            whenPolled();
        }
        const int ready = linux_source::systemPerf().poll(descriptors.first(1), timeout); // the run's own wake-up
        if (ready > 0 && whenWoken) {
            whenWoken();
        }
        return ready;
    }
    void close(int fd) override {
        const std::lock_guard lock(m_mutex);
        --openNow;
        m_events.at(fd).isClosed = true;
    }
    void allowDescriptors(std::size_t more) override { allowed += more; }

    /// What happens to a processor's events when it goes offline: they are no longer in service, for good.
    void kill(int cpu) {
        const std::lock_guard lock(m_mutex);
        for (auto& [fd, event] : m_events) {
            event.isDead = event.isDead || event.cpu == cpu;
        }
    }
    /// Time goes by for the events that are enabled and in service.
    void serve(std::int64_t nanoseconds) {
        const std::lock_guard lock(m_mutex);
        for (auto& [fd, event] : m_events) {
            event.enabledFor += event.isEnabled && !event.isDead ? static_cast<std::uint64_t>(nanoseconds) : 0;
        }
    }
    void takeOffline(int cpu) {
        kill(cpu);
        const std::lock_guard lock(m_mutex);
        offline.insert(cpu);
    }
    void bringOnline(int cpu) {
        const std::lock_guard lock(m_mutex);
        offline.erase(cpu);
    }
    /// The open event of a processor, -1 where there is none; also its id.
    int eventOf(int cpu, std::uint32_t type, std::uint64_t config) {
        const std::lock_guard lock(m_mutex);
        for (auto& [fd, event] : m_events) {
            if (!event.isClosed && event.cpu == cpu && event.attributes.type == type &&
                event.attributes.config == config) {
                return fd;
            }
        }
        return -1;
    }
    /// At the last poll.
    bool isPolled(int fd) {
        const std::lock_guard lock(m_mutex);
        return std::find(m_polled.begin(), m_polled.end(), fd) != m_polled.end();
    }
    bool isEnabled(int fd) {
        const std::lock_guard lock(m_mutex);
        return m_events.at(fd).isEnabled;
    }
    void setCount(int fd, std::uint64_t count) {
        const std::lock_guard lock(m_mutex);
        m_events.at(fd).count = count;
    }
    /// Writes to the ring that was mapped for `fd`; false where it has none, or is full.
    bool write(int fd, const RecordBuilder& record) {
        const std::lock_guard lock(m_mutex);
        Event& event = m_events.at(fd);
        return event.ring != nullptr && event.ring->write(record);
    }

    int openError = 0;
    int tracepointError = 0;
    int enableError = 0;
    std::set<int> offline;
    int givenUp = -1;    ///< the event that read() says nothing of
    int unreadable = -1; ///< the event that read() refuses
    bool takesLost = true;
    std::size_t mostBytes = std::size_t{1} << 40U;
    std::uint64_t lostPerEvent = 0;
    int mostDescriptors = 1 << 20;
    int pollError = 0;
    std::function<void()> whenPolled; ///< may throw, as whatever the reading thread does
    std::function<void()> whenWoken;  ///< on the thread that waits
    std::atomic<int> polls{0};
    std::size_t allowed = 0;
    int openNow = 0;
    int mapped = 0;
    std::vector<perf_event_attr> opened;

private:
    struct Event {
        perf_event_attr attributes{};
        int cpu = -1;
        bool isEnabled = false;
        bool isDead = false;
        bool isClosed = false;
        std::uint64_t count = 0;
        std::uint64_t enabledFor = 0;
        std::unique_ptr<RingMemory> ring;
    };
    std::mutex m_mutex;
    int m_next = 0;
    std::map<int, Event> m_events; ///< closed ones too
    std::vector<int> m_polled;
};

/// A small /proc, /sys and tracefs.
class FakeMachine {
public:
    FakeMachine() {
        write("sys/devices/system/cpu/online", "0-1\n");
        write("sys/devices/system/cpu/present", "0-3\n");
        write("proc/sys/kernel/osrelease", "6.1.2\n");
        write("proc/sys/kernel/hostname", "box\n");
        write("proc/sys/kernel/perf_event_paranoid", "2\n");
        write("proc/self/status", "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0000000000000000\n");
        write("proc/cpuinfo", "cpu family\t: 6\nmodel\t\t: 85\nmodel name\t: X\nstepping\t: 7\ncpu MHz\t\t: 2500.500\n"
                              "flags\t\t: fpu nx sse\n");
        write("proc/meminfo", "MemTotal:       4194304 kB\n");
        write("proc/stat", "cpu 1 2 3\nbtime 1700000000\n");
        write("proc/kallsyms", "ffffffff81000000 T _text\nffffffff82000000 T _etext\n");
        write("proc/modules", "ext4 4096 1 - Live 0xffffffffc0000000\n");
        process(1, "1 (init) S 0 1 1 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 5", "/sbin/init",
                std::string("/sbin/init\0", 11));
        process(2, "2 (kthreadd) S 0 0 0 0 -1 2129984 0 0 0 0 0 0 0 0 20 0 1 0 5", "", "");
        process(9, "9 (ksoftirqd/0) S 2 0 0 0 -1 69238848 0 0 0 0 0 0 0 0 20 0 1 0 5", "", "");
        process(50, "50 (gone) Z 1 50 50 0 -1 4194560 0 0 0 0 0 0 0 0 20 0 1 0 5", "", "");
        for (const char* event : {"sched_switch", "sched_waking", "sched_process_exec"}) {
            write(std::string("trace/events/sched/") + event + "/format",
                  "ID: 7\n\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"
                  "\tfield:int prev_pid;\toffset:24;\tsize:4;\tsigned:1;\n"
                  "\tfield:int prev_prio;\toffset:28;\tsize:4;\tsigned:1;\n"
                  "\tfield:long prev_state;\toffset:32;\tsize:8;\tsigned:1;\n"
                  "\tfield:int next_pid;\toffset:56;\tsize:4;\tsigned:1;\n"
                  "\tfield:int next_prio;\toffset:60;\tsize:4;\tsigned:1;\n"
                  "\tfield:int pid;\toffset:24;\tsize:4;\tsigned:1;\n");
        }
        for (const char* event : {"irq_handler_entry", "irq_handler_exit", "softirq_entry", "softirq_exit"}) {
            write(std::string("trace/events/irq/") + event + "/format",
                  "ID: 11\n\tfield:int irq;\toffset:8;\tsize:4;\tsigned:1;\n"
                  "\tfield:int ret;\toffset:12;\tsize:4;\tsigned:1;\n"
                  "\tfield:unsigned int vec;\toffset:8;\tsize:4;\tsigned:0;\n");
        }
        for (const char* event : {"block_io_start", "block_rq_issue", "block_bio_frontmerge", "block_rq_complete"}) {
            write(std::string("trace/events/block/") + event + "/format",
                  "ID: 9\n\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n"
                  "\tfield:sector_t sector;\toffset:16;\tsize:8;\tsigned:0;\n"
                  "\tfield:unsigned int nr_sector;\toffset:24;\tsize:4;\tsigned:0;\n"
                  "\tfield:unsigned int bytes;\toffset:28;\tsize:4;\tsigned:0;\n"
                  "\tfield:char rwbs[8];\toffset:32;\tsize:8;\tsigned:0;\n");
        }
    }
    void write(const std::string& name, const std::string& content) {
        const std::filesystem::path path = m_folder.file(name);
        std::filesystem::create_directories(path.parent_path());
        std::ofstream(path, std::ios::binary) << content;
    }
    void process(int id, const std::string& stat, const std::string& image, const std::string& arguments) {
        const std::string folder = "proc/" + std::to_string(id) + "/";
        write(folder + "stat", stat);
        write(folder + "status", "Uid:\t0\t0\t0\t0\nCpus_allowed:\t3\n");
        write(folder + "cmdline", arguments);
        write(folder + "maps", image.empty() ? "" : "400000-401000 r-xp 00000000 08:01 5 " + image + "\n");
        write(folder + "task/" + std::to_string(id) + "/stat", stat);
    }
    [[nodiscard]] Roots roots() const {
        return {m_folder.file("proc"), m_folder.file("sys"), m_folder.file("trace"), m_folder.file("etc")};
    }
    void link(const std::string& name, const std::string& target) {
        const std::filesystem::path path = m_folder.file(name);
        std::filesystem::create_directories(path.parent_path());
        std::filesystem::create_symlink(target, path);
    }
    void remove(const std::string& name) { std::filesystem::remove_all(m_folder.file(name)); }

private:
    TemporaryFolder m_folder;
};

inline etw::engine::KernelRequest requestOf(std::initializer_list<std::uint32_t> groups) {
    etw::engine::KernelRequest request;
    for (const std::uint32_t wanted : groups) {
        request.groups.set(wanted);
    }
    return request;
}

inline bool hasLimitation(const std::vector<etw::Limitation>& all, etw::LimitationCode code) {
    return std::any_of(all.begin(), all.end(), [&](const auto& limitation) { return limitation.code == code; });
}

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
// Paths of system calls, from this machine's kernel for real. Skipped, loudly, where it refuses.
#include "core/sources/linux/path_probe.h"
#include "core/sources/linux/trace_fs.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/linux/live_recording.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <limits>
#include <memory>
#include <optional>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracedeck::linux_source {
namespace {

constexpr std::size_t kRingBytes = 1024 * 1024;

/// What one processor writes: paths, and the ends of calls behind them.
class Watched {
public:
    Watched(const PerfFeatures& features, std::uint64_t enter, std::uint64_t exit, std::uint32_t processor) {
        output = open(PathProbe::outputAttributes(features), processor);
        begins = open(tracepointAttributes(features, enter, false), processor);
        ends = open(tracepointAttributes(features, exit, false), processor);
        int error = 0;
        m_mapping = systemPerf().map(output, m_page + kRingBytes, error);
        REQUIRE(m_mapping != nullptr);
        stream.emplace(PerfRing(m_mapping), processor);
        REQUIRE(systemPerf().control(ends, PERF_EVENT_IOC_SET_OUTPUT, static_cast<std::uint64_t>(output)) == 0);
        identify(output, Origin::Point, 0);
        identify(ends, Origin::Point, 1);
        for (const int fd : {output, begins, ends}) {
            REQUIRE(systemPerf().control(fd, PERF_EVENT_IOC_ENABLE, 0) == 0);
        }
    }
    ~Watched() {
        systemPerf().unmap(m_mapping, m_page + kRingBytes);
        for (const int fd : {ends, begins, output}) {
            systemPerf().close(fd);
        }
    }
    Watched(const Watched&) = delete;
    Watched& operator=(const Watched&) = delete;

    int output = -1;
    int begins = -1;
    int ends = -1;
    std::optional<RecordStream> stream;

private:
    static int open(const perf_event_attr& attributes, std::uint32_t processor) {
        const int fd = systemPerf().open(attributes, static_cast<int>(processor));
        REQUIRE(fd >= 0);
        return fd;
    }
    void identify(int fd, Origin origin, std::uint16_t point) {
        std::uint64_t id = 0;
        REQUIRE(systemPerf().control(fd, PERF_EVENT_IOC_ID, reinterpret_cast<std::uintptr_t>(&id)) == 0);
        stream->addEvent(id, origin, point);
    }
    const std::size_t m_page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    void* m_mapping = nullptr;
};

/// A file mapped to memory whose pages nobody has looked at yet.
const char* unreadPage(const std::string& file, const std::string& text) {
    std::ofstream(file) << text << '\0';
    const int fd = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
    REQUIRE(fd >= 0);
    void* page = ::mmap(nullptr, text.size() + 1, PROT_READ, MAP_PRIVATE, fd, 0);
    REQUIRE(page != MAP_FAILED);
    ::close(fd);
    return static_cast<const char*>(page);
}

/// A child opens them all, in order, in this folder; returns its process id.
std::uint32_t openAll(const std::string& folder, const std::vector<const char*>& paths) {
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        bool isFine = ::chdir(folder.c_str()) == 0;
        for (const char* path : paths) {
            const long fd = ::syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
            isFine = isFine && (fd < 0 || ::close(static_cast<int>(fd)) == 0);
        }
        ::_exit(isFine ? 0 : 1);
    }
    int status = -1;
    REQUIRE(::waitpid(child, &status, 0) == child);
    REQUIRE(status == 0);
    return static_cast<std::uint32_t>(child);
}

std::string pathOf(const Record& record) {
    const auto raw = SampleBody::of(record, false, true).raw;
    const auto* text = reinterpret_cast<const char*>(raw.data());
    return {text, ::strnlen(text, raw.size())};
}

struct Told {
    std::vector<std::string> paths;
    std::size_t ends = 0;
    std::size_t endsWithoutPath = 0; ///< the record before was no path of the same thread
    std::size_t lost = 0;
};

/// Of one process.
Told take(std::vector<std::unique_ptr<Watched>>& all, std::uint32_t process) {
    std::vector<RecordStream> streams;
    for (const auto& one : all) {
        one->stream->gather();
        streams.push_back(*std::move(one->stream));
    }
    Told told;
    bool isPathLast = false;
    RecordMerger(streams).takeUpTo(std::numeric_limits<Ticks>::max(), [&](const Record& record) {
        told.lost += record.type == PERF_RECORD_LOST ? 1U : 0U;
        if (record.type != PERF_RECORD_SAMPLE || record.processId != process) {
            return;
        }
        if (record.point == 0) {
            told.paths.push_back(pathOf(record));
        } else {
            ++told.ends;
            told.endsWithoutPath += isPathLast ? 0U : 1U;
        }
        isPathLast = record.point == 0;
    });
    return told;
}

} // namespace

TEST_CASE("the paths of system calls come with their ends, whatever they hold", "[linux][live][path]") {
    const std::vector<std::uint32_t> processors = onlineProcessors();
    const auto traceFs = TraceFs::open({});
    auto probe = PathProbe::load(*std::max_element(processors.begin(), processors.end()) + 1);
    if (!traceFs || !probe) {
        std::cerr << "SKIPPED: paths of system calls: " << (traceFs ? probe.error().detail : traceFs.error().detail)
                  << '\n';
        return;
    }
    const auto enter = traceFs->format("syscalls/sys_enter_openat");
    const auto exit = traceFs->format("syscalls/sys_exit_openat");
    const auto features = probeFeatures(systemPerf(), processors.front());
    REQUIRE((enter && exit && features));
    std::vector<std::unique_ptr<Watched>> watched;
    for (const std::uint32_t processor : processors) {
        watched.push_back(std::make_unique<Watched>(*features, enter->id, exit->id, processor));
        REQUIRE(probe->sendTo(processor, watched.back()->output));
        REQUIRE(probe->watch(watched.back()->begins, watched.back()->ends, 1)); // again for each: once is enough
    }

    const test::TemporaryFolder folder;
    const std::string unread = "not in memory when the call begins";
    const std::string longest = "./" + std::string(4093, '/'); // with its zero as long as the kernel takes
    const std::vector<std::string> expected{
        "relative", "/no/such/file", "\xC3\xA4\xE2\x82\xAC", "\xFF\xFE no UTF-8", "", unread, longest};
    std::ofstream(folder.file("relative")) << 'x';
    std::vector<const char*> paths;
    paths.reserve(expected.size());
    for (const std::string& path : expected) {
        paths.push_back(path == unread ? unreadPage(folder.file("page"), path) : path.c_str());
    }
    const std::uint32_t child = openAll(folder.path(), paths);
    const Told told = take(watched, child);
    CHECK(told.lost == 0);
    CHECK(told.paths == expected);
    CHECK(told.ends == expected.size());
    CHECK(told.endsWithoutPath == 0);
}

TEST_CASE("a call has six arguments, of which one is its path", "[linux][live][path]") {
    auto probe = PathProbe::load(1);
    if (!probe) {
        std::cerr << "SKIPPED: arguments of a watched call: " << probe.error().detail << '\n';
        return;
    }
    CHECK(probe->watch(-1, -1, 6).error().code == ErrorCode::InvalidArgument);
    CHECK(probe->watch(-1, -1, 5).error().native == EBADF);
    CHECK(probe->sendTo(1, 0).error().native != 0); // beyond the processors there are
}

} // namespace tracedeck::linux_source

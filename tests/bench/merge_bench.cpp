// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"

#include "core/base/guid.h"
#include "core/etl/partial_file.h"
#include "core/etlformat/encode.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

// How long a merge takes beside a copy of the same bytes, both until the bytes are on the device, and how much memory:
//   merge_bench FOLDER [MIB_PER_FILE [ROUNDS]]
// writes two files as a system session and an event session do, on eight processors, then copies and merges them in
// turns. The machine is never idle: only the ratio of one run says something.

namespace {

using namespace tracedeck;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kBufferSize = 64 * 1024;
constexpr std::uint16_t kProcessors = 8;
constexpr Ticks kStart = 1'000'000'000;

[[noreturn]] void stop(const std::string& why) {
    std::fprintf(stderr, "merge_bench: %s\n", why.c_str());
    std::exit(1);
}

template <class T>
T must(Result<T> result) {
    if (!result) {
        stop(result.error().detail);
    }
    return std::move(*result);
}

void must(const Status& status) {
    if (!status) {
        stop(status.error().detail);
    }
}

/// Writes one session's file: per processor a buffer that is written when it is full.
class SessionFile {
public:
    SessionFile(const std::string& path, bool isSystem)
        : m_file(must(systemFiles().create(path, FileSystem::Existing::Replace))), m_out(*m_file),
          m_isSystem(isSystem) {
        must(m_out.append(header(0)));
    }
    [[nodiscard]] std::uint64_t size() const { return m_out.size(); }
    void add(std::uint16_t processor, Ticks time, const std::vector<std::byte>& event) {
        std::vector<std::byte>& buffer = m_open[processor];
        const std::size_t padded = etlformat::alignEvent(event.size());
        if (buffer.size() + padded > kBufferSize) {
            write(processor, time);
        }
        if (buffer.empty()) {
            buffer.resize(etlformat::kBufferHeaderSize);
        }
        buffer.insert(buffer.end(), event.begin(), event.end());
        buffer.resize(buffer.size() + padded - event.size());
    }
    void close(Ticks time) {
        for (std::uint16_t processor = 0; processor < kProcessors; ++processor) {
            write(processor, time);
        }
        must(m_out.flush());
        must(m_file->writeAt(0, header(time)));
        must(m_file->sync());
        must(m_file->close());
    }

private:
    void write(std::uint16_t processor, Ticks time) {
        std::vector<std::byte>& buffer = m_open[processor];
        etlformat::BufferHeader header;
        header.bufferSize = kBufferSize;
        header.savedOffset = static_cast<std::uint32_t>(buffer.size());
        header.offset = header.savedOffset;
        header.timeStamp = time;
        header.sequenceNumber = static_cast<std::int64_t>(++m_buffers);
        header.processorIndex = processor;
        header.bufferFlag = etlformat::buffer_flag::kProcessorIndex;
        std::memcpy(buffer.data(), &header, sizeof header);
        buffer.resize(kBufferSize, std::byte{0xFF});
        must(m_out.append(buffer));
        buffer.clear();
    }
    [[nodiscard]] std::vector<std::byte> header(Ticks end) const {
        etlformat::TraceIdentity identity;
        identity.numberOfProcessors = kProcessors;
        identity.perfFreq = 1'000'000'000;
        identity.bootTime = 133'000'000'000'000'000;
        identity.startTicks = kStart;
        identity.startTime = identity.bootTime + kStart / 100;
        etlformat::LogfileSummary summary;
        summary.bufferSize = kBufferSize;
        summary.logFileMode =
            etlformat::mode::kSequential | (m_isSystem ? etlformat::mode::kSystemLogger : std::uint32_t{0});
        summary.buffersWritten = end == 0 ? 0 : static_cast<std::uint32_t>(m_buffers + 1);
        summary.endTime = end == 0 ? 0 : identity.bootTime + end / 100;
        summary.loggerName = "bench";
        const etlformat::GroupMasks masks{{7, 6, 0, 0, 0, 0, 0, 0}};
        if (m_isSystem) {
            summary.groupMasks = masks.words;
        }
        return etlformat::encodeHeaderBuffer(identity, summary);
    }

    std::unique_ptr<OutputFile> m_file;
    etl::BlockWriter m_out;
    bool m_isSystem;
    std::uint64_t m_buffers = 0;
    std::vector<std::byte> m_open[kProcessors];
};

std::vector<std::byte> kernelEvent(std::uint16_t hookId, Ticks time, std::size_t payload, Ticks first = 0) {
    std::vector<std::byte> event;
    etlformat::ByteWriter out(event);
    out.put(etlformat::perfinfoHeader(hookId, 2, payload, time));
    out.put(first);
    out.zeros(payload - sizeof first);
    return event;
}

/// Context switches and samples, most of them with a stack of some depth.
void writeSystemFile(const std::string& path, std::uint64_t bytes) {
    std::mt19937 random(1);
    SessionFile file(path, true);
    Ticks time = kStart;
    while (file.size() < bytes) {
        time += 1 + static_cast<Ticks>(random() % 2000);
        const auto processor = static_cast<std::uint16_t>(random() % kProcessors);
        const bool isSwitch = random() % 4 != 0;
        file.add(processor, time, kernelEvent(isSwitch ? 0x0524 : 0x0F2E, time, isSwitch ? 24 : 16));
        if (random() % 2 == 0) {
            const std::size_t frames = 4 + random() % 24;
            file.add(processor, time, kernelEvent(0x1820, time, 16 + 8 * frames, time));
        }
    }
    file.close(time + 1);
}

/// Events of providers, of all lengths.
void writeEventFile(const std::string& path, std::uint64_t bytes) {
    std::mt19937 random(2);
    SessionFile file(path, false);
    Ticks time = kStart;
    const Guid provider = guidFromProviderName("Bench");
    while (file.size() < bytes) {
        time += 1 + static_cast<Ticks>(random() % 2000);
        const std::size_t payload = random() % 240;
        std::vector<std::byte> event;
        etlformat::ByteWriter out(event);
        etlformat::EventHeader header;
        header.size = static_cast<std::uint16_t>(sizeof header + payload);
        header.timeStamp = time;
        header.providerId = provider;
        header.descriptor.id = static_cast<std::uint16_t>(random() % 50);
        out.put(header);
        out.zeros(payload);
        file.add(static_cast<std::uint16_t>(random() % kProcessors), time, event);
    }
    file.close(time + 1);
}

void syncFile(const std::string& path) {
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fsync(fd) != 0) {
        stop("sync " + path);
    }
    close(fd);
}

double secondsOfCopy(const std::vector<std::string>& inputs, const std::string& output) {
    const auto begin = Clock::now();
    std::string command = "cat";
    for (const std::string& input : inputs) {
        command += " '" + input + "'";
    }
    if (std::system((command + " > '" + output + "'").c_str()) != 0) {
        stop("copying failed");
    }
    syncFile(output);
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Spent {
    double user = 0;
    double system = 0;
};

Spent spent() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
    };
    return {seconds(usage.ru_utime), seconds(usage.ru_stime)};
}

double secondsOfMerge(const std::vector<std::string>& inputs, const std::string& output, std::uint64_t& events) {
    etl::MergeRequest request;
    request.inputs = inputs;
    request.output = output;
    request.replace = true;
    request.sessionName = "merge_bench";
    const auto begin = Clock::now();
    const Spent before = spent();
    events = must(etl::merge(systemFiles(), request)).events;
    const double seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    const Spent after = spent();
    std::printf("  the merge: %.2f s of the processor in the program, %.2f s in the system\n", after.user - before.user,
                after.system - before.system);
    return seconds;
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

long peakKib() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::puts("merge_bench FOLDER [MIB_PER_FILE [ROUNDS]]");
        return 2;
    }
    const std::string folder = arguments[1];
    const std::uint64_t mebibytes = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : 1024;
    const int rounds = count > 3 ? std::atoi(arguments[3]) : 5;
    const std::vector<std::string> inputs{folder + "/bench_system.etl", folder + "/bench_events.etl"};
    const std::string copied = folder + "/bench_copied";
    const std::string merged = folder + "/bench_merged.etl";
    writeSystemFile(inputs[0], mebibytes << 20U);
    writeEventFile(inputs[1], mebibytes << 20U);
    const long before = peakKib();
    std::vector<double> copying;
    std::vector<double> merging;
    std::uint64_t events = 0;
    for (int i = 0; i < rounds; ++i) {
        std::filesystem::remove(copied);
        copying.push_back(secondsOfCopy(inputs, copied));
        std::filesystem::remove(merged);
        merging.push_back(secondsOfMerge(inputs, merged, events));
        std::printf("round %d: copy and sync %.2f s, merge and sync %.2f s\n", i + 1, copying.back(), merging.back());
    }
    std::printf("2 x %llu MiB, %llu events: copy %.2f s, merge %.2f s, ratio %.2f; memory grew by %.1f MiB at most\n",
                static_cast<unsigned long long>(mebibytes), static_cast<unsigned long long>(events), median(copying),
                median(merging), median(merging) / median(copying), static_cast<double>(peakKib() - before) / 1024);
    for (const std::string& path : {inputs[0], inputs[1], copied, merged}) {
        std::filesystem::remove(path);
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/export.h"
#include "core/etl/summary.h"
#include "tests/bench/mixed_file.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

// How fast a recording is read, from the page cache: read_bench [MB] writes a file of a realistic mix beside itself,
// reads it several times and tells the best.

namespace {

using namespace tracedeck;

template <class Run>
bool measure(const char* what, const std::string& path, int rounds, Run run) {
    double best = 1e9;
    std::uint64_t events = 0;
    std::uint64_t bytes = 0;
    for (int round = 0; round < rounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        if (!run(path, events, bytes)) {
            std::printf("%s: failed\n", what);
            return false;
        }
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::printf("%-8s %6.2f GB/s  %6.1f million events/s  (%.1f MB, %llu events, %.3f s)\n", what,
                static_cast<double>(bytes) / best / 1e9, static_cast<double>(events) / best / 1e6,
                static_cast<double>(bytes) / 1e6, static_cast<unsigned long long>(events), best);
    return true;
}

bool readSummary(const std::string& path, std::uint64_t& events, std::uint64_t& bytes) {
    const auto summary = etl::summarize(systemFiles(), path);
    if (!summary) {
        return false;
    }
    events = summary->events;
    bytes = summary->fileBytes;
    return summary->verdict() == etl::Summary::Verdict::Good;
}

/// The text goes nowhere: what is measured is its making.
template <etl::ExportFormat format>
bool exportAll(const std::string& path, std::uint64_t& events, std::uint64_t& bytes) {
    const auto result = etl::exportEvents(systemFiles(), path, format, [](std::span<const char>) { return Status(); });
    if (!result) {
        return false;
    }
    events = result->events;
    bytes = result->bytes;
    return true;
}

} // namespace

int main(int count, char** arguments) {
    const std::uint64_t megabytes = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1000;
    const std::string path = std::string(arguments[0]) + ".etl";
    if (!bench::writeMixedFile(path, megabytes * 1'000'000)) {
        std::puts("the file cannot be written");
        return 1;
    }
    bool isGood = measure("summary", path, 5, readSummary);
    isGood = measure("CSV", path, 2, exportAll<etl::ExportFormat::Csv>) && isGood;
    isGood = measure("JSON", path, 2, exportAll<etl::ExportFormat::JsonLines>) && isGood;
    std::remove(path.c_str());
    return isGood ? 0 : 1;
}

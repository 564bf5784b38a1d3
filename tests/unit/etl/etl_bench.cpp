// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/summary.h"

#include <chrono>
#include <cstdio>
#include <string>
#include <vector>

// How fast files are read and merged: etl_bench FILE… reads each, and merges all into one beside the first.

namespace {

using Seconds = std::chrono::duration<double>;

double secondsSince(std::chrono::steady_clock::time_point begin) {
    return Seconds(std::chrono::steady_clock::now() - begin).count();
}

bool printSummary(const std::string& path) {
    const auto begin = std::chrono::steady_clock::now();
    const auto summary = tracedeck::etl::summarize(tracedeck::systemFiles(), path);
    const double seconds = secondsSince(begin);
    if (!summary) {
        std::printf("%s: %s\n", path.c_str(), summary.error().detail.c_str());
        return false;
    }
    const double megabytes = static_cast<double>(summary->fileBytes) / 1e6;
    std::printf("%s: read %.1f MB, %llu events, in %.3f s: %.0f MB/s, span %.6f s\n", path.c_str(), megabytes,
                static_cast<unsigned long long>(summary->events), seconds, megabytes / seconds, summary->spanSeconds);
    for (const auto& finding : summary->findings) {
        std::printf("  severity %d, code %d, at %llu, %llu times: %s\n", static_cast<int>(finding.severity),
                    static_cast<int>(finding.code), static_cast<unsigned long long>(finding.offset),
                    static_cast<unsigned long long>(finding.count), finding.detail.c_str());
    }
    for (std::size_t i = 0; i < summary->names.size() && i < 8; ++i) {
        std::printf("  %10llu %s\n", static_cast<unsigned long long>(summary->names[i].events),
                    summary->names[i].name.c_str());
    }
    return true;
}

bool printMerge(const std::vector<std::string>& inputs) {
    tracedeck::etl::MergeRequest request;
    request.inputs = inputs;
    request.output = inputs.front() + ".merged.etl";
    request.replace = true;
    request.sessionName = "etl_bench";
    const auto begin = std::chrono::steady_clock::now();
    const auto merged = tracedeck::etl::merge(tracedeck::systemFiles(), request);
    const double seconds = secondsSince(begin);
    if (!merged) {
        std::printf("merge: %s\n", merged.error().detail.c_str());
        return false;
    }
    const double megabytes = static_cast<double>(merged->bytes) / 1e6;
    std::printf("%s: merged %.1f MB, %llu events, %llu stacks dropped, %llu damaged buffers, in %.3f s with sync: "
                "%.0f MB/s\n",
                request.output.c_str(), megabytes, static_cast<unsigned long long>(merged->events),
                static_cast<unsigned long long>(merged->stacksDropped),
                static_cast<unsigned long long>(merged->buffersDamaged), seconds, megabytes / seconds);
    return printSummary(request.output);
}

} // namespace

int main(int count, char** arguments) {
    const std::vector<std::string> inputs(arguments + 1, arguments + count);
    if (inputs.empty()) {
        std::puts("etl_bench FILE.etl…");
        return 2;
    }
    bool isGood = true;
    for (const std::string& path : inputs) {
        isGood = printSummary(path) && isGood;
    }
    return printMerge(inputs) && isGood ? 0 : 1;
}

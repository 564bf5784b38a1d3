// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/xpress.h"

#include "core/base/file.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <vector>

// How fast buffers are compressed and decompressed: xpress_bench PLAIN_FILE… (each cut into 128 KiB), the best of five.

namespace {

constexpr std::size_t kBuffer = 128 * 1024;
constexpr int kRounds = 5;

using ByteVector = std::vector<std::byte>;

double secondsOf(const std::function<void()>& work) {
    double best = 1e9;
    for (int i = 0; i < kRounds; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    return best;
}

bool measure(const char* path) {
    const auto file = tracedeck::systemFiles().open(path);
    if (!file) {
        std::printf("%s: %s\n", path, file.error().detail.c_str());
        return false;
    }
    ByteVector plain(static_cast<std::size_t>(std::min<std::uint64_t>((*file)->size(), 256U << 20U)));
    if (const auto got = (*file)->readAt(0, plain); !got || *got == 0) {
        std::printf("%s: nothing to read\n", path);
        return false;
    }
    tracedeck::etl::XpressEncoder encoder;
    std::vector<ByteVector> streams;
    const auto each = [&](auto work) {
        for (std::size_t at = 0; at < plain.size(); at += kBuffer) {
            work(std::span<const std::byte>(plain).subspan(at, std::min(kBuffer, plain.size() - at)));
        }
    };
    std::size_t compressed = 0;
    const double encoding = secondsOf([&] {
        compressed = 0;
        each([&](auto buffer) { compressed += encoder.encode(buffer).size(); });
    });
    each([&](auto buffer) {
        const auto stream = encoder.encode(buffer);
        streams.emplace_back(stream.begin(), stream.end());
    });
    bool isSame = true;
    ByteVector back(kBuffer);
    const double decoding = secondsOf([&] {
        std::size_t next = 0;
        each([&](auto buffer) {
            const auto made = tracedeck::etl::decodeXpress(streams[next++], std::span(back).first(buffer.size()));
            isSame = isSame && made == buffer.size();
        });
    });
    const double megabytes = static_cast<double>(plain.size()) / 1e6;
    std::printf("%s: %.1f MB to %.1f %%, encoding %.0f MB/s, decoding %.0f MB/s%s\n", path, megabytes,
                100.0 * static_cast<double>(compressed) / static_cast<double>(plain.size()), megabytes / encoding,
                megabytes / decoding, isSame ? "" : "; IT DOES NOT COME BACK");
    return isSame;
}

} // namespace

int main(int count, char** arguments) {
    if (count < 2) {
        std::puts("xpress_bench FILE…");
        return 2;
    }
    bool isGood = true;
    for (int i = 1; i < count; ++i) {
        isGood = measure(arguments[i]) && isGood;
    }
    return isGood ? 0 : 1;
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/summary.h"
#include "tests/support/catch.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/memory_files.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <filesystem>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::Finding;
using etl::Summary;
using Code = etl::Finding::Code;

namespace {

constexpr Ticks kStart = 1'000'000;
constexpr std::size_t kBuffer = 8192;

const Finding* find(const Summary& summary, Code code) {
    const auto found = std::find_if(summary.findings.begin(), summary.findings.end(),
                                    [&](const Finding& finding) { return finding.code == code; });
    return found != summary.findings.end() ? &*found : nullptr;
}

/// `buffers` of three events each.
std::vector<std::byte> fileOf(std::size_t buffers) {
    RawFile raw;
    Ticks time = kStart;
    for (std::size_t i = 0; i < buffers; ++i) {
        raw.add(0, contextSwitch(time + 1)).add(0, contextSwitch(time + 2)).add(0, contextSwitch(time + 3)).cut(0);
        time += 3;
    }
    return raw.bytes();
}

Summary summaryOf(std::vector<std::byte> bytes) {
    MemoryFiles files(std::move(bytes));
    auto summary = etl::summarize(files, "memory.etl");
    REQUIRE(summary.has_value());
    return std::move(*summary);
}

/// A file system that knows of no holes, and counts what is read.
class CountingFiles final : public FileSystem {
public:
    CountingFiles(FileSystem& files, bool knowsHoles) : m_files(files), m_knowsHoles(knowsHoles) {}
    [[nodiscard]] std::uint64_t bytesRead() const { return m_bytesRead; }
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        return m_files.create(path, existing);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        auto file = m_files.open(path);
        if (!file) {
            return fail(file.error());
        }
        return std::make_unique<Input>(std::move(*file), m_knowsHoles, m_bytesRead);
    }
    Result<Bytes> freeSpace(const std::string& path) override { return m_files.freeSpace(path); }
    Result<std::uint64_t> volumeOf(const std::string& path) override { return m_files.volumeOf(path); }
    tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override {
        return m_files.rename(from, to, existing);
    }
    tracedeck::Status remove(const std::string& path) override { return m_files.remove(path); }

private:
    class Input final : public InputFile {
    public:
        Input(std::unique_ptr<InputFile> file, bool knowsHoles, std::uint64_t& bytesRead)
            : m_file(std::move(file)), m_knowsHoles(knowsHoles), m_bytesRead(bytesRead) {}
        std::uint64_t size() const noexcept override { return m_file->size(); }
        Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
            auto read = m_file->readAt(offset, into);
            m_bytesRead += read ? *read : 0;
            return read;
        }
        std::uint64_t dataAt(std::uint64_t offset) const noexcept override {
            return m_knowsHoles ? m_file->dataAt(offset) : offset;
        }

    private:
        std::unique_ptr<InputFile> m_file;
        bool m_knowsHoles;
        std::uint64_t& m_bytesRead;
    };
    FileSystem& m_files;
    bool m_knowsHoles;
    std::uint64_t m_bytesRead = 0;
};

} // namespace

TEST_CASE("What is left out of a damaged file is told by place, bytes and events", "[etl][damage]") {
    std::vector<std::byte> bytes = fileOf(10);
    // Buffers 3 and 4 are noise; buffer 7 breaks off after its first event.
    std::fill(bytes.begin() + 3 * kBuffer, bytes.begin() + 5 * kBuffer, std::byte{0x5A});
    const std::size_t second =
        7 * kBuffer + etlformat::kBufferHeaderSize + etlformat::alignEvent(contextSwitch(0).size());
    std::fill_n(bytes.begin() + static_cast<std::ptrdiff_t>(second), 4, std::byte{0x11});
    const Summary summary = summaryOf(bytes);
    CHECK(summary.events == 3 + 10 * 3 - 2 * 3 - 2);
    REQUIRE(summary.damagedRanges.size() == 2);
    CHECK(summary.damagedRanges[0].offset == 3 * kBuffer);
    CHECK(summary.damagedRanges[0].bytes == 2 * kBuffer);
    CHECK(summary.damagedRanges[1].offset == second);
    CHECK(summary.damagedRanges[1].bytes == 2 * etlformat::alignEvent(contextSwitch(0).size()));
    const Finding* const damaged = find(summary, Code::DamagedBuffer);
    REQUIRE(damaged != nullptr);
    CHECK(damaged->count == 2);
    CHECK(damaged->bytes == summary.damagedRanges[0].bytes + summary.damagedRanges[1].bytes);
    CHECK(damaged->eventsEstimated >= 4);
    CHECK(damaged->eventsEstimated <= 6);
    const Finding* const gap = find(summary, Code::SequenceGap);
    REQUIRE(gap != nullptr);
    CHECK(gap->count == 2);
    CHECK(gap->eventsEstimated == 6); // 22 events in 8 buffers
}

TEST_CASE("A file that breaks off says how much of its end is not there", "[etl][damage]") {
    std::vector<std::byte> bytes = fileOf(4);
    bytes.resize(bytes.size() - 100);
    const Summary summary = summaryOf(bytes);
    const Finding* const truncated = find(summary, Code::Truncated);
    REQUIRE(truncated != nullptr);
    CHECK(truncated->offset == 4 * kBuffer);
    CHECK(truncated->bytes == kBuffer - 100);
    REQUIRE(summary.damagedRanges.size() == 1);
    CHECK(summary.damagedRanges[0].offset == 4 * kBuffer);
}

TEST_CASE("A hole of many gigabytes behind a file costs nothing, zeros one reading", "[etl][damage]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("zeros.etl");
    const bool knowsHoles = GENERATE(true, false);
    writeFile(path, fileOf(4));
    const std::uint64_t size = knowsHoles ? 64ULL << 30U : 64ULL << 20U;
    std::filesystem::resize_file(path, size);
    CountingFiles files(systemFiles(), knowsHoles);
    const auto summary = etl::summarize(files, path);
    REQUIRE(summary.has_value());
    CHECK(summary->events == 3 + 12);
    CHECK(summary->verdict() == Summary::Verdict::Incomplete);
    const Finding* const truncated = find(*summary, Code::Truncated);
    REQUIRE(truncated != nullptr);
    CHECK(truncated->offset == 5 * kBuffer);
    CHECK(truncated->bytes == size - 5 * kBuffer);
    CHECK(files.bytesRead() <= (knowsHoles ? 8ULL << 20U : size + (8ULL << 20U)));
}

TEST_CASE("Buffers behind a hole are found", "[etl][damage]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("hole.etl");
    const bool knowsHoles = GENERATE(true, false);
    const std::size_t shift = GENERATE(std::size_t{0}, std::size_t{8}, std::size_t{4096 - 8});
    const std::vector<std::byte> bytes = fileOf(6);
    auto file = systemFiles().create(path, FileSystem::Existing::Refuse);
    REQUIRE(file.has_value());
    const std::uint64_t hole = 1024 * kBuffer + shift;
    REQUIRE((*file)->writeAt(0, std::span(bytes).first(3 * kBuffer)));
    REQUIRE((*file)->writeAt(3 * kBuffer + hole, std::span(bytes).subspan(3 * kBuffer)));
    REQUIRE((*file)->close());
    CountingFiles files(systemFiles(), knowsHoles);
    const auto summary = etl::summarize(files, path);
    REQUIRE(summary.has_value());
    CHECK(summary->buffers == 7);
    CHECK(summary->events == 3 + 18);
    REQUIRE(summary->damagedRanges.size() == 1);
    CHECK(summary->damagedRanges[0].offset == 3 * kBuffer);
    CHECK(summary->damagedRanges[0].bytes == hole);
}

TEST_CASE("Reading tells how far it is, and ends when it is asked to", "[etl][damage]") {
    const TemporaryFolder folder;
    const std::string path = folder.file("long.etl");
    writeFile(path, fileOf(2));
    std::filesystem::resize_file(path, 64 << 20);
    CountingFiles files(systemFiles(), false);
    std::vector<double> told;
    REQUIRE(etl::summarize(files, path, {}, [&](double fraction) { told.push_back(fraction); }).has_value());
    CHECK(told.size() >= 4);
    CHECK(std::all_of(told.begin(), told.end(), [](double fraction) { return fraction >= 0 && fraction <= 1; }));
    std::stop_source stop;
    const auto ended = etl::summarize(files, path, stop.get_token(), [&](double) { stop.request_stop(); });
    REQUIRE_FALSE(ended.has_value());
    CHECK(ended.error().code == ErrorCode::Cancelled);
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/merge.h"
#include "core/etl/summary.h"
#include "tests/support/catch.h"
#include "tests/support/failing_device.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/etl/raw_file.h"

#include <algorithm>
#include <filesystem>

using namespace tracedeck;
using namespace tracedeck::test;
using etl::MergeRequest;

namespace {

constexpr Ticks kStart = 1'000'000;

MergeRequest requestOf(const TemporaryFolder& folder, std::vector<std::string> inputs) {
    MergeRequest request;
    request.inputs = std::move(inputs);
    request.output = folder.file("merged.etl");
    request.sessionName = "merged";
    return request;
}

/// 600,000 bytes of events on two processors.
void writeLargeFile(const std::string& path) {
    RawFile raw;
    for (Ticks i = 0; i < 15000; ++i) {
        raw.add(static_cast<std::uint16_t>(i % 2), contextSwitch(kStart + i));
    }
    raw.write(path);
}

std::vector<std::string> namesIn(const std::string& folder) {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// The machine's files, counting what is written; after `stopAfter` writes it asks for the stop.
class StoppingFiles final : public FileSystem {
public:
    StoppingFiles(std::stop_source& stop, int stopAfter) : m_stop(stop), m_left(stopAfter) {}
    Result<std::unique_ptr<OutputFile>> create(const std::string& path, Existing existing) override {
        auto file = systemFiles().create(path, existing);
        if (!file) {
            return file;
        }
        return std::make_unique<Output>(std::move(*file), *this);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override { return systemFiles().open(path); }
    Result<Bytes> freeSpace(const std::string& path) override { return systemFiles().freeSpace(path); }
    Result<std::uint64_t> volumeOf(const std::string& path) override { return systemFiles().volumeOf(path); }
    tracedeck::Status rename(const std::string& from, const std::string& to, Existing existing) override {
        return systemFiles().rename(from, to, existing);
    }
    tracedeck::Status remove(const std::string& path) override { return systemFiles().remove(path); }
    void written() {
        if (--m_left == 0) {
            m_stop.request_stop();
        }
    }

private:
    class Output final : public OutputFile {
    public:
        Output(std::unique_ptr<OutputFile> file, StoppingFiles& files) : m_file(std::move(file)), m_files(files) {}
        tracedeck::Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
            auto status = m_file->writeAt(offset, data);
            m_files.written();
            return status;
        }
        tracedeck::Status resize(std::uint64_t size) override { return m_file->resize(size); }
        tracedeck::Status sync() override { return m_file->sync(); }
        tracedeck::Status close() override { return m_file->close(); }

    private:
        std::unique_ptr<OutputFile> m_file;
        StoppingFiles& m_files;
    };
    std::stop_source& m_stop;
    int m_left;
};

} // namespace

TEST_CASE("A full volume leaves nothing behind, wherever it fills", "[etl][merge][errors]") {
    const TemporaryFolder folder;
    writeLargeFile(folder.file("raw.etl"));
    const std::vector<std::byte> before = readFile(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    // Every buffer boundary of the output, just before and just behind, until it fits.
    bool fitted = false;
    for (std::uint64_t buffers = 0; buffers < 12; ++buffers) {
        for (const std::int64_t around : {-1, 0, 1}) {
            const std::int64_t capacity = static_cast<std::int64_t>(buffers) * 131072 + around;
            if (capacity < 0) {
                continue;
            }
            CAPTURE(capacity);
            FailingDevice device(Bytes{static_cast<std::uint64_t>(capacity)});
            const auto merged = etl::merge(device, request);
            if (merged) {
                fitted = true;
                CHECK(merged->bytes <= static_cast<std::uint64_t>(capacity));
                CHECK(namesIn(folder.path()) == std::vector<std::string>{"merged.etl", "raw.etl"});
                std::filesystem::remove(request.output);
                continue;
            }
            CHECK_FALSE(fitted);
            CHECK(merged.error().code == ErrorCode::DiskFull);
            CHECK(namesIn(folder.path()) == std::vector<std::string>{"raw.etl"});
        }
    }
    CHECK(fitted);
    CHECK(readFile(folder.file("raw.etl")) == before);
}

TEST_CASE("A stop leaves nothing behind, whenever it comes", "[etl][merge][errors]") {
    const TemporaryFolder folder;
    writeLargeFile(folder.file("raw.etl"));
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    int cancelled = 0;
    for (int writes = 0; writes < 12; ++writes) {
        CAPTURE(writes);
        std::stop_source stop;
        if (writes == 0) {
            stop.request_stop();
        }
        StoppingFiles files(stop, writes);
        const auto merged = etl::merge(files, request, {}, stop.get_token());
        if (merged) {
            CHECK(std::filesystem::exists(request.output));
            std::filesystem::remove(request.output);
            continue;
        }
        ++cancelled;
        CHECK(merged.error().code == ErrorCode::Cancelled);
        CHECK(namesIn(folder.path()) == std::vector<std::string>{"raw.etl"});
    }
    CHECK(cancelled >= 6);
    CHECK(cancelled < 12);
}

TEST_CASE("Progress goes up to one", "[etl][merge]") {
    const TemporaryFolder folder;
    writeLargeFile(folder.file("raw.etl"));
    std::vector<double> seen;
    const auto merged = etl::merge(systemFiles(), requestOf(folder, {folder.file("raw.etl")}),
                                   [&](double fraction) { seen.push_back(fraction); });
    REQUIRE(merged.has_value());
    REQUIRE_FALSE(seen.empty());
    CHECK(std::is_sorted(seen.begin(), seen.end()));
    CHECK(seen.front() >= 0);
    CHECK(seen.back() == 1.0);
}

TEST_CASE("An output that exists is replaced only on request", "[etl][merge][errors]") {
    const TemporaryFolder folder;
    RawFile().add(0, contextSwitch(kStart + 1)).write(folder.file("raw.etl"));
    MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    const std::vector<std::byte> precious(10, std::byte{'p'});
    writeFile(request.output, precious);
    const auto refused = etl::merge(systemFiles(), request);
    REQUIRE_FALSE(refused.has_value());
    CHECK(refused.error().code == ErrorCode::FileExists);
    CHECK(readFile(request.output) == precious);
    // After a failure it is still the old one.
    request.replace = true;
    FailingDevice device(Bytes{100});
    CHECK(etl::merge(device, request).error().code == ErrorCode::DiskFull);
    CHECK(readFile(request.output) == precious);
    REQUIRE(etl::merge(systemFiles(), request).has_value());
    CHECK(etl::summarize(systemFiles(), request.output)->verdict() == etl::Summary::Verdict::Good);
    CHECK(namesIn(folder.path()) == std::vector<std::string>{"merged.etl", "raw.etl"});
}

TEST_CASE("A temporary file that a killed merge left is no obstacle", "[etl][merge][errors]") {
    const TemporaryFolder folder;
    RawFile().add(0, contextSwitch(kStart + 1)).write(folder.file("raw.etl"));
    const auto left = createTemporary(systemFiles(), folder.path(), ".partial");
    REQUIRE(left.has_value());
    const std::string leftName = std::filesystem::path(left->path).filename().string();
    const MergeRequest request = requestOf(folder, {folder.file("raw.etl")});
    REQUIRE(etl::merge(systemFiles(), request).has_value());
    // It may be another process's that is at work: it is not touched.
    CHECK(namesIn(folder.path()) == std::vector<std::string>{leftName, "merged.etl", "raw.etl"});
    CHECK(readFile(request.output).size() == 2 * 131072);
}

TEST_CASE("What is not to be merged is refused by name", "[etl][merge][errors]") {
    const TemporaryFolder folder;
    RawFile().add(0, contextSwitch(kStart + 1)).write(folder.file("good.etl"));
    const auto errorOf = [&](const MergeRequest& request) {
        const auto merged = etl::merge(systemFiles(), request);
        REQUIRE_FALSE(merged.has_value());
        CHECK_FALSE(std::filesystem::exists(folder.file("merged.etl")));
        const std::vector<std::string> names = namesIn(folder.path());
        CHECK(std::none_of(names.begin(), names.end(), [](const auto& name) { return name.ends_with(".partial"); }));
        return merged.error();
    };
    const auto withSecond = [&](RawFile::Options options) {
        RawFile(std::move(options)).write(folder.file("second.etl"));
        return errorOf(requestOf(folder, {folder.file("good.etl"), folder.file("second.etl")}));
    };
    SECTION("no input") {
        CHECK(errorOf(requestOf(folder, {})).code == ErrorCode::InvalidArgument);
    }
    SECTION("a missing input") {
        CHECK(errorOf(requestOf(folder, {folder.file("absent.etl")})).code == ErrorCode::FileNotFound);
    }
    SECTION("text") {
        writeFile(folder.file("text.etl"), std::vector<std::byte>(100'000, std::byte{'x'}));
        const Error error = errorOf(requestOf(folder, {folder.file("good.etl"), folder.file("text.etl")}));
        CHECK(error.code == ErrorCode::NotAnEtl);
        CHECK(error.detail.find("text.etl") != std::string::npos);
    }
    SECTION("another clock") {
        RawFile::Options options;
        options.perfFreq = 10'000'000;
        const Error error = withSecond(options);
        CHECK(error.code == ErrorCode::EtlDamaged);
        CHECK(error.detail.find("second.etl") != std::string::npos);
    }
    SECTION("another boot") {
        RawFile::Options options;
        options.bootTime += 61 * std::int64_t{10'000'000};
        CHECK(withSecond(options).code == ErrorCode::EtlDamaged);
    }
    SECTION("a frequency of zero") {
        RawFile::Options options;
        options.perfFreq = 0;
        CHECK(withSecond(options).code == ErrorCode::EtlDamaged);
    }
    SECTION("an input as output") {
        MergeRequest request = requestOf(folder, {folder.file("good.etl")});
        request.output = folder.file("good.etl");
        request.replace = true;
        CHECK(errorOf(request).code == ErrorCode::InvalidArgument);
        CHECK(etl::summarize(systemFiles(), folder.file("good.etl")).has_value());
    }
    SECTION("a folder that is not there") {
        MergeRequest request = requestOf(folder, {folder.file("good.etl")});
        request.output = folder.file("absent/merged.etl");
        CHECK(errorOf(request).code == ErrorCode::FolderNotFound);
    }
    SECTION("an added event of another time, or of no sense") {
        MergeRequest request = requestOf(folder, {folder.file("good.etl")});
        request.added = {{0, kStart + 2, contextSwitch(kStart + 3)}};
        CHECK(errorOf(request).code == ErrorCode::InvalidArgument);
        request.added = {{0, kStart + 2, EventBytes(40)}};
        CHECK(errorOf(request).code == ErrorCode::InvalidArgument);
        request.added = {{5000, kStart + 2, contextSwitch(kStart + 2)}};
        CHECK(errorOf(request).code == ErrorCode::InvalidArgument);
    }
}

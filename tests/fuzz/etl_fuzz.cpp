// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/export.h"
#include "core/etl/health.h"
#include "core/etl/merge.h"
#include "core/etl/scrub.h"
#include "core/etl/summary.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>
#include <string>
#include <vector>

// libFuzzer target: any bytes are summarized, judged, exported, scrubbed and merged. What comes out of a merge must be
// a sound file, what comes out of a scrub one of as many events. tests/fuzz/run.sh runs it.

namespace {

using namespace tracedeck;

/// Two files in memory: the input that is fuzzed, and the output of its merge.
class FuzzFiles final : public FileSystem {
public:
    explicit FuzzFiles(std::span<const std::byte> input) : m_input(input) {}
    [[nodiscard]] const std::vector<std::byte>& output() const { return m_output; }

    Result<std::unique_ptr<OutputFile>> create(const std::string&, Existing) override {
        m_output.clear();
        return std::make_unique<Output>(m_output);
    }
    Result<std::unique_ptr<InputFile>> open(const std::string& path) override {
        if (path != "input") {
            return fail(ErrorCode::FileNotFound, path);
        }
        return std::make_unique<Input>(m_input);
    }
    Result<Bytes> freeSpace(const std::string&) override { return Bytes{1ULL << 40U}; }
    Status rename(const std::string&, const std::string&, Existing) override { return {}; }
    Status remove(const std::string&) override { return {}; }

private:
    class Input final : public InputFile {
    public:
        explicit Input(std::span<const std::byte> bytes) : m_bytes(bytes) {}
        std::uint64_t size() const noexcept override { return m_bytes.size(); }
        Result<std::size_t> readAt(std::uint64_t offset, std::span<std::byte> into) override {
            const auto from =
                m_bytes.subspan(static_cast<std::size_t>(std::min<std::uint64_t>(offset, m_bytes.size())));
            const std::size_t count = std::min(from.size(), into.size());
            std::copy_n(from.begin(), count, into.begin());
            return count;
        }

    private:
        std::span<const std::byte> m_bytes;
    };
    class Output final : public OutputFile {
    public:
        explicit Output(std::vector<std::byte>& bytes) : m_bytes(bytes) {}
        Status writeAt(std::uint64_t offset, std::span<const std::byte> data) override {
            m_bytes.resize(std::max<std::size_t>(m_bytes.size(), static_cast<std::size_t>(offset) + data.size()));
            std::copy(data.begin(), data.end(), m_bytes.begin() + static_cast<std::ptrdiff_t>(offset));
            return {};
        }
        Status resize(std::uint64_t size) override {
            m_bytes.resize(static_cast<std::size_t>(size));
            return {};
        }
        Status sync() override { return {}; }
        Status close() override { return {}; }

    private:
        std::vector<std::byte>& m_bytes;
    };
    std::span<const std::byte> m_input;
    std::vector<std::byte> m_output;
};

void require(bool isTrue) {
    if (!isTrue) {
        std::abort();
    }
}

void exportAll(FuzzFiles& files, etl::ExportFormat format, const etl::Summary& summary) {
    std::uint64_t rows = 0;
    const auto result = etl::exportEvents(files, "input", format, [&](std::span<const char> text) {
        rows += static_cast<std::uint64_t>(std::count(text.begin(), text.end(), '\n'));
        return Status();
    });
    require(result.has_value());
    require(result->events == summary.events);
    // Line breaks within texts are escaped in JSON; in CSV names alone could hold them.
    require(format == etl::ExportFormat::Csv ? rows > result->events : rows == result->events);
}

void scrubAndRead(FuzzFiles& files, bool dropsUnknown) {
    etl::ScrubRequest request;
    request.input = "input";
    request.output = "output";
    request.salt = "fuzz";
    request.dropsUnknown = dropsUnknown;
    const auto scrubbed = etl::scrub(files, request);
    require(scrubbed.has_value());
    FuzzFiles again(files.output());
    const auto summary = etl::summarize(again, "input");
    require(summary.has_value());
    require(summary->events == scrubbed->events);
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> input = std::as_bytes(std::span(data, size));
    FuzzFiles files(input);
    const auto summary = etl::summarize(files, "input");
    if (summary) {
        const etl::HealthReport report = etl::judgeHealth(*summary);
        require(summary->verdict() == etl::Summary::Verdict::Good || !report.issues.empty());
        exportAll(files, etl::ExportFormat::JsonLines, *summary);
        exportAll(files, etl::ExportFormat::Csv, *summary);
        scrubAndRead(files, size % 2 == 0);
    }
    etl::MergeRequest request;
    request.inputs = {"input", "input"};
    request.output = "output";
    request.sessionName = "fuzz";
    const auto merged = etl::merge(files, request);
    if (!summary) {
        require(!merged);
        return 0;
    }
    if (!merged) {
        require(merged.error().code == ErrorCode::EtlDamaged); // an impossible clock
        return 0;
    }
    FuzzFiles again(files.output());
    const auto result = etl::summarize(again, "input");
    require(result.has_value());
    require(result->buffers == merged->buffers);
    for (const auto& finding : result->findings) {
        using Code = etl::Finding::Code;
        require(finding.code == Code::EventsLost || finding.code == Code::NoEvents ||
                // An event's extended data is copied as it was.
                (finding.code == Code::DamagedBuffer && finding.detail.find("extended data") == 0));
    }
    return 0;
}

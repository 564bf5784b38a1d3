// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/export.h"
#include "core/etl/health.h"
#include "core/etl/image_identity.h"
#include "core/etl/merge.h"
#include "core/etl/recode.h"
#include "core/etl/repair.h"
#include "core/etl/scrub.h"
#include "core/etl/summary.h"
#include "core/etl/trim.h"
#include "core/etl/xpress.h"
#include "tests/support/stored_files.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

// libFuzzer target: any bytes are summarized, judged, exported, scrubbed, merged, repaired, trimmed, compressed and
// decompressed; what comes out must be a sound file. tests/fuzz/run.sh runs it.

namespace {

using namespace tracedeck;
using Code = etl::Finding::Code;

/// A header may ask for buffers of any size; more bytes than this tell nothing new.
constexpr std::uint64_t kLargestOutput = 8 * 1024 * 1024;

void require(bool isTrue) {
    if (!isTrue) {
        std::abort();
    }
}

etl::Summary sound(test::StoredFiles& files, const std::string& path) {
    auto result = etl::summarize(files, path);
    require(result.has_value());
    for (const auto& finding : result->findings) {
        require(finding.code == Code::EventsLost || finding.code == Code::NoEvents ||
                // An event's extended data is copied as it was.
                (finding.code == Code::DamagedBuffer && finding.detail.find("extended data") == 0));
    }
    return *result;
}

/// What is refused: an impossible clock or a 32-bit system's file, or too much to write.
bool isRefusal(const Error& error) {
    return error.code == ErrorCode::EtlDamaged || error.code == ErrorCode::DiskFull;
}

void mergeIt(test::StoredFiles& files) {
    etl::MergeRequest request;
    request.inputs = {"input", "input"};
    request.output = "merged";
    request.sessionName = "fuzz";
    const auto merged = etl::merge(files, request);
    if (!merged) {
        require(isRefusal(merged.error()));
        return;
    }
    require(sound(files, "merged").buffers == merged->buffers);
}

void repairIt(test::StoredFiles& files) {
    const auto repaired = etl::repair(files, {"input", "repaired", false});
    if (!repaired) {
        require(isRefusal(repaired.error()));
    } else if (repaired->isWritten) {
        require(sound(files, "repaired").events == repaired->merge.events + repaired->merge.headerEvents);
    }
}

void trimIt(test::StoredFiles& files) {
    using namespace std::chrono_literals;
    const auto trimmed = etl::trim(files, {"input", "trimmed", false, 0s, 1ms});
    if (!trimmed) {
        require(isRefusal(trimmed.error()) || trimmed.error().code == ErrorCode::InvalidArgument);
        return;
    }
    sound(files, "trimmed");
}

/// An image file may be anything, too, and so may be what is named by an event.
void identifyIt(test::StoredFiles& files) {
    const auto file = files.open("input");
    require(file.has_value() && etl::readImageIdentity(**file).has_value());
    etl::ImageIdentities images(files);
    etl::MergeRequest request;
    request.inputs = {"input"};
    request.output = "identified";
    request.images = &images;
    if (etl::merge(files, request)) {
        sound(files, "identified");
    }
}

/// There and back again: the same events.
void recodeIt(test::StoredFiles& files, const etl::Summary& summary) {
    const auto decompressed = etl::decompress(files, {"input", "plain", false});
    const auto compressed = etl::compress(files, {"input", "small", false});
    require(decompressed || isRefusal(decompressed.error()));
    require(compressed || isRefusal(compressed.error()));
    for (const std::string path : {"plain", "small"}) {
        if (!files.has(path)) {
            continue;
        }
        const auto again = etl::summarize(files, path);
        require(again.has_value());
        require(again->events == summary.events);
        require(again->buffers == summary.buffers);
        const auto back =
            path == "small" ? etl::decompress(files, {path, "back", true}) : etl::compress(files, {path, "back", true});
        require(back || isRefusal(back.error()));
    }
}

void exportIt(test::StoredFiles& files, etl::ExportFormat format, const etl::Summary& summary) {
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

void scrubIt(test::StoredFiles& files, bool dropsUnknown) {
    etl::ScrubRequest request;
    request.input = "input";
    request.output = "scrubbed";
    request.salt = "fuzz";
    request.dropsUnknown = dropsUnknown;
    const auto scrubbed = etl::scrub(files, request);
    if (!scrubbed) {
        require(isRefusal(scrubbed.error()));
        return;
    }
    const auto summary = etl::summarize(files, "scrubbed");
    require(summary.has_value());
    require(summary->events == scrubbed->events);
}

void encodeIt(std::span<const std::byte> input) {
    etl::XpressEncoder encoder;
    const auto stream = encoder.encode(input);
    require(stream.size() <= etl::xpressBound(input.size()));
    std::vector<std::byte> back(input.size());
    require(etl::decodeXpress(stream, back) == input.size());
    require(std::equal(back.begin(), back.end(), input.begin()));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::span<const std::byte> input = std::as_bytes(std::span(data, size));
    test::StoredFiles files;
    files.limit(kLargestOutput);
    files.put("input", {input.begin(), input.end()});
    encodeIt(input);
    const auto summary = etl::summarize(files, "input");
    if (!summary) {
        const auto repaired = etl::repair(files, {"input", "repaired", false});
        require(!repaired && repaired.error() == summary.error());
        return 0;
    }
    const etl::HealthReport report = etl::judgeHealth(*summary);
    require(summary->verdict() == etl::Summary::Verdict::Good || !report.issues.empty());
    exportIt(files, etl::ExportFormat::JsonLines, *summary);
    exportIt(files, etl::ExportFormat::Csv, *summary);
    scrubIt(files, size % 2 == 0);
    mergeIt(files);
    identifyIt(files);
    repairIt(files);
    trimIt(files);
    recodeIt(files, *summary);
    return 0;
}

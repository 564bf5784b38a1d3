// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/save_job.h"

#include "core/etl/image_identity.h"
#include "core/platform/folders.h"

#include <spdlog/spdlog.h>

#include <algorithm>

namespace tracedeck::recorder {
namespace {

constexpr const char* kSessionName = "Tracedeck";

/// Events of the header buffer, which the merge does not count: Header and PartitionInfo, which occur nowhere else, and
/// for a system logger one Extension, which its stream has as well.
std::uint64_t headerEvents(const etl::Summary& summary) {
    std::uint64_t events = 0;
    for (const etl::EventCount& count : summary.names) {
        if (count.name == "EventTrace/Header" || count.name == "EventTrace/PartitionInfo") {
            events += count.events;
        } else if (count.name == "EventTrace/Extension") {
            events += 1;
        }
    }
    return events;
}

Status verify(const etl::Summary& summary, const etl::MergeResult& merge) {
    const auto error = std::find_if(summary.findings.begin(), summary.findings.end(), [](const etl::Finding& finding) {
        return finding.severity == etl::Finding::Severity::Error;
    });
    if (error != summary.findings.end()) {
        return fail(ErrorCode::VerificationFailed,
                    error->detail + " at offset " + std::to_string(error->offset) + " of the saved file");
    }
    const std::uint64_t header = headerEvents(summary);
    const std::uint64_t read = summary.events > header ? summary.events - header : 0;
    if (read != merge.events) {
        return fail(ErrorCode::VerificationFailed, std::to_string(merge.events) + " events were written and " +
                                                       std::to_string(read) + " are in the saved file");
    }
    return {};
}

Result<SavedFile> mergeAndVerify(FileSystem& files, const SaveJob& job, const std::string& unverified,
                                 const std::function<void(const Progress&)>& progress, const std::stop_token& stop) {
    etl::MergeRequest request;
    request.inputs = job.rawFiles;
    request.output = unverified;
    request.replace = true;
    request.sessionName = kSessionName;
    request.logFileName = job.request.path;
    request.added = job.added;
    request.eventsRecorded = job.eventsRecorded;
    request.eventsLost = job.eventsLost;
    etl::ImageIdentities images(files);
    request.images = &images;
    Result<etl::MergeResult> merged = etl::merge(
        files, request,
        [&](double fraction) {
            progress({State::Saving, fraction});
        },
        stop);
    if (!merged) {
        return fail(std::move(merged).error());
    }
    progress({State::Verifying, -1});
    Result<etl::Summary> summary = etl::summarize(files, unverified, stop);
    if (!summary) {
        return fail(std::move(summary).error());
    }
    spdlog::debug("{} events of the identity of images, {} files could not be read", merged->imageEvents,
                  images.unread());
    if (const Status verified = verify(*summary, *merged); !verified) {
        return fail(verified.error());
    }
    return SavedFile{*merged, std::move(*summary)};
}

} // namespace

Status checkTarget(const SaveRequest& request) {
    const std::string& path = request.path;
    if (const std::string folder = platform::folderOf(path); !platform::isFolder(folder)) {
        return fail(ErrorCode::FolderNotFound, folder);
    }
    if (platform::isSpecial(path) || platform::isFolder(path)) {
        return fail(ErrorCode::InvalidArgument, path + " is no file");
    }
    if (!request.replace && platform::exists(path)) {
        return fail(ErrorCode::FileExists, path);
    }
    return platform::checkFileName(path);
}

Result<SavedFile> save(FileSystem& files, const SaveJob& job, const std::function<void(const Progress&)>& progress,
                       std::stop_token stop) {
    const std::string& path = job.request.path;
    if (const Status possible = checkTarget(job.request); !possible) {
        return fail(possible.error());
    }
    // An empty file keeps the name from others until the merged one takes its place.
    Result<TemporaryFile> reserved = createTemporary(files, platform::folderOf(path), ".unverified");
    if (!reserved) {
        return fail(std::move(reserved).error());
    }
    const std::string& unverified = reserved->path;
    reserved->file.reset();
    Result<SavedFile> saved = mergeAndVerify(files, job, unverified, progress, stop);
    if (saved) {
        const auto existing = job.request.replace ? FileSystem::Existing::Replace : FileSystem::Existing::Refuse;
        Status renamed;
        if (stop.stop_requested()) {
            renamed = fail(ErrorCode::Cancelled, path);
        } else {
            renamed = files.rename(unverified, path, existing);
        }
        if (renamed) {
            return saved;
        }
        saved = fail(renamed.error());
    }
    if (const Status removed = files.remove(unverified); !removed) {
        spdlog::warn("an unverified file stays behind: {}", removed.error().detail);
    }
    return saved;
}

} // namespace tracedeck::recorder

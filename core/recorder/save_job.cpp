// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/save_job.h"

#include "core/etl/checked_merge.h"
#include "core/etl/image_identity.h"
#include "core/platform/folders.h"

#include <spdlog/spdlog.h>

#include <utility>

namespace tracedeck::recorder {
namespace {

constexpr const char* kSessionName = "Tracedeck";

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
    etl::MergeRequest request;
    request.inputs = job.rawFiles;
    request.output = path;
    request.replace = job.request.replace;
    request.sessionName = kSessionName;
    request.added = job.added;
    request.eventsRecorded = job.eventsRecorded;
    request.eventsLost = job.eventsLost;
    etl::ImageIdentities images(files);
    request.images = &images;
    bool isReading = false;
    const auto writing = [&](double fraction) {
        if (!isReading) {
            progress({State::Saving, fraction});
        }
    };
    auto saved = etl::mergeChecked(files, request, writing, std::move(stop), [&] {
        isReading = true;
        progress({State::Saving, 1});
        progress({State::Verifying, -1});
    });
    if (!saved) {
        return fail(std::move(saved).error());
    }
    spdlog::debug("{} events of the identity of images, {} files could not be read", saved->merge.imageEvents,
                  images.unread());
    return SavedFile{saved->merge, std::move(saved->summary)};
}

} // namespace tracedeck::recorder

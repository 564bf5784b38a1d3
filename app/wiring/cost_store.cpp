// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/wiring/cost_store.h"

#include "core/platform/folders.h"
#include "core/platform/paths.h"

#include <spdlog/spdlog.h>

namespace tracedeck::app {
namespace {

constexpr std::uint64_t kLargestFile = 1 << 20;
constexpr std::chrono::seconds kShortest{2};

std::string contentOf(FileSystem& files, const std::string& path) {
    const auto file = files.open(path);
    if (!file || (*file)->size() > kLargestFile) {
        return {};
    }
    std::string content((*file)->size(), '\0');
    const auto got = (*file)->readAt(0, std::as_writable_bytes(std::span(content)));
    content.resize(got.value_or(0));
    return content;
}

Status write(FileSystem& files, const std::string& path, const std::string& text) {
    if (Status created = platform::createFolders(platform::folderOf(path)); !created) {
        return created;
    }
    const std::string fresh = path + ".new";
    auto file = files.create(fresh, FileSystem::Existing::Replace);
    if (!file) {
        return fail(std::move(file).error());
    }
    if (Status written = (*file)->writeAt(0, std::as_bytes(std::span(text))); !written) {
        return written;
    }
    if (Status closed = (*file)->close(); !closed) {
        return closed;
    }
    return files.rename(fresh, path, FileSystem::Existing::Replace);
}

} // namespace

CostStore::CostStore(FileSystem& files, std::string path)
    : m_files(files), m_path(std::move(path)), m_history(plan::CostHistory::fromText(contentOf(files, m_path))) {}

std::string CostStore::usualPath() {
    return platform::join(platform::dataFolder(), "costs.txt");
}

void CostStore::note(const plan::RecordingPlan& plan, const etw::Capabilities& capabilities,
                     const recorder::Stopped& recording) {
    if (recording.length < kShortest) {
        return;
    }
    double bytes = 0;
    for (const recorder::SessionStatus& session : recording.last.sessions) {
        bytes += static_cast<double>(session.stats.bytesProduced);
    }
    m_history.add(plan, capabilities, bytes / std::chrono::duration<double>(recording.length).count());
    if (const Status written = write(m_files, m_path, m_history.toText()); !written) {
        spdlog::warn("what the recording cost could not be noted: {}", written.error().detail);
    }
}

} // namespace tracedeck::app

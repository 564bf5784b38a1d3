// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recorder/raw_files.h"

#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/platform/privileges.h"

#include <algorithm>

namespace tracedeck::recorder {
namespace {

constexpr int kMostFolders = 1000;

} // namespace

std::string kindName(plan::PlannedSession::Kind kind) {
    using Kind = plan::PlannedSession::Kind;
    switch (kind) {
    case Kind::System:
        return "system";
    case Kind::Event:
        return "events";
    case Kind::Heap:
        return "heap";
    case Kind::Hypervisor:
        return "hypervisor";
    }
    return "events";
}

Result<RawFiles> RawFiles::create(FileSystem& files, const std::string& workFolder, const std::string& label) {
    const std::string stem =
        ".tracedeck-" + platform::safeFileName(label) + "-" + std::to_string(platform::currentProcessId()) + "-";
    Status created;
    for (int n = 1; n <= kMostFolders; ++n) {
        RawFiles raw;
        raw.m_files = &files;
        raw.m_folder = platform::join(workFolder, stem + std::to_string(n));
        created = platform::createFolder(raw.m_folder);
        if (created) {
            return raw;
        }
        if (created.error().code != ErrorCode::FileExists) {
            break;
        }
    }
    return fail(created.error());
}

RawFiles RawFiles::adopt(FileSystem& files, std::string folder, std::vector<std::string> paths) {
    RawFiles raw;
    raw.m_files = &files;
    raw.m_folder = std::move(folder);
    raw.m_paths = std::move(paths);
    return raw;
}

std::string RawFiles::add(plan::PlannedSession::Kind kind) {
    const std::string stem = kindName(kind);
    std::string path = platform::join(m_folder, stem + ".etl");
    for (int n = 2; std::find(m_paths.begin(), m_paths.end(), path) != m_paths.end(); ++n) {
        path = platform::join(m_folder, stem + "-" + std::to_string(n) + ".etl");
    }
    m_paths.push_back(path);
    return path;
}

std::vector<std::string> RawFiles::existing() const {
    std::vector<std::string> found;
    for (const std::string& path : m_paths) {
        if (m_files->open(path)) {
            found.push_back(path);
        }
    }
    return found;
}

Status RawFiles::remove() {
    Status first;
    for (const std::string& path : m_paths) {
        if (const Status removed = m_files->remove(path); !removed && first) {
            first = removed;
        }
    }
    m_paths.clear();
    if (!m_folder.empty()) {
        if (const Status removed = platform::removeFolder(m_folder); !removed && first) {
            first = removed;
        }
    }
    return first;
}

} // namespace tracedeck::recorder

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/partial_file.h"

namespace tracedeck::etl {
namespace {

constexpr std::size_t kBlock = 1024 * 1024;

/// The same folder is on the same volume.
std::string folderOf(const std::string& path) {
#ifdef _WIN32
    const std::size_t slash = path.find_last_of("/\\");
#else
    const std::size_t slash = path.rfind('/');
#endif
    return slash == std::string::npos ? std::string() : path.substr(0, slash + 1);
}

} // namespace

PartialFile::PartialFile(FileSystem& files, std::string path) : m_files(files), m_path(std::move(path)) {}

PartialFile::~PartialFile() {
    if (m_file) {
        m_file.reset(); // an open file cannot be removed everywhere
        // Without commit() an error is already on its way; that of the removal adds nothing to it.
        static_cast<void>(m_files.remove(m_temporaryPath));
    }
}

Status PartialFile::create() {
    auto temporary = createTemporary(m_files, folderOf(m_path), ".partial");
    if (!temporary) {
        return fail(std::move(temporary.error()));
    }
    m_temporaryPath = std::move(temporary->path);
    m_file = std::move(temporary->file);
    return {};
}

Status PartialFile::commit(FileSystem::Existing existing) {
    if (auto synced = m_file->sync(); !synced) {
        return synced;
    }
    if (auto closed = m_file->close(); !closed) {
        return closed;
    }
    if (auto renamed = m_files.rename(m_temporaryPath, m_path, existing); !renamed) {
        return renamed;
    }
    m_file.reset();
    return {};
}

Status refuseExisting(FileSystem& files, const std::string& path) {
    const auto existing = files.open(path);
    if (existing || existing.error().code == ErrorCode::AccessDenied ||
        existing.error().code == ErrorCode::ReadFailed) {
        return fail(ErrorCode::FileExists, path + " exists");
    }
    return {};
}

Status BlockWriter::append(std::span<const std::byte> bytes) {
    m_block.insert(m_block.end(), bytes.begin(), bytes.end());
    return m_block.size() < kBlock ? Status{} : flush();
}

Status BlockWriter::append(std::size_t count, std::byte value) {
    m_block.resize(m_block.size() + count, value);
    return m_block.size() < kBlock ? Status{} : flush();
}

Status BlockWriter::flush() {
    if (m_block.empty()) {
        return {};
    }
    if (auto written = m_file.writeAt(m_written, m_block); !written) {
        return written;
    }
    m_file.beginSync(m_written, m_block.size());
    m_written += m_block.size();
    m_block.clear();
    return {};
}

} // namespace tracedeck::etl

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/etw/remote/descriptor.h"

#include <string>

namespace tracedeck::etw::remote {

/// A file that a client opens in order to hand its descriptor to a host.
///
/// Threading: one thread.
class ClientFile {
public:
    enum class Existing { Refuse, Keep };
    /// As FileSystem::create() of core/base/file.h does, for its owner alone and following no link.
    [[nodiscard]] static Result<ClientFile> create(const std::string& path, Existing existing);

    [[nodiscard]] int descriptor() const noexcept { return m_file.get(); }
    /// Takes the file's name away where this has created it and nothing has been written to it: nothing is left behind
    /// by what did not come about.
    void removeIfUnused() const;

private:
    ClientFile(std::string path, Descriptor file, bool isNew)
        : m_path(std::move(path)), m_file(std::move(file)), m_isNew(isNew) {}

    std::string m_path;
    Descriptor m_file;
    bool m_isNew = false;
};

} // namespace tracedeck::etw::remote

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/temporary_folder.h"

#include "core/base/guid.h"

#include <filesystem>

namespace tracedeck::test {

TemporaryFolder::TemporaryFolder()
    : m_path((std::filesystem::temp_directory_path() / ("tracedeck-test-" + toString(randomGuid()))).string()) {
    std::filesystem::create_directory(m_path);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(m_path, ignored);
}

} // namespace tracedeck::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/plan/plan.h"
#include "core/profile/document.h"

#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::cli {

/// One name to record, with the variants that its document has.
struct ListedProfile {
    const profile::Document* document = nullptr;
    std::string name;
    std::string description;
    std::vector<const profile::Profile*> variants;
};

/// The profiles that come with the program and those of files that the user names.
///
/// Ownership: owns the documents; what it hands out lives as long as it does.
class ProfileLibrary {
public:
    /// Every *.wprp of these folders, sorted by name. A file with errors is left out and told by badFiles().
    void addFolders(const std::vector<std::string>& folders);
    [[nodiscard]] Result<const profile::Document*> addFile(const std::string& path);

    [[nodiscard]] const std::vector<Error>& badFiles() const noexcept { return m_badFiles; }
    /// The first document that has a name has it.
    [[nodiscard]] std::vector<ListedProfile> profiles() const;
    [[nodiscard]] static std::vector<ListedProfile> profilesOf(const profile::Document& document);

    /// "CPU", "CPU.Light", "file.wprp", "file.wprp!CPU.Light". A file alone is its default profile, or its only one.
    /// ProfileUnknown with the nearest name, or the errors of the file.
    [[nodiscard]] Result<plan::Selection> select(const std::string& word);

private:
    [[nodiscard]] Result<plan::Selection> selectIn(const std::vector<ListedProfile>& known, const std::string& where,
                                                   const std::string& name) const;

    std::deque<profile::Document> m_documents; ///< addresses stay
    std::vector<Error> m_badFiles;
};

} // namespace tracedeck::cli

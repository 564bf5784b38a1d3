// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_selection.h"

#include "app/cli/format.h"
#include "core/platform/folders.h"
#include "core/platform/paths.h"
#include "core/profile/system_keywords.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <vector>

namespace tracedeck::cli {
namespace {

constexpr std::size_t kMostNames = 12;

bool isSameName(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](unsigned char left, unsigned char right) {
        return std::tolower(left) == std::tolower(right);
    });
}

Result<plan::Selection> selectIn(const profile::Document& document, const profile::SelectionText& wanted) {
    const std::vector<profile::CatalogEntry> entries = profile::entriesOf(document);
    std::vector<std::string> names;
    for (const profile::CatalogEntry& entry : entries) {
        if (isSameName(entry.name, wanted.name)) {
            return plan::Selection{&document, entry.name, wanted.detail};
        }
        names.push_back(entry.name);
    }
    const std::vector<std::string_view> views(names.begin(), names.end());
    const std::string_view nearest = profile::nearest(wanted.name, views);
    return fail(ErrorCode::ProfileUnknown, wanted.file + ": no profile '" + wanted.name + "'; " +
                                               (nearest.empty() ? "there are " + listed(names, kMostNames)
                                                                : "did you mean '" + std::string(nearest) + "'?"));
}

} // namespace

profile::Catalog loadCatalog(Console& console) {
    profile::Catalog catalog;
    for (const std::string& folder : platform::profileFolders()) {
        if (const Status added = catalog.addFolder(folder); !added) {
            console.error(added.error());
        }
    }
    for (const profile::Catalog::Refused& refused : catalog.refused()) {
        console.error(refused.error);
    }
    return catalog;
}

Result<plan::Selection> selectProfile(profile::Catalog& catalog, const std::string& word) {
    const auto wanted = profile::parseSelection(word);
    if (!wanted) {
        return fail(wanted.error());
    }
    if (wanted->file.empty()) {
        const auto entry = catalog.find(wanted->name);
        if (!entry) {
            return fail(entry.error());
        }
        return plan::Selection{entry->document, entry->name, wanted->detail};
    }
    const auto document = catalog.addFile(wanted->file);
    if (!document) {
        return fail(document.error());
    }
    if (!wanted->name.empty()) {
        return selectIn(**document, *wanted);
    }
    const auto entry = profile::defaultEntry(**document);
    if (!entry) {
        return fail(entry.error());
    }
    return plan::Selection{*document, entry->name, wanted->detail};
}

namespace {

bool isFile(const std::string& path) {
    return platform::exists(path) && !platform::isFolder(path);
}

/// Where the first profile of "a.wprp!Name+CPU" ends: names of files may hold "+" and "!", so the longest file wins.
std::size_t endOfFirst(const profile::Catalog& catalog, const std::string& words) {
    for (std::size_t end = words.size(); end != std::string::npos && end > 0; end = words.rfind('+', end - 1)) {
        const std::string word = words.substr(0, end);
        if (isFile(word)) {
            return end;
        }
        if (const std::size_t mark = word.rfind('!'); mark != std::string::npos && isFile(word.substr(0, mark))) {
            return std::min(words.find('+', mark), words.size());
        }
    }
    return catalog.find(words) ? words.size() : std::min(words.find('+'), words.size());
}

} // namespace

Result<std::vector<plan::Selection>> selectProfiles(profile::Catalog& catalog, const std::vector<std::string>& words) {
    std::vector<plan::Selection> selections;
    for (const std::string& word : words) {
        for (std::size_t begin = 0; begin <= word.size();) {
            const std::string rest = word.substr(begin);
            const std::size_t length = endOfFirst(catalog, rest);
            auto selection = selectProfile(catalog, rest.substr(0, length));
            if (!selection) {
                return fail(std::move(selection).error());
            }
            selections.push_back(std::move(*selection));
            begin += length + 1;
        }
    }
    return selections;
}

} // namespace tracedeck::cli

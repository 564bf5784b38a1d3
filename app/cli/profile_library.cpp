// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/profile_library.h"

#include "app/cli/format.h"
#include "core/platform/folders.h"
#include "core/profile/system_keywords.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <system_error>
#include <utility>

namespace tracedeck::cli {
namespace {

constexpr const char* kExtension = ".wprp";
constexpr std::size_t kMostNames = 12;

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return result;
}

/// Splits "CPU.Light" into its name and level; a name may have dots of its own.
std::pair<std::string, std::optional<profile::DetailLevel>> nameAndDetail(const std::string& word) {
    const std::size_t dot = word.rfind('.');
    if (dot != std::string::npos) {
        const std::string tail = lower(word.substr(dot + 1));
        if (tail == "light") {
            return {word.substr(0, dot), profile::DetailLevel::Light};
        }
        if (tail == "verbose") {
            return {word.substr(0, dot), profile::DetailLevel::Verbose};
        }
    }
    return {word, std::nullopt};
}

} // namespace

void ProfileLibrary::addFolders(const std::vector<std::string>& folders) {
    for (const std::string& folder : folders) {
        std::vector<std::string> paths;
        std::error_code error;
        for (std::filesystem::directory_iterator it(folder, error), end; !error && it != end; it.increment(error)) {
            if (lower(it->path().extension().string()) == kExtension) {
                paths.push_back(it->path().string());
            }
        }
        std::sort(paths.begin(), paths.end());
        for (const std::string& path : paths) {
            if (auto added = addFile(path); !added) {
                m_badFiles.push_back(std::move(added).error());
            }
        }
    }
}

Result<const profile::Document*> ProfileLibrary::addFile(const std::string& path) {
    Result<profile::Document> document = profile::load(path);
    if (!document) {
        return fail(std::move(document).error());
    }
    m_documents.push_back(std::move(*document));
    return &m_documents.back();
}

std::vector<ListedProfile> ProfileLibrary::profilesOf(const profile::Document& document) {
    std::vector<ListedProfile> found;
    for (const profile::Profile& profile : document.profiles) {
        if (profile.isInternal) {
            continue;
        }
        const auto same = std::find_if(found.begin(), found.end(), [&](const ListedProfile& listed) {
            return lower(listed.name) == lower(profile.name);
        });
        if (same == found.end()) {
            found.push_back({&document, profile.name, profile.description, {&profile}});
        } else {
            same->variants.push_back(&profile);
        }
    }
    return found;
}

std::vector<ListedProfile> ProfileLibrary::profiles() const {
    std::vector<ListedProfile> all;
    for (const profile::Document& document : m_documents) {
        for (ListedProfile& listed : profilesOf(document)) {
            if (std::none_of(all.begin(), all.end(),
                             [&](const ListedProfile& known) { return lower(known.name) == lower(listed.name); })) {
                all.push_back(std::move(listed));
            }
        }
    }
    return all;
}

Result<plan::Selection> ProfileLibrary::select(const std::string& word) {
    const std::size_t mark = word.rfind('!');
    const std::string path = word.substr(0, mark);
    if (mark == std::string::npos && !lower(path).ends_with(kExtension)) {
        return selectIn(profiles(), {}, word);
    }
    const auto document = addFile(path);
    if (!document) {
        return fail(document.error());
    }
    const std::vector<ListedProfile> known = profilesOf(**document);
    if (mark != std::string::npos) {
        return selectIn(known, path, word.substr(mark + 1));
    }
    std::vector<std::string> names;
    for (const ListedProfile& listed : known) {
        names.push_back(listed.name);
        const bool isDefault = std::any_of(listed.variants.begin(), listed.variants.end(),
                                           [](const profile::Profile* variant) { return variant->isDefault; });
        if (isDefault || known.size() == 1) {
            return plan::Selection{*document, listed.name, std::nullopt};
        }
    }
    return fail(ErrorCode::ProfileUnknown,
                path + " has several profiles and no default: write " + path + "!" + listed(names, kMostNames));
}

Result<plan::Selection> ProfileLibrary::selectIn(const std::vector<ListedProfile>& known, const std::string& where,
                                                 const std::string& name) const {
    // A name that ends like a level is taken as it is where there is one.
    for (const auto& [wanted, detail] : {std::pair(name, std::optional<profile::DetailLevel>()), nameAndDetail(name)}) {
        for (const ListedProfile& listed : known) {
            if (lower(listed.name) == lower(wanted)) {
                return plan::Selection{listed.document, listed.name, detail};
            }
        }
    }
    std::vector<std::string> names;
    std::vector<std::string_view> views;
    for (const ListedProfile& listed : known) {
        names.push_back(listed.name);
    }
    views.assign(names.begin(), names.end());
    const std::string_view nearest = profile::nearest(nameAndDetail(name).first, views);
    std::string detail = (where.empty() ? "" : where + ": ") + "\"" + name + "\"";
    if (!nearest.empty()) {
        detail += "; did you mean " + std::string(nearest) + "?";
    } else if (!names.empty()) {
        detail += "; there are " + listed(names, kMostNames);
    } else {
        detail += "; no profiles were found";
    }
    return fail(ErrorCode::ProfileUnknown, detail);
}

} // namespace tracedeck::cli

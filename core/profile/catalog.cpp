// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/catalog.h"

#include "core/profile/builtin.h"
#include "core/profile/inherit.h"
#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <unordered_map>
#include <unordered_set>

namespace tracedeck::profile {

namespace {

constexpr std::string_view kExtension = ".wprp";

bool endsWithIgnoringCase(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && equalsIgnoringCase(text.substr(text.size() - end.size()), end);
}

std::filesystem::path pathOf(const std::string& utf8) {
    return {std::u8string(utf8.begin(), utf8.end())};
}

std::string utf8Of(const std::filesystem::path& path) {
    const std::u8string text = path.u8string();
    return {text.begin(), text.end()};
}

std::string namesIn(std::span<const CatalogEntry> entries) {
    std::string names;
    for (const CatalogEntry& entry : entries) {
        names += (names.empty() ? "" : ", ") + entry.name;
    }
    return names;
}

} // namespace

bool CatalogEntry::has(DetailLevel detail, LoggingMode mode) const noexcept {
    return std::find(variants.begin(), variants.end(), Variant{detail, mode}) != variants.end();
}

std::vector<CatalogEntry> entriesOf(const Document& document) {
    const Definitions definitions({&document, &builtinDefinitions()});
    std::vector<CatalogEntry> entries;
    std::unordered_map<std::string, std::size_t> places;
    for (const Profile& profile : document.profiles) {
        if (profile.isInternal) {
            continue;
        }
        const auto [place, isNew] = places.emplace(lowerCase(profile.name), entries.size());
        if (isNew) {
            entries.push_back(
                {profile.name, profile.description, categoriesOf(profile, definitions), {}, false, &document});
        }
        CatalogEntry& entry = entries[place->second];
        entry.variants.push_back({profile.detailLevel, profile.loggingMode});
        entry.isDefault = entry.isDefault || profile.isDefault;
    }
    return entries;
}

Result<CatalogEntry> defaultEntry(const Document& document) {
    const std::vector<CatalogEntry> entries = entriesOf(document);
    const auto marked =
        std::find_if(entries.begin(), entries.end(), [](const CatalogEntry& entry) { return entry.isDefault; });
    if (marked != entries.end()) {
        return *marked;
    }
    if (entries.size() == 1) {
        return entries.front();
    }
    return fail(ErrorCode::ProfileUnknown,
                document.path + (entries.empty() ? ": no profile in this file"
                                                 : ": no default profile; name one of " + namesIn(entries)));
}

Result<SelectionText> parseSelection(std::string_view text) {
    SelectionText selection;
    if (const std::size_t mark = text.rfind('!'); mark != std::string_view::npos) {
        selection.file = text.substr(0, mark);
        selection.name = text.substr(mark + 1);
        if (selection.file.empty() || selection.name.empty()) {
            return fail(ErrorCode::InvalidArgument,
                        "profile '" + std::string(text) + "': expected file.wprp!Name, both parts not empty");
        }
    } else if (endsWithIgnoringCase(text, kExtension)) {
        selection.file = text;
        return selection;
    } else {
        selection.name = text;
    }
    for (const DetailLevel level : {DetailLevel::Light, DetailLevel::Verbose}) {
        const std::string suffix = "." + std::string(toString(level));
        if (endsWithIgnoringCase(selection.name, suffix)) {
            selection.name.resize(selection.name.size() - suffix.size());
            selection.detail = level;
            break;
        }
    }
    if (selection.name.empty()) {
        return fail(ErrorCode::InvalidArgument, "profile '" + std::string(text) + "': a profile's name is missing");
    }
    return selection;
}

Status Catalog::addFolder(const std::string& folder) {
    std::error_code error;
    std::filesystem::directory_iterator files(pathOf(folder), error);
    if (error) {
        return fail(ErrorCode::FolderNotFound, folder + ": " + error.message(),
                    static_cast<std::uint32_t>(error.value()));
    }
    std::vector<std::string> paths;
    for (const std::filesystem::directory_iterator end; files != end; files.increment(error)) {
        const std::string path = utf8Of(files->path());
        if (endsWithIgnoringCase(path, kExtension)) {
            paths.push_back(path);
        }
    }
    if (error) {
        return fail(ErrorCode::ReadFailed, folder + ": " + error.message(), static_cast<std::uint32_t>(error.value()));
    }
    std::sort(paths.begin(), paths.end());
    for (const std::string& path : paths) {
        std::vector<Problem> problems;
        if (const auto added = add(path, Names::FirstWins, &problems); !added) {
            m_refused.push_back({path, added.error(), std::move(problems)});
        }
    }
    return {};
}

Result<const Document*> Catalog::addFile(const std::string& path, std::vector<Problem>* problems) {
    return add(path, Names::AllStand, problems);
}

Result<const Document*> Catalog::add(const std::string& path, Names names, std::vector<Problem>* problems) {
    Result<Document> document = load(path, problems);
    if (!document) {
        return fail(document.error());
    }
    m_documents.push_back(std::make_unique<const Document>(*std::move(document)));
    const Document* added = m_documents.back().get();
    std::unordered_set<std::string> known;
    for (const CatalogEntry& entry : m_entries) {
        known.insert(lowerCase(entry.name));
    }
    for (CatalogEntry& entry : entriesOf(*added)) {
        if (names == Names::AllStand || !known.contains(lowerCase(entry.name))) {
            m_entries.push_back(std::move(entry));
        }
    }
    return added;
}

Result<CatalogEntry> Catalog::find(std::string_view name) const {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [name](const CatalogEntry& entry) { return equalsIgnoringCase(entry.name, name); });
    if (found != m_entries.end()) {
        return *found;
    }
    std::vector<std::string_view> names;
    for (const CatalogEntry& entry : m_entries) {
        names.push_back(entry.name);
    }
    const std::string_view near = nearest(name, names);
    return fail(ErrorCode::ProfileUnknown, "profile '" + std::string(name) + "' is not known" +
                                               (near.empty() ? "" : "; did you mean '" + std::string(near) + "'?"));
}

} // namespace tracedeck::profile

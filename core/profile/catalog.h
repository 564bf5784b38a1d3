// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tracedeck::profile {

/// One profile name of a file with the variants it comes in.
struct CatalogEntry {
    struct Variant {
        DetailLevel detail = DetailLevel::Verbose;
        LoggingMode mode = LoggingMode::Memory;
        friend bool operator==(const Variant&, const Variant&) = default;
    };
    std::string name;                    ///< as the file writes it
    std::string description;             ///< of the first variant
    std::vector<std::string> categories; ///< ProblemCategory values, those of the base where the profile has none
    std::vector<Variant> variants;       ///< in the order of the file
    bool isDefault = false;              ///< the file marks it (Default="true")
    const Document* document = nullptr;

    [[nodiscard]] bool has(DetailLevel detail, LoggingMode mode) const noexcept;
};

/// The profiles that a file offers, internal ones left out, in the order of the file. The entries point to `document`.
[[nodiscard]] std::vector<CatalogEntry> entriesOf(const Document& document);

/// The profile that a bare "file.wprp" means: the one marked as default, else the only one. ProfileUnknown where there
/// is neither; the detail names those there are.
[[nodiscard]] Result<CatalogEntry> defaultEntry(const Document& document);

/// A profile as people write it for `wpr -start`: [file.wprp!]Name[.Light|.Verbose], or a bare file.wprp.
struct SelectionText {
    std::string file; ///< empty: a profile of the catalog
    std::string name; ///< empty: the file's default profile
    std::optional<DetailLevel> detail;
    friend bool operator==(const SelectionText&, const SelectionText&) = default;
};
/// Case of ".wprp" and of the level does not count. InvalidArgument where nothing or half of it is there.
[[nodiscard]] Result<SelectionText> parseSelection(std::string_view text);

/// The profiles at hand: those of a folder, and files that were added.
///
/// Threading: a value that is moved, not copied; share it read-only. Ownership: owns its documents, at addresses that
/// stay while it lives, also when it is moved.
class Catalog {
public:
    /// A file that could not be read, and why.
    struct Refused {
        std::string path;
        Error error;
        std::vector<Problem> problems;
    };

    Catalog() = default;
    Catalog(Catalog&&) noexcept = default;
    Catalog& operator=(Catalog&&) noexcept = default;

    /// Adds every *.wprp of `folder` in the order of the file names (not of its subfolders), but for profiles of a name
    /// that is there already: the first folder wins. A file with errors is listed in refused() and the others are
    /// loaded all the same. FolderNotFound, ReadFailed for the folder itself.
    [[nodiscard]] Status addFolder(const std::string& folder);
    /// Adds one file, or says why not (load()); such a file is not listed in refused().
    [[nodiscard]] Result<const Document*> addFile(const std::string& path, std::vector<Problem>* problems = nullptr);

    [[nodiscard]] std::span<const CatalogEntry> entries() const noexcept { return m_entries; }
    [[nodiscard]] std::span<const Refused> refused() const noexcept { return m_refused; }
    /// By name, case of letters ignored; the first one where several files have it. ProfileUnknown with the nearest
    /// name in the detail.
    [[nodiscard]] Result<CatalogEntry> find(std::string_view name) const;

private:
    enum class Names { FirstWins, AllStand };
    Result<const Document*> add(const std::string& path, Names names, std::vector<Problem>* problems);

    std::vector<std::unique_ptr<const Document>> m_documents;
    std::vector<CatalogEntry> m_entries;
    std::vector<Refused> m_refused;
};

} // namespace tracedeck::profile

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/guid.h"
#include "core/base/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Recording profiles (.wprp) as their author wrote them: values and places, no decisions.
/// Source of the element and attribute names: Microsoft's WPRControlProfiles schema and element pages.
namespace tracedeck::profile {

enum class LoggingMode : std::uint8_t { File, Memory };
enum class DetailLevel : std::uint8_t { Light, Verbose };
enum class Operation : std::uint8_t { Set, Add, Remove };
std::string_view toString(LoggingMode mode) noexcept;
std::string_view toString(DetailLevel level) noexcept;

/// Line and column of an element's start tag, both from 1; 0 where unknown. Columns count characters.
struct Place {
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend bool operator==(const Place&, const Place&) = default;
};

/// One problem of a file.
struct Problem {
    enum class Severity : std::uint8_t { Warning, Error } severity = Severity::Error;
    Place place;
    std::string element;   ///< "Keyword"
    std::string elementId; ///< nearest enclosing Id, may be empty
    std::string message;   ///< English: what was found and what is allowed; a suggestion where a word is nearly right
    friend bool operator==(const Problem&, const Problem&) = default;
};

/// <Keyword>, <Stack>, <CustomKeyword>, <CustomStack> and the like: one value of a list.
struct ListItem {
    std::string value;
    bool isCustom = false; ///< a raw number (CustomKeyword, CustomStack)
    std::optional<bool> strict;
    Place place;
};

/// A list with its Operation.
struct ItemList {
    Operation operation = Operation::Set;
    std::vector<ListItem> items;
    Place place;
};

/// BufferSize, Buffers and MaximumFileSize.
struct Quantity {
    Operation operation = Operation::Set;
    double value = 0;
    Place place;
};

struct Buffers {
    Operation operation = Operation::Set;
    double value = 0;
    bool isPercentageOfTotalMemory = false;
    std::optional<std::uint64_t> maximumBufferSpaceMib;
    Place place;
};

struct BufferSettings {
    std::optional<Quantity> bufferSizeKib;
    std::optional<Buffers> buffers;
    std::optional<Quantity> maximumFileSizeMib;
    bool isMaximumFileSizeCircular = true;
};

struct SystemProvider {
    std::string id;
    std::string base;
    std::vector<ItemList> keywords;
    std::vector<ItemList> stacks;
    Place place;
};

struct EventProvider {
    std::string id;
    std::string base;
    std::string name; ///< as written: registered name, GUID, or *Name
    std::optional<bool> nonPagedMemory;
    std::optional<bool> stack;
    std::optional<std::uint8_t> level;
    std::optional<bool> captureStateOnly;
    std::optional<bool> strict;
    std::vector<ItemList> keywords;
    std::vector<ItemList> captureStateOnStart;
    std::vector<ItemList> captureStateOnSave;
    Place place;
};

/// SystemCollector and EventCollector.
struct Collector {
    enum class Kind : std::uint8_t { System, Event } kind = Kind::System;
    std::string id;
    std::string base;
    std::string name;
    BufferSettings buffers;
    Place place;
};

/// Reference to a definition (SystemProviderId, EventProviderId) with the overriding children it may carry, or a
/// definition in place: then `value` is the definition's own id.
struct SystemProviderRef {
    std::string value;
    std::optional<SystemProvider> inPlace; ///< definition, or overrides (then without id)
    Place place;
};
struct EventProviderRef {
    std::string value;
    std::optional<EventProvider> inPlace;
    Place place;
};
struct EventProviderList {
    /// Where the file gives none: that of the enclosing Collectors, so that providers listed in Collectors
    /// Operation="Add" are added.
    Operation operation = Operation::Set;
    std::vector<EventProviderRef> providers;
};

/// SystemCollectorId and EventCollectorId.
struct CollectorRef {
    Collector::Kind kind = Collector::Kind::System;
    std::string value;
    BufferSettings buffers;
    std::vector<SystemProviderRef> systemProviders;
    std::vector<EventProviderList> eventProviders;
    Place place;
};
struct CollectorList {
    Operation operation = Operation::Set;
    std::vector<CollectorRef> collectors;
};

struct Profile {
    std::string id;
    std::string base;
    std::string name;
    std::string description;
    LoggingMode loggingMode = LoggingMode::File;
    DetailLevel detailLevel = DetailLevel::Verbose;
    bool isInternal = false;
    bool isDefault = false;
    std::optional<bool> strict;
    std::vector<std::string> problemCategories;
    std::vector<CollectorList> collectors;
    Place place;
};

/// One file.
///
/// Threading: a value; share it read-only.
struct Document {
    std::string path; ///< for messages
    std::string author;
    std::string comments;
    std::vector<Collector> collectors;
    std::vector<SystemProvider> systemProviders;
    std::vector<EventProvider> eventProviders;
    std::vector<Profile> profiles;
    std::vector<Problem> warnings;

    [[nodiscard]] const Collector* findCollector(std::string_view id) const noexcept;
    [[nodiscard]] const SystemProvider* findSystemProvider(std::string_view id) const noexcept;
    [[nodiscard]] const EventProvider* findEventProvider(std::string_view id) const noexcept;
    [[nodiscard]] const Profile* findProfile(std::string_view id) const noexcept;
};

/// A document or everything that is wrong with it, in the order of the file.
struct Parsed {
    std::optional<Document> document;
    std::vector<Problem> problems; ///< warnings too
    bool isWellFormed = true;      ///< false: the content is no XML (or no text at all)
};

/// Parses and checks. `path` is only for messages. UTF-8 with or without byte order mark, UTF-16 with one.
[[nodiscard]] Parsed parse(std::string_view content, std::string path);

/// Reads and parses a file. Errors: those of opening it; ProfileMalformed (no XML) or ProfileInvalid with the first
/// problem as "file:line:column: message" and the number of the others in detail; `problems`, where given, gets all.
[[nodiscard]] Result<Document> load(const std::string& path, std::vector<Problem>* problems = nullptr);

/// "file:line:column: message" as compilers print it.
[[nodiscard]] std::string format(const std::string& path, const Problem& problem);

} // namespace tracedeck::profile

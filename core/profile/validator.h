// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"
#include "core/profile/text.h"

#include <pugixml.hpp>

#include <string>
#include <vector>

namespace tracedeck::profile {

/// Collects what is wrong, at most 200 of it, so that a hostile file cannot fill the memory.
class ProblemList {
public:
    explicit ProblemList(const Places& places) : m_places(places) {}
    void add(Problem::Severity severity, pugi::xml_node node, std::string elementId, std::string message);
    [[nodiscard]] bool isFull() const noexcept { return m_problems.size() >= kMost; }
    [[nodiscard]] bool hasErrors() const noexcept { return m_hasErrors; }
    /// In the order of the file.
    [[nodiscard]] std::vector<Problem> take();

private:
    static constexpr std::size_t kMost = 200;
    const Places& m_places;
    std::vector<Problem> m_problems;
    bool m_hasErrors = false;
};

/// Place of an element's start tag.
[[nodiscard]] Place placeOf(pugi::xml_node node, const Places& places);

/// Checks a document against the schema tables: names, attributes, values, order, counts, unique ids, references.
void validate(const pugi::xml_document& xml, ProblemList& problems);

} // namespace tracedeck::profile

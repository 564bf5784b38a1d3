// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <span>
#include <string>
#include <vector>

namespace tracedeck::plan {

/// Where ids are looked up: the first document that defines an id wins.
class Definitions {
public:
    explicit Definitions(std::vector<const profile::Document*> searchList) : m_searchList(std::move(searchList)) {}

    [[nodiscard]] const profile::Collector* collector(const std::string& id) const;
    [[nodiscard]] const profile::SystemProvider* systemProvider(const std::string& id) const;
    [[nodiscard]] const profile::EventProvider* eventProvider(const std::string& id) const;
    [[nodiscard]] const profile::Profile* profile(const std::string& id) const;

private:
    std::vector<const profile::Document*> m_searchList;
};

/// An event provider with its bases and overrides applied.
struct ResolvedProvider {
    std::string id;
    std::string name;
    std::vector<profile::ListItem> keywords; ///< none: all events
    std::uint8_t level = 0;                  ///< 0: not given
    bool captureStack = false;
    bool captureStateOnly = false;
    bool capturesState = false;
    bool isStrict = false;
};

/// A collector as one profile uses it.
struct ResolvedCollector {
    profile::Collector::Kind kind = profile::Collector::Kind::System;
    std::string id;
    std::string name;
    profile::BufferSettings buffers;
    std::vector<profile::ListItem> keywords;
    std::vector<profile::ListItem> stacks;
    std::vector<ResolvedProvider> providers;
};

struct ResolvedProfile {
    std::vector<ResolvedCollector> collectors;
    std::vector<Diagnostic> diagnostics; ///< bases and references that lead nowhere
};

/// Applies Base and Operation:
/// * A derived object has everything of its base; what it gives itself wins.
/// * Lists: Set replaces what was inherited (several Set lists of one object stand beside each other), Add appends,
///   Remove deletes. Numbers: Set overwrites, Add adds, Remove subtracts.
/// * A collector that a derived profile adds again keeps its providers, and those listed are added; system providers of
///   one collector are united.
[[nodiscard]] ResolvedProfile resolve(const profile::Profile& profile, const Definitions& definitions);

} // namespace tracedeck::plan

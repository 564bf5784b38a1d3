// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <map>
#include <set>
#include <string>

namespace tracedeck::plan {

/// What the selected profiles want of one thing, by the name of the thing.
struct Wish {
    std::set<std::string> profiles; ///< names of those that want it
    bool isStrict = false;
};
struct KeywordWish : Wish {
    std::vector<std::uint32_t> groups;
};
struct StackWish : Wish {
    std::uint16_t hookId = 0;
    std::uint32_t group = 0; ///< that turns its event on, 0: not known
};

/// The keyword's WPR name, or its group id ("0x20000200") where it has none.
[[nodiscard]] std::string keywordName(const profile::ListItem& keyword);

struct SystemWishes {
    std::map<std::string, KeywordWish> keywords;
    std::map<std::string, StackWish> stacks;
    void add(const profile::ListItem& keyword, const std::string& profile);
    void addStack(const profile::ListItem& stack, const std::string& profile);
};

/// Name for Diagnostic::profile: the one profile that wants it, empty where several do.
[[nodiscard]] std::string concerned(const std::set<std::string>& profiles);

/// The machine with everything that a profile can ask for: what a plan for it holds is what the profiles want. Its
/// stack hooks have 0 among them, which stands for stacks whose id is not public; no real machine has it.
[[nodiscard]] etw::Capabilities everythingServed(const etw::Capabilities& machine);

/// Error where somebody calls it strict. What only another platform has is left out there whoever wants it: a profile
/// may name the sources of several platforms, and strictness is for the one that has them.
[[nodiscard]] Severity severityOf(const Wish& wish, etw::LimitationCode code) noexcept;

/// Fills kernel groups, stacks and their names of `session` with what the machine serves, and says of each of the
/// others why it does not.
void selectSystem(const SystemWishes& wishes, const etw::Capabilities& capabilities, PlannedSession& session,
                  std::vector<Diagnostic>& diagnostics);

} // namespace tracedeck::plan

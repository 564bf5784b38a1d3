// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/capability.h"

#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace tracedeck::plan {

namespace {

using etw::Limitation;
using etw::LimitationCode;

/// Keywords that ask for something that the platform does not have. All others could be served there one day:
/// KeywordNotServed.
struct ForeignKeywords {
    std::string_view platformPrefix; ///< of Capabilities::platform
    std::span<const std::string_view> names;
};

constexpr std::string_view kNotOnLinux[] = {
    "Alpc",                                              // local procedure calls
    "Registry",       "RegistryHive", "RegistryNotify",  // the registry
    "FilterIO",       "FilterIOInit", "FilterIOFailure", // file system minifilters
    "FilterIOFastIO",                                    //
    "WDFDPC",         "WDFInterrupt",                    // the Windows driver framework
    "KernelQueue",                                       // KQUEUE objects
    "Session",                                           // session space
    "AntiStarvation",                                    // the balance set manager's priority boosts
    "WakeCounter",    "WakeDrop",     "WakeEvent",       // the desktop activity moderator
    "HiberRundown",                                      // the hibernation file
};
constexpr ForeignKeywords kForeignKeywords[] = {{"Linux", kNotOnLinux}};

std::string hex(std::uint32_t value, int digits) {
    std::array<char, 16> buffer{};
    std::snprintf(buffer.data(), buffer.size(), "0x%0*X", digits, static_cast<unsigned>(value));
    return buffer.data();
}

std::uint32_t groupOf(const std::string& customKeyword) {
    return static_cast<std::uint32_t>(profile::parseHex(customKeyword, 8, profile::HexPrefix::Required).value_or(0));
}

bool isForeign(const std::string& keyword, const std::string& platform) {
    return std::any_of(std::begin(kForeignKeywords), std::end(kForeignKeywords), [&](const ForeignKeywords& row) {
        return platform.starts_with(row.platformPrefix) &&
               std::find(row.names.begin(), row.names.end(), keyword) != row.names.end();
    });
}

Limitation reasonOf(std::uint32_t group, const std::string& keyword, const etw::Capabilities& capabilities) {
    for (const etw::Capabilities::Refused& refused : capabilities.refusedGroups) {
        if (refused.group == group) {
            return refused.limitation;
        }
    }
    const bool isNever = isForeign(keyword, capabilities.platform);
    return {isNever ? LimitationCode::KeywordNotOnThisPlatform : LimitationCode::KeywordNotServed, keyword, 0};
}

} // namespace

etw::Capabilities everythingServed(const etw::Capabilities& machine) {
    etw::Capabilities all = machine;
    all.kernelGroups.words.fill(0xFFFFFFFF);
    all.stackHooks.clear();
    for (std::uint32_t hook = 0; hook <= UINT16_MAX; ++hook) {
        all.stackHooks.push_back(static_cast<std::uint16_t>(hook));
    }
    all.refusedGroups.clear();
    all.features.clear();
    for (std::size_t feature = 0; feature < etw::kFeatures; ++feature) {
        all.features.push_back(static_cast<etw::Feature>(feature));
    }
    all.hasWindowsProviders = true;
    all.limitations.clear();
    return all;
}

Severity severityOf(const Wish& wish, LimitationCode code) noexcept {
    const bool isOfAnotherPlatform =
        code == LimitationCode::KeywordNotOnThisPlatform || code == LimitationCode::ProviderNotOnThisPlatform;
    return wish.isStrict && !isOfAnotherPlatform ? Severity::Error : Severity::Warning;
}

namespace {

/// `cause` decides what strictness means, where what is told is another reason.
void report(const Wish& wish, std::string object, Limitation limitation, LimitationCode cause, std::string detail,
            std::vector<Diagnostic>& diagnostics) {
    Diagnostic diagnostic;
    diagnostic.severity = severityOf(wish, cause);
    diagnostic.profile = concerned(wish.profiles);
    diagnostic.object = std::move(object);
    diagnostic.limitation = std::move(limitation);
    diagnostic.detail = std::move(detail);
    if (wish.isStrict) {
        diagnostic.detail += (diagnostic.detail.empty() ? "" : "; ") + std::string("the profile calls it strict");
    }
    diagnostics.push_back(std::move(diagnostic));
}

void selectKeyword(const std::string& name, const KeywordWish& wish, const etw::Capabilities& capabilities,
                   PlannedSession& session, std::vector<Diagnostic>& diagnostics) {
    std::vector<std::uint32_t> refused;
    for (const std::uint32_t group : wish.groups) {
        if (capabilities.kernelGroups.has(group)) {
            session.config.kernelGroups.set(group);
        } else {
            refused.push_back(group);
        }
    }
    if (refused.size() < wish.groups.size()) {
        session.keywords.push_back(name);
        if (wish.isStrict) {
            session.strict.push_back("keyword " + name);
        }
    }
    if (!refused.empty()) {
        std::string detail;
        if (refused.size() < wish.groups.size()) {
            detail = std::string(kIsInPart) + ": group " + hex(refused.front(), 8) + " is missing";
        }
        Limitation reason = reasonOf(refused.front(), name, capabilities);
        const LimitationCode cause = reason.code;
        report(wish, "keyword " + name, std::move(reason), cause, std::move(detail), diagnostics);
    }
}

/// The keyword that turns the events of `group` on; empty where no profile has one.
std::string keywordOf(std::uint32_t group, const SystemWishes& wishes) {
    const auto at = std::find_if(wishes.keywords.begin(), wishes.keywords.end(), [group](const auto& entry) {
        const std::vector<std::uint32_t>& groups = entry.second.groups;
        return std::find(groups.begin(), groups.end(), group) != groups.end();
    });
    return at == wishes.keywords.end() ? std::string() : at->first;
}

/// Events of heaps and thread pools: a provider of Windows' user mode writes them, and no keyword turns them on.
bool isOfWindowsUserMode(std::uint16_t hookId) {
    constexpr std::uint16_t kHeapRangeFirst = 0x0265;
    constexpr std::uint16_t kHeapRangeLast = 0x0268;
    const unsigned group = hookId >> 8U;
    return group == 0x10 || group == 0x1C || (hookId >= kHeapRangeFirst && hookId <= kHeapRangeLast);
}

void selectStack(const std::string& name, const StackWish& wish, const SystemWishes& wishes,
                 const etw::Capabilities& capabilities, PlannedSession& session, std::vector<Diagnostic>& diagnostics) {
    const std::vector<std::uint16_t>& served = capabilities.stackHooks;
    const std::string keyword = wish.group == 0 ? std::string() : keywordOf(wish.group, wishes);
    if (wish.group != 0 && keyword.empty()) {
        Diagnostic diagnostic;
        diagnostic.severity = Severity::Note;
        diagnostic.profile = concerned(wish.profiles);
        diagnostic.object = "stack " + name;
        diagnostic.detail = "without effect: no profile turns the event on";
        diagnostics.push_back(std::move(diagnostic));
    } else if (wish.group != 0 && !session.config.kernelGroups.has(wish.group)) {
        // The reason is that of its event, which has been told by the keyword's name already.
        Limitation reason = reasonOf(wish.group, keyword, capabilities);
        const LimitationCode cause = reason.code;
        if (reason.code == LimitationCode::KeywordNotServed ||
            reason.code == LimitationCode::KeywordNotOnThisPlatform) {
            reason = {LimitationCode::StackNotServed, name, 0};
        }
        report(wish, "stack " + name, std::move(reason), cause, std::string(kEventIsMissing), diagnostics);
    } else if (std::find(served.begin(), served.end(), wish.hookId) == served.end()) {
        const bool isEventMissing = wish.group == 0 && !capabilities.hasWindowsProviders;
        const LimitationCode cause = isEventMissing && isOfWindowsUserMode(wish.hookId)
                                         ? LimitationCode::ProviderNotOnThisPlatform
                                         : LimitationCode::StackNotServed;
        report(wish, "stack " + name, {LimitationCode::StackNotServed, name, 0}, cause,
               std::string(isEventMissing ? kEventIsMissing : ""), diagnostics);
    } else if (session.config.stackHooks.size() >= etw::kMaximumStackHooks) {
        Diagnostic diagnostic;
        diagnostic.profile = concerned(wish.profiles);
        diagnostic.object = "stack " + name;
        diagnostic.detail = "left out: a session has at most " + std::to_string(etw::kMaximumStackHooks) + " stacks";
        diagnostics.push_back(std::move(diagnostic));
    } else {
        std::vector<std::uint16_t>& hooks = session.config.stackHooks;
        if (std::find(hooks.begin(), hooks.end(), wish.hookId) == hooks.end()) { // some have an old and a new name
            hooks.push_back(wish.hookId);
        }
        session.stacks.push_back(name);
        if (wish.isStrict) {
            session.strict.push_back("stack " + name);
        }
    }
}

} // namespace

std::string keywordName(const profile::ListItem& keyword) {
    if (!keyword.isCustom) {
        return keyword.value;
    }
    const std::uint32_t group = groupOf(keyword.value);
    for (const profile::SystemKeyword& known : profile::systemKeywords()) {
        if (known.groups.size() == 1 && known.groups.front() == group) {
            return std::string(known.name);
        }
    }
    return hex(group, 8);
}

void SystemWishes::add(const profile::ListItem& keyword, const std::string& profile) {
    KeywordWish& wish = keywords[keywordName(keyword)];
    if (keyword.isCustom) {
        wish.groups = {groupOf(keyword.value)};
    } else if (const profile::SystemKeyword* known = profile::findSystemKeyword(keyword.value)) {
        wish.groups.assign(known->groups.begin(), known->groups.end());
    }
    wish.profiles.insert(profile);
    wish.isStrict = wish.isStrict || keyword.strict.value_or(false);
}

void SystemWishes::addStack(const profile::ListItem& stack, const std::string& profile) {
    std::string name = stack.value;
    if (stack.isCustom) {
        const auto hookId = static_cast<std::uint16_t>(
            profile::parseHex(stack.value, 8, profile::HexPrefix::Required).value_or(0) & 0xFFFFU);
        const std::string_view known = profile::stackName(hookId);
        name = known.empty() ? hex(hookId, 4) : std::string(known);
        stacks[name].hookId = hookId;
    }
    StackWish& wish = stacks[name];
    if (const profile::SystemStack* known = profile::findSystemStack(name)) {
        wish.hookId = known->hookId;
        wish.group = known->group;
    }
    wish.profiles.insert(profile);
    wish.isStrict = wish.isStrict || stack.strict.value_or(false);
}

std::string concerned(const std::set<std::string>& profiles) {
    return profiles.size() == 1 ? *profiles.begin() : std::string();
}

void selectSystem(const SystemWishes& wishes, const etw::Capabilities& capabilities, PlannedSession& session,
                  std::vector<Diagnostic>& diagnostics) {
    for (const auto& [name, wish] : wishes.keywords) {
        selectKeyword(name, wish, capabilities, session, diagnostics);
    }
    for (const auto& [name, wish] : wishes.stacks) {
        selectStack(name, wish, wishes, capabilities, session, diagnostics);
    }
}

} // namespace tracedeck::plan

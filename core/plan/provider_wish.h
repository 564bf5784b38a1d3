// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/capability.h"
#include "core/plan/resolve.h"

#include <string>
#include <vector>

namespace tracedeck::plan {

/// An event provider as all profiles of one session together want it.
///
/// It goes by its name wherever one is known. Keywords come and go with their provider: one that is strict makes the
/// provider strict. Everything that one of them wants is recorded: keywords, properties and stacks are united, the
/// higher level holds, a capture of state has all keywords and the longer time. A filter narrows what is recorded: it
/// stays only where every profile has one of its kind, and lets through what one of them wants.
class ProviderWish : public Wish {
public:
    /// `name` as the profile writes it.
    ProviderWish(Guid guid, const std::string& name);
    void add(const ResolvedProvider& provider, const std::string& profile);

    [[nodiscard]] const Guid& guid() const noexcept { return m_config.provider; }
    [[nodiscard]] const std::string& name() const noexcept { return m_config.name; }
    [[nodiscard]] etw::ProviderConfig config() const;
    /// Kinds of filters that gave way, because another profile wants more.
    [[nodiscard]] bool hasDroppedFilters() const noexcept { return m_hasDroppedFilters; }
    /// Whether one of its stacks is called strict.
    [[nodiscard]] bool hasStrictStacks() const noexcept { return m_hasStrictStacks; }

private:
    void addFilters(std::vector<etw::EventFilter> filters, bool hasStack);

    etw::ProviderConfig m_config;
    bool m_isAll = false;     ///< one of them wants all keywords
    bool m_isEnabled = false; ///< one of them wants more than its state
    bool m_hasDroppedFilters = false;
    bool m_hasStrictStacks = false;
};

} // namespace tracedeck::plan

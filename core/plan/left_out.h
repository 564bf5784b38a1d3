// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"
#include "core/plan/resolve.h"

#include <vector>

namespace tracedeck::plan {

/// What a profile says that no plan carries out, whatever the machine: each is told by its name, with what happens
/// instead. Nothing of it is lost silently.
void noteLeftOut(const profile::Profile& profile, const ResolvedProfile& resolved,
                 std::vector<Diagnostic>& diagnostics);

/// The same for a file as a whole: what it asks for without effect, once per message.
void noteLeftOut(const profile::Document& document, std::vector<Diagnostic>& diagnostics);

} // namespace tracedeck::plan

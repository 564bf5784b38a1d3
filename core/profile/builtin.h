// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

namespace tracedeck::profile {

/// What WPR has built in and files refer to without defining it: its collectors
/// ("SystemCollector_WPRSystemCollectorInFile" …) with their published buffer sizes, "SystemProvider_Base", and the
/// profiles that come along ("GeneralProfile.Light.File", "Heap.Verbose.Memory") with the providers and collectors in
/// them. The profiles are part of the program, so that a base means the same wherever it runs; the contents of
/// SystemProvider_Base are not published and are what no recording can do without (processes, threads and images).
///
/// Threading: any thread. Read on first use, a few milliseconds.
[[nodiscard]] const Document& builtinDefinitions();

} // namespace tracedeck::profile

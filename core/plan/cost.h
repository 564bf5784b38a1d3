// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/plan.h"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracedeck::plan {

/// What a recording is expected to cost.
struct Cost {
    Bytes memory;              ///< of all buffers
    double bytesPerSecond = 0; ///< written, or overwritten in a ring
    double processors = 0;     ///< time spent on recording, 1 = one processor
    bool isMeasured = false;   ///< from recordings of the same profiles on this machine; else from the table
    /// How long a ring holds what it records; nothing in file mode.
    std::optional<std::chrono::duration<double>> held;
};

/// How much past recordings of this machine produced. Kept as text (toText); nothing in it but the profiles' names and
/// numbers.
///
/// Threading: a value.
class CostHistory {
public:
    /// A file of another version, or one that somebody edited, gives as much as can be read of it.
    [[nodiscard]] static CostHistory fromText(std::string_view text);
    [[nodiscard]] std::string toText() const;

    /// Notes that a recording of `plan` produced `bytesPerSecond`. Newer recordings count for more.
    void add(const RecordingPlan& plan, const etw::Capabilities& capabilities, double bytesPerSecond);
    /// Bytes per second of recordings of the same profiles and detail; nothing where there was none.
    [[nodiscard]] std::optional<double> measured(const RecordingPlan& plan) const;
    /// By how much recordings of whatever profiles produced more than the table says; 1 where there was none.
    [[nodiscard]] double factor() const noexcept { return m_factor; }

private:
    struct Entry {
        double bytesPerSecond = 0;
        unsigned recordings = 0;
    };
    std::map<std::string, Entry> m_entries; ///< by the plan's profiles
    double m_factor = 1;
    unsigned m_recordings = 0;
};

/// A table by keyword, stack and provider (cost.cpp names where its numbers come from), corrected by the machine's own
/// past. Good to a factor of about three without one: it depends on what the machine does.
[[nodiscard]] Cost estimate(const RecordingPlan& plan, const etw::Capabilities& capabilities,
                            const CostHistory& history = {});

/// The keywords of the table, each with the stack that its events can carry (empty: none): for a check that WPR has
/// such names.
[[nodiscard]] std::vector<std::pair<std::string_view, std::string_view>> costTableNames();

} // namespace tracedeck::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/document.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tracedeck::plan {

/// HardwareCounter with its bases and its MicroArchitecturalConfig applied, or what several of them come to. Counters,
/// events and words are the profile's: which of them there are, the machine knows.
struct HardwareCounters {
    struct Sampled {
        std::string counter;
        std::uint64_t interval = 0; ///< 0: not given
        friend bool operator==(const Sampled&, const Sampled&) = default;
    };
    struct ProcessorTrace {
        std::uint64_t bufferSize = 0; ///< as the profile gives it, 0: not given
        std::string codeMode;         ///< User, Kernel or UserKernel; empty: not given
        std::vector<std::string> events;
        friend bool operator==(const ProcessorTrace&, const ProcessorTrace&) = default;
    };
    struct Source {
        std::string architecture;
        std::string name;
        std::string event;
        std::string unit;
        std::optional<std::uint64_t> interval;
        std::optional<bool> allowsHalt;
        friend bool operator==(const Source&, const Source&) = default;
    };
    std::vector<std::string> counters; ///< read at each of `events`
    std::vector<std::string> events;
    std::vector<Sampled> sampled; ///< an event each time that they overflow
    std::vector<std::string> branchEvents;
    std::vector<std::string> branchFiltersOut; ///< kinds of branches that are left out
    std::optional<ProcessorTrace> processorTrace;
    std::vector<Source> sources; ///< counters that the machine does not name by itself
    bool isStrict = false;
    friend bool operator==(const HardwareCounters&, const HardwareCounters&) = default;

    /// Applies a definition on top of its base.
    void apply(const profile::HardwareCounter& own);
    void apply(const profile::MicroArchitecturalConfig& own);
    /// Adds what another profile wants: all counters of both, the shorter interval, the larger buffer; branches are
    /// left out where both leave them out.
    void unite(const HardwareCounters& other);
    /// "LLCMisses, TotalIssues", for messages.
    [[nodiscard]] std::string names() const;
};

} // namespace tracedeck::plan

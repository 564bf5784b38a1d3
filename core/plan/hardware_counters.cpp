// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/hardware_counters.h"

#include "core/profile/inherit.h"

#include <algorithm>

namespace tracedeck::plan {

namespace {

using profile::Operation;

void addOnce(std::vector<std::string>& into, const std::vector<std::string>& from) {
    for (const std::string& value : from) {
        if (std::find(into.begin(), into.end(), value) == into.end()) {
            into.push_back(value);
        }
    }
}

void applyNames(std::vector<std::string>& inherited, const std::vector<profile::ItemList>& own) {
    std::vector<profile::ListItem> items;
    items.reserve(inherited.size());
    for (std::string& name : inherited) {
        items.push_back({std::move(name), false, std::nullopt, {}});
    }
    profile::applyLists(items, own, profile::Values::Names);
    inherited.clear();
    for (profile::ListItem& item : items) {
        inherited.push_back(std::move(item.value));
    }
}

/// Adds the values that `inherited` lacks (by `isSame`), in front of which Set clears and instead of which Remove
/// deletes.
template <class Value, class Same>
void applyValues(std::vector<Value>& inherited, Operation operation, const std::vector<Value>& own, Same isSame) {
    if (operation == Operation::Set) {
        inherited.clear();
    }
    for (const Value& value : own) {
        std::erase_if(inherited, [&](const Value& other) { return isSame(other, value); });
        if (operation != Operation::Remove) {
            inherited.push_back(value);
        }
    }
}

bool isSameCounter(const HardwareCounters::Sampled& a, const HardwareCounters::Sampled& b) {
    return a.counter == b.counter;
}

bool isSameSource(const HardwareCounters::Source& a, const HardwareCounters::Source& b) {
    return a.architecture == b.architecture && a.name == b.name;
}

/// 0 is no interval.
std::uint64_t shorter(std::uint64_t a, std::uint64_t b) {
    return a == 0 || b == 0 ? std::max(a, b) : std::min(a, b);
}

} // namespace

void HardwareCounters::apply(const profile::HardwareCounter& own) {
    isStrict = own.strict.value_or(isStrict);
    applyNames(counters, own.counters);
    applyNames(events, own.events);
    for (const profile::HardwareCounter::SampledList& list : own.sampledCounters) {
        std::vector<Sampled> values;
        for (const profile::HardwareCounter::Sampled& counter : list.counters) {
            values.push_back({counter.counter, counter.interval.value_or(0)});
        }
        applyValues(sampled, list.operation, values, isSameCounter);
    }
    applyNames(branchEvents, own.lastBranchEvents);
    applyNames(branchFiltersOut, own.lastBranchFiltersOut);
    if (own.hasProcessorTrace) {
        processorTrace = processorTrace.value_or(ProcessorTrace{});
        ProcessorTrace& trace = *processorTrace;
        if (own.processorTraceBufferSize) {
            trace.bufferSize = static_cast<std::uint64_t>(own.processorTraceBufferSize->value);
        }
        if (!own.processorTraceCodeMode.empty()) {
            trace.codeMode = own.processorTraceCodeMode;
        }
        applyNames(trace.events, own.processorTraceEvents);
    }
}

void HardwareCounters::apply(const profile::MicroArchitecturalConfig& own) {
    for (const profile::MicroArchitecturalConfig::Sources& list : own.sources) {
        std::vector<Source> values;
        for (const profile::MicroArchitecturalConfig::Source& source : list.sources) {
            values.push_back(
                {list.architecture, source.name, source.event, source.unit, source.interval, source.allowsHalt});
        }
        // Lists of one object stand beside each other, one for each architecture.
        const bool replaces = list.operation == Operation::Set && &list == &own.sources.front();
        const Operation operation = list.operation == Operation::Set && !replaces ? Operation::Add : list.operation;
        applyValues(sources, operation, values, isSameSource);
    }
}

void HardwareCounters::unite(const HardwareCounters& other) {
    isStrict = isStrict || other.isStrict;
    // Before the events: who records no branches leaves none out.
    if (branchEvents.empty()) {
        branchFiltersOut = other.branchFiltersOut;
    } else if (!other.branchEvents.empty()) {
        std::erase_if(branchFiltersOut, [&](const std::string& kind) {
            return std::find(other.branchFiltersOut.begin(), other.branchFiltersOut.end(), kind) ==
                   other.branchFiltersOut.end();
        });
    }
    addOnce(counters, other.counters);
    addOnce(events, other.events);
    addOnce(branchEvents, other.branchEvents);
    for (const Sampled& counter : other.sampled) {
        const auto same = std::find_if(sampled.begin(), sampled.end(),
                                       [&](const Sampled& mine) { return isSameCounter(mine, counter); });
        if (same == sampled.end()) {
            sampled.push_back(counter);
        } else {
            same->interval = shorter(same->interval, counter.interval);
        }
    }
    if (!processorTrace) {
        processorTrace = other.processorTrace;
    } else if (other.processorTrace) {
        processorTrace->bufferSize = std::max(processorTrace->bufferSize, other.processorTrace->bufferSize);
        if (processorTrace->codeMode != other.processorTrace->codeMode) {
            processorTrace->codeMode = "UserKernel";
        }
        addOnce(processorTrace->events, other.processorTrace->events);
    }
    for (const Source& source : other.sources) {
        if (std::none_of(sources.begin(), sources.end(),
                         [&](const Source& mine) { return isSameSource(mine, source); })) {
            sources.push_back(source);
        }
    }
}

std::string HardwareCounters::names() const {
    std::vector<std::string> all = counters;
    for (const Sampled& counter : sampled) {
        addOnce(all, {counter.counter});
    }
    if (!branchEvents.empty()) {
        all.emplace_back("last branches");
    }
    if (processorTrace) {
        all.emplace_back("processor trace");
    }
    std::string text;
    for (const std::string& name : all) {
        text += (text.empty() ? "" : ", ") + name;
    }
    return text;
}

} // namespace tracedeck::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/cost.h"

#include "core/profile/system_keywords.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

namespace tracedeck::plan {

namespace {

/// What a keyword's events amount to on a machine in ordinary use.
struct KeywordCost {
    std::string_view keyword;
    double eventsPerSecond; ///< per processor
    double bytes;           ///< of one event, headers and alignment included, without its stack
    std::string_view stack; ///< name of the stack that its events can carry, empty where none is usual
};

/// Sizes are those of the layouts in etlformat. Rates: SampledProfile is its interval; CSwitch, ReadyThread,
/// ProcessThread and Loader as recorded of desktops and build machines by this program; the others are guesses of the
/// right order, which the machine's own recordings correct.
constexpr KeywordCost kKeywords[] = {
    {"SampledProfile", 1000, 32, "SampledProfile"},
    {"CSwitch", 2500, 48, "CSwitch"},
    {"ReadyThread", 1200, 24, "ReadyThread"},
    {"ProcessThread", 10, 200, "ThreadCreate"},
    {"Loader", 10, 250, "ImageLoad"},
    {"ProcessCounter", 1, 100, ""},
    {"DPC", 800, 40, "DpcExecute"},
    {"Interrupt", 800, 40, ""},
    {"SystemCall", 20000, 24, "SystemCallEnter"},
    {"DiskIO", 50, 72, ""},
    {"DiskIOInit", 50, 32, "DiskReadInit"},
    {"Filename", 20, 160, ""},
    {"FileIO", 600, 72, ""},
    {"FileIOInit", 600, 80, "FileRead"},
    {"FilterIO", 300, 64, ""},
    {"FilterIOInit", 300, 64, "MiniFilterPreOpInit"},
    {"HardFaults", 5, 72, "HardFault"},
    {"AllFaults", 4000, 40, "PagefaultDemandZero"},
    {"VirtualAllocation", 150, 56, "VirtualAllocation"},
    {"VAMap", 20, 200, ""},
    {"Memory", 4000, 40, ""},
    {"MemoryInfo", 2, 120, ""},
    {"MemoryInfoWS", 2, 4000, ""},
    {"ReferenceSet", 4000, 64, "PageAccess"},
    {"Pool", 5000, 56, "PoolAllocation"},
    {"Registry", 400, 90, "RegistryQueryValue"},
    {"NetworkTrace", 150, 72, ""},
    {"Handle", 1500, 40, "HandleCreate"},
    {"Object", 3000, 48, "ObjectReference"},
    {"Power", 30, 40, ""},
    {"IdleStates", 500, 40, ""},
    {"ClockInterrupt", 64, 24, ""},
    {"Timer", 500, 48, ""},
    {"KernelQueue", 500, 40, "KernelQueueEnqueue"},
    {"ThreadPriority", 200, 32, ""},
    {"IdealProcessor", 20, 32, ""},
    {"SpinLock", 2000, 48, ""},
    {"Alpc", 200, 40, ""},
};
constexpr KeywordCost kOtherKeyword{"", 20, 64, ""};
constexpr double kStackBytes = 176;       // 16 frames
constexpr double kProviderEvents = 60;    // per second and session, of a provider with chosen keywords
constexpr double kEverythingEvents = 250; // of one with all its events
constexpr double kProviderBytes = 160;
/// Of one event from the kernel to the file, as engine_bench and recording_bench measured it.
constexpr double kSecondsPerEvent = 2.5e-6;
constexpr double kSecondsPerStack = 1.5e-6;

constexpr unsigned kLongestMemory = 8; // recordings that a mean is made of
constexpr std::string_view kFirstLine = "tracedeck costs 1";

double mean(double old, unsigned count, double value) {
    const double weight = 1.0 / std::min(count + 1, kLongestMemory);
    return old + (value - old) * weight;
}

bool hasStack(const PlannedSession& session, std::string_view stack) {
    return !stack.empty() && std::find(session.stacks.begin(), session.stacks.end(), stack) != session.stacks.end();
}

struct Sum {
    double events = 0;
    double stacks = 0;
    double bytes = 0;

    void add(double count, double size, bool isWithStack) {
        events += count;
        bytes += count * size;
        if (isWithStack) {
            stacks += count;
            bytes += count * kStackBytes;
        }
    }
};

Sum tableOf(const RecordingPlan& plan, const etw::Capabilities& capabilities) {
    Sum sum;
    const double processors = std::max(capabilities.numberOfProcessors, 1U);
    for (const PlannedSession& session : plan.sessions) {
        for (const std::string& keyword : session.keywords) {
            const auto* known = std::find_if(std::begin(kKeywords), std::end(kKeywords),
                                             [&](const KeywordCost& row) { return row.keyword == keyword; });
            const KeywordCost& cost = known == std::end(kKeywords) ? kOtherKeyword : *known;
            sum.add(cost.eventsPerSecond * processors, cost.bytes, hasStack(session, cost.stack));
        }
        for (const etw::ProviderConfig& provider : session.providers) {
            if (provider.provider != guidFromProviderName(kOwnProviderName) && !provider.isCaptureOnly) {
                sum.add(provider.matchAnyKeyword == 0 ? kEverythingEvents : kProviderEvents, kProviderBytes,
                        provider.captureStack);
            }
        }
    }
    return sum;
}

std::string keyOf(const RecordingPlan& plan) {
    std::vector<std::string> names;
    for (const std::string& profile : plan.profiles) {
        // In a file or in memory the same is produced.
        names.push_back(profile.substr(0, profile.rfind('.')));
    }
    std::sort(names.begin(), names.end());
    std::string key;
    for (const std::string& name : names) {
        key += (key.empty() ? "" : "+") + name;
    }
    return key;
}

/// The next cell of a line of cells with tabs between them.
std::string_view cell(std::string_view& line) {
    const std::size_t end = std::min(line.find('\t'), line.size());
    const std::string_view text = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    return text;
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const bool isWhole = error == std::errc() && end == text.data() + text.size();
    return isWhole ? std::optional(value) : std::nullopt;
}

/// With a point, whatever the locale.
std::string text(double value) {
    std::array<char, 32> buffer{};
    const auto [end, error] =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::general, 6);
    return {buffer.data(), error == std::errc() ? end : buffer.data()};
}

} // namespace

std::vector<std::pair<std::string_view, std::string_view>> costTableNames() {
    std::vector<std::pair<std::string_view, std::string_view>> names;
    for (const KeywordCost& row : kKeywords) {
        names.emplace_back(row.keyword, row.stack);
    }
    return names;
}

CostHistory CostHistory::fromText(std::string_view content) {
    CostHistory history;
    bool isFirst = true;
    while (!content.empty()) {
        const std::size_t end = std::min(content.find('\n'), content.size());
        std::string_view line = content.substr(0, end);
        content.remove_prefix(std::min(end + 1, content.size()));
        if (isFirst && line != kFirstLine) {
            return history;
        }
        if (std::exchange(isFirst, false)) {
            continue;
        }
        const std::string key(cell(line));
        const auto value = number<double>(cell(line));
        const auto count = number<unsigned>(cell(line));
        if (!value || !count || !std::isfinite(*value) || *value <= 0 || *count == 0) {
            continue;
        }
        if (key.empty()) { // all profiles together
            history.m_factor = *value;
            history.m_recordings = *count;
        } else {
            history.m_entries[key] = {*value, *count};
        }
    }
    return history;
}

std::string CostHistory::toText() const {
    std::string result = std::string(kFirstLine) + "\n";
    if (m_recordings > 0) {
        result += "\t" + text(m_factor) + "\t" + std::to_string(m_recordings) + "\n";
    }
    for (const auto& [key, entry] : m_entries) {
        result += key + "\t" + text(entry.bytesPerSecond) + "\t" + std::to_string(entry.recordings) + "\n";
    }
    return result;
}

void CostHistory::add(const RecordingPlan& plan, const etw::Capabilities& capabilities, double bytesPerSecond) {
    const double expected = tableOf(plan, capabilities).bytes;
    if (!std::isfinite(bytesPerSecond) || bytesPerSecond <= 0 || expected <= 0) {
        return;
    }
    Entry& entry = m_entries[keyOf(plan)];
    entry.bytesPerSecond = mean(entry.bytesPerSecond, entry.recordings, bytesPerSecond);
    entry.recordings = std::min(entry.recordings + 1, kLongestMemory);
    // Twice as much and half as much make up for each other.
    m_factor = std::exp(mean(std::log(m_factor), m_recordings, std::log(bytesPerSecond / expected)));
    m_recordings = std::min(m_recordings + 1, kLongestMemory);
}

std::optional<double> CostHistory::measured(const RecordingPlan& plan) const {
    const auto entry = m_entries.find(keyOf(plan));
    return entry == m_entries.end() ? std::nullopt : std::optional(entry->second.bytesPerSecond);
}

Cost estimate(const RecordingPlan& plan, const etw::Capabilities& capabilities, const CostHistory& history) {
    const Sum table = tableOf(plan, capabilities);
    const std::optional<double> measured = history.measured(plan);
    const double expected = table.bytes * history.factor();
    Cost cost;
    cost.memory = plan.bufferMemory();
    cost.isMeasured = measured.has_value();
    cost.bytesPerSecond = measured.value_or(expected);
    const double scale = table.bytes > 0 ? cost.bytesPerSecond / table.bytes : 1;
    cost.processors = (table.events * kSecondsPerEvent + table.stacks * kSecondsPerStack) * scale;
    if (plan.mode == LoggingMode::Memory && cost.bytesPerSecond > 0) {
        cost.held = std::chrono::duration<double>(static_cast<double>(cost.memory.count) / cost.bytesPerSecond);
    }
    return cost;
}

} // namespace tracedeck::plan

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sources/linux/interrupt_activity.h"

#include <array>

namespace tracedeck::linux_source {
namespace {

namespace group = etlformat::group;
namespace hook = etlformat::hook;
namespace version = etlformat::event_version;

enum Point : std::size_t { kEntry, kExit };

/// What runs on each processor: work that interrupts other work of its kind lies on top.
class Running {
public:
    void enter(const Record& record, std::uint32_t number) noexcept {
        if (record.processor >= kMostProcessors) {
            return;
        }
        Stack& stack = m_stacks[record.processor];
        if (stack.count == stack.entries.size()) { // exits were lost
            stack.count = 0;
        }
        stack.entries[stack.count++] = {number, record.time};
    }
    /// When it began; nothing where that was not seen.
    std::optional<Ticks> leave(const Record& record, std::uint32_t number) noexcept {
        if (record.processor >= kMostProcessors) {
            return std::nullopt;
        }
        Stack& stack = m_stacks[record.processor];
        while (stack.count > 0) {
            const Entry entry = stack.entries[--stack.count];
            if (entry.number == number) {
                return entry.begin;
            }
        }
        return std::nullopt;
    }
    void clear() noexcept {
        for (Stack& stack : m_stacks) {
            stack.count = 0;
        }
    }

private:
    static constexpr std::size_t kMostProcessors = 4096;
    struct Entry {
        std::uint32_t number = 0;
        Ticks begin = 0;
    };
    struct Stack {
        std::array<Entry, 4> entries;
        std::size_t count = 0;
    };
    std::vector<Stack> m_stacks{kMostProcessors};
};

class InterruptActivity final : public Activity {
public:
    InterruptActivity(Formats formats, ActivitySink& sink)
        : m_sink(sink), m_number{*formats[kEntry]->integer("irq"), *formats[kExit]->integer("irq")},
          m_result(*formats[kExit]->integer("ret")) {}

    void translate(const Record& record, const SampleBody& sample, std::size_t point) noexcept override {
        const auto number = static_cast<std::uint32_t>(m_number[point].read(sample.raw));
        if (point == kEntry) {
            m_running.enter(record, number);
        } else if (const auto begin = m_running.leave(record, number)) {
            etlformat::IsrPayload payload;
            payload.initialTime = *begin;
            payload.returnValue = m_result.read(sample.raw) != 0 ? 1 : 0;
            payload.vector = static_cast<std::uint16_t>(number);
            m_sink.output().perfinfo(record.processor, record.time, hook::kInterrupt, version::kInterrupt, payload);
        }
    }
    void breakOff() noexcept override { m_running.clear(); }

private:
    ActivitySink& m_sink;
    std::array<TracepointField, 2> m_number;
    TracepointField m_result;
    Running m_running;
};

/// By softirq number (linux/interrupt.h); the last one is the eighth's name before Linux 6.10.
constexpr std::string_view kRoutines[] = {"tasklet_hi_action", "run_timer_softirq",     "net_tx_action",
                                          "net_rx_action",     "blk_done_softirq",      "irq_poll_softirq",
                                          "tasklet_action",    "sched_balance_softirq", "hrtimer_run_softirq",
                                          "rcu_core_si",       "run_rebalance_domains"};
constexpr std::size_t kKinds = 10;
constexpr std::uint32_t kTimers = 1;
constexpr std::size_t kBalance = 7;

class DpcActivity final : public Activity {
public:
    DpcActivity(Formats formats, const ActivityWish& wish, ActivitySink& sink)
        : m_sink(sink), m_number{*formats[kEntry]->integer("vec"), *formats[kExit]->integer("vec")} {
        for (std::size_t i = 0; i < kKinds && wish.functions.size() > kKinds; ++i) {
            m_routines[i] = wish.functions[i];
        }
        if (m_routines[kBalance] == 0 && wish.functions.size() > kKinds) {
            m_routines[kBalance] = wish.functions[kKinds];
        }
    }

    void translate(const Record& record, const SampleBody& sample, std::size_t point) noexcept override {
        const auto number = static_cast<std::uint32_t>(m_number[point].read(sample.raw));
        if (point == kEntry) {
            m_running.enter(record, number);
        } else if (const auto begin = m_running.leave(record, number)) {
            const etlformat::DpcPayload payload{*begin, number < kKinds ? m_routines[number] : 0};
            m_sink.output().perfinfo(record.processor, record.time, number == kTimers ? hook::kTimerDpc : hook::kDpc,
                                     version::kDpc, payload);
        }
    }
    void breakOff() noexcept override { m_running.clear(); }

private:
    ActivitySink& m_sink;
    std::array<TracepointField, 2> m_number;
    std::array<std::uint64_t, kKinds> m_routines{};
    Running m_running;
};

Status checkIntegers(Formats formats, std::initializer_list<std::pair<Point, std::string_view>> needed) {
    for (const auto& [point, name] : needed) {
        if (const auto field = formats[point]->integer(name); !field) {
            return fail(field.error());
        }
    }
    return {};
}

} // namespace

ActivityKind interruptActivityKind() {
    ActivityKind kind;
    kind.name = "interrupts";
    kind.groups = {group::kInterrupt};
    kind.points = {{"irq/irq_handler_entry", true, false}, {"irq/irq_handler_exit", true, false}};
    kind.check = [](Formats formats) {
        return checkIntegers(formats, {{kEntry, "irq"}, {kExit, "irq"}, {kExit, "ret"}});
    };
    kind.make = [](Formats formats, const ActivityWish&, ActivitySink& sink) -> std::unique_ptr<Activity> {
        return std::make_unique<InterruptActivity>(formats, sink);
    };
    return kind;
}

ActivityKind dpcActivityKind() {
    ActivityKind kind;
    kind.name = "deferred work";
    kind.groups = {group::kDpc};
    kind.points = {{"irq/softirq_entry", true, false}, {"irq/softirq_exit", true, false}};
    kind.functions.assign(std::begin(kRoutines), std::end(kRoutines));
    kind.check = [](Formats formats) { return checkIntegers(formats, {{kEntry, "vec"}, {kExit, "vec"}}); };
    kind.make = [](Formats formats, const ActivityWish& wish, ActivitySink& sink) -> std::unique_ptr<Activity> {
        return std::make_unique<DpcActivity>(formats, wish, sink);
    };
    return kind;
}

} // namespace tracedeck::linux_source

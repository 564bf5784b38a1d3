// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sources/linux/activity.h"
#include "tests/unit/linux/memory_sink.h"

#include <cstdint>
#include <vector>

namespace tracedeck::test {

/// Where the events of an activity under test go.
class ActivityBench : public linux_source::ActivitySink {
public:
    linux_source::EventOutput& output() noexcept override { return m_output; }
    linux_source::ProcessTable& table() noexcept override { return m_table; }
    void stack(const linux_source::Record& record, Ticks eventTime,
               std::span<const std::uint64_t> chain) noexcept override {
        m_output.stack(record.processor, eventTime, record.processId, record.threadId, chain);
    }
    [[nodiscard]] std::vector<std::uint16_t> hooks() const {
        std::vector<std::uint16_t> hooks;
        for (const SinkEvent& event : sink.events) {
            hooks.push_back(event.hook);
        }
        return hooks;
    }

    MemorySink sink;

private:
    linux_source::ProcessTable m_table{false};
    linux_source::EventOutput m_output{sink, 2};
};

} // namespace tracedeck::test

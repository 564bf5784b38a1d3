// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/etl/thread_owners.h"

#include "core/etl/kernel_fields.h"
#include "core/etlformat/hooks.h"
#include "core/etlformat/kernel_events.h"

namespace tracedeck::etl {
namespace {

namespace hook = etlformat::hook;

/// WPP messages end their header with thread and process, where they say them.
Actor actorOfMessage(const EventView& view) noexcept {
    constexpr std::uint16_t kSystemInfo = 0x20;
    if ((loadAt<std::uint16_t>(view.data, 6) & kSystemInfo) == 0) {
        return {};
    }
    return {loadAt<std::uint32_t>(view.data, view.headerSize - 4U),
            loadAt<std::uint32_t>(view.data, view.headerSize - 8U)};
}

} // namespace

void ThreadOwners::learn(const EventView& event) {
    if (!event.hasHook() || event.hookId < hook::kThreadStart || event.hookId > hook::kThreadDcEnd ||
        event.payload().size() < 2 * sizeof(std::uint32_t) || loadAt<std::uint8_t>(event.data, 0) == 0) {
        return; // version 0 has the two numbers the other way round, and no file of today
    }
    const auto process = loadAt<std::uint32_t>(event.payload().data(), 0);
    const auto thread = loadAt<std::uint32_t>(event.payload().data(), sizeof(std::uint32_t));
    m_processes[thread] = process;
}

std::uint32_t ThreadOwners::processOf(std::uint32_t threadId) const {
    const auto found = m_processes.find(threadId);
    return found != m_processes.end() ? found->second : Actor::kUnknown;
}

Actor ThreadOwners::actorOf(const OrderedEvent& event) {
    const EventView& view = event.view;
    if (m_running.size() <= event.processor) {
        m_running.resize(event.processor + std::size_t{1});
    }
    Actor& running = m_running[event.processor];
    switch (view.kind) {
    case EventKind::System:
    case EventKind::Compact:
    case EventKind::Full:
    case EventKind::Instance:
    case EventKind::Event:
        learn(view);
        return {loadAt<std::uint32_t>(view.data, 12), loadAt<std::uint32_t>(view.data, 8)};
    case EventKind::Message:
        return actorOfMessage(view);
    case EventKind::Other:
        return {};
    case EventKind::Perfinfo:
        break;
    }
    const auto payload = view.payload();
    if (view.hookId == hook::kCSwitch && payload.size() >= sizeof(std::uint32_t)) {
        const auto thread = loadAt<std::uint32_t>(payload.data(), 0);
        const Actor before = running;
        running = {processOf(thread), thread};
        return before; // the switch is the doing of the thread that goes
    }
    if (view.hookId == hook::kSampledProfile && payload.size() >= sizeof(etlformat::SampledProfilePayload) &&
        !isNarrow(view)) {
        const auto thread = loadAt<etlformat::SampledProfilePayload>(payload.data(), 0).threadId;
        return {thread == running.threadId ? running.processId : processOf(thread), thread};
    }
    if (view.hookId == hook::kStackWalk && payload.size() >= sizeof(etlformat::StackWalkPayload)) {
        const auto stack = loadAt<etlformat::StackWalkPayload>(payload.data(), 0);
        return {stack.stackProcess, stack.stackThread};
    }
    learn(view);
    return running;
}

} // namespace tracedeck::etl

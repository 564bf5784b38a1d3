// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/builtin.h"

namespace tracedeck::profile {

namespace {

enum class Unit { Count, Percent };

Collector collector(Collector::Kind kind, std::string id, double buffers, Unit unit) {
    Collector result;
    result.kind = kind;
    result.id = std::move(id);
    result.name = kind == Collector::Kind::System ? "WPR System Collector"
                  : kind == Collector::Kind::Heap ? "WPR Heap Collector"
                                                  : "WPR Event Collector";
    result.buffers.bufferSizeKib = Quantity{Operation::Set, 1024, {}};
    result.buffers.buffers = Buffers{Operation::Set, buffers, unit == Unit::Percent, std::nullopt, {}};
    return result;
}

} // namespace

const Document& builtinDefinitions() {
    // A constant table; it is built on first use because it holds strings.
    static const Document kDefinitions = [] {
        using enum Collector::Kind;
        Document document;
        document.path = "built-in";
        document.collectors = {
            collector(System, "SystemCollector_WPRSystemCollectorInFile", 20, Unit::Count),
            collector(System, "SystemCollector_WPRSystemCollectorInFileLarge", 64, Unit::Count),
            collector(System, "SystemCollector_WPRSystemCollectorInMemory", 5, Unit::Percent),
            collector(Event, "EventCollector_WPREventCollectorInFile", 20, Unit::Count),
            collector(Heap, "HeapCollector_WPRHeapCollector", 64, Unit::Count),
            collector(Event, "EventCollector_WPREventCollectorInFileLarge", 64, Unit::Count),
            collector(Event, "EventCollector_WPREventCollectorInMemoryMedium", 3, Unit::Percent),
            collector(Event, "EventCollector_WPREventCollectorInMemoryLarge", 5, Unit::Percent),
        };
        document.collectors[1].buffers.stackCaching = StackCaching{100, 1024};
        return document;
    }();
    return kDefinitions;
}

} // namespace tracedeck::profile

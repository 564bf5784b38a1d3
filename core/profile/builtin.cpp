// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/builtin.h"

#include "core/profile/reader.h"
#include "core/profile/text.h"

#include <pugixml.hpp>

#include <cassert>
#include <iterator>
#include <string_view>
#include <utility>

namespace tracedeck::profile {

namespace {

#include "builtin_profiles.inc" // kProfileTexts

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

std::vector<Collector> collectors() {
    using enum Collector::Kind;
    std::vector<Collector> result = {
        collector(System, "SystemCollector_WPRSystemCollectorInFile", 20, Unit::Count),
        collector(System, "SystemCollector_WPRSystemCollectorInFileLarge", 64, Unit::Count),
        collector(System, "SystemCollector_WPRSystemCollectorInMemory", 5, Unit::Percent),
        collector(Event, "EventCollector_WPREventCollectorInFile", 20, Unit::Count),
        collector(Heap, "HeapCollector_WPRHeapCollector", 64, Unit::Count),
        collector(Event, "EventCollector_WPREventCollectorInFileLarge", 64, Unit::Count),
        collector(Event, "EventCollector_WPREventCollectorInMemoryMedium", 3, Unit::Percent),
        collector(Event, "EventCollector_WPREventCollectorInMemoryLarge", 5, Unit::Percent),
    };
    result[1].buffers.stackCaching = StackCaching{100, 1024};
    return result;
}

SystemProvider baseProvider() {
    SystemProvider provider;
    provider.id = "SystemProvider_Base";
    ItemList keywords;
    for (const char* keyword : {"ProcessThread", "Loader"}) {
        keywords.items.push_back({keyword, false, std::nullopt, {}});
    }
    provider.keywords.push_back(std::move(keywords));
    return provider;
}

template <class Definition>
void append(std::vector<Definition>& to, std::vector<Definition>&& from) {
    to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

/// Without parse(), whose checks look up what is built in; a test checks the files.
void addProfiles(Document& document, std::string_view text) {
    pugi::xml_document xml;
    const pugi::xml_parse_result loaded = xml.load_buffer(text.data(), text.size(), pugi::parse_default);
    assert(loaded);
    if (!loaded) {
        return;
    }
    const Places places(text);
    Document own = readDocument(xml, places);
    append(document.collectors, std::move(own.collectors));
    append(document.systemProviders, std::move(own.systemProviders));
    append(document.eventProviders, std::move(own.eventProviders));
    append(document.heapProviders, std::move(own.heapProviders));
    append(document.hardwareCounters, std::move(own.hardwareCounters));
    append(document.microArchitecturalConfigs, std::move(own.microArchitecturalConfigs));
    append(document.profiles, std::move(own.profiles));
    append(document.mergeProperties, std::move(own.mergeProperties));
}

} // namespace

const Document& builtinDefinitions() {
    // A constant table; it is built on first use because it holds strings.
    static const Document kDefinitions = [] {
        Document document;
        document.path = "built-in";
        document.collectors = collectors();
        document.systemProviders.push_back(baseProvider());
        for (const std::string_view text : kProfileTexts) {
            addProfiles(document, text);
        }
        return document;
    }();
    return kDefinitions;
}

} // namespace tracedeck::profile

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/reader.h"

#include "core/profile/validator.h"
#include "core/profile/values.h"

namespace tracedeck::profile {

namespace {

std::optional<bool> booleanOf(pugi::xml_node node, const char* name) {
    return parseBoolean(node.attribute(name).value()); // an absent attribute has an empty value: no boolean
}

Operation operationOf(pugi::xml_node node, Operation otherwise = Operation::Set) {
    const std::string_view text = node.attribute("Operation").value();
    return text == "Add"      ? Operation::Add
           : text == "Remove" ? Operation::Remove
           : text.empty()     ? otherwise
                              : Operation::Set;
}

class Reader {
public:
    explicit Reader(const Places& places) : m_places(places) {}

    Document document(const pugi::xml_document& xml) const {
        const pugi::xml_node root = xml.document_element();
        Document result;
        result.author = root.attribute("Author").value();
        result.comments = root.attribute("Comments").value();
        for (const pugi::xml_node node : root.child("Profiles").children()) {
            const std::string_view name = node.name();
            if (name == "SystemCollector" || name == "EventCollector") {
                result.collectors.push_back(collector(node));
            } else if (name == "SystemProvider") {
                result.systemProviders.push_back(systemProvider(node));
            } else if (name == "EventProvider") {
                result.eventProviders.push_back(eventProvider(node));
            } else if (name == "Profile") {
                result.profiles.push_back(profile(node));
            }
        }
        return result;
    }

private:
    Place place(pugi::xml_node node) const { return placeOf(node, m_places); }

    ItemList items(pugi::xml_node node) const {
        ItemList list;
        list.operation = operationOf(node);
        list.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            if (child.type() == pugi::node_element) {
                const bool isCustom = std::string_view(child.name()).starts_with("Custom");
                list.items.push_back(
                    {child.attribute("Value").value(), isCustom, booleanOf(child, "Strict"), place(child)});
            }
        }
        return list;
    }

    Quantity quantity(pugi::xml_node node) const {
        return {operationOf(node), parseDecimal(node.attribute("Value").value()).value_or(0), place(node)};
    }

    BufferSettings bufferSettings(pugi::xml_node node) const {
        BufferSettings settings;
        if (const pugi::xml_node size = node.child("BufferSize")) {
            settings.bufferSizeKib = quantity(size);
        }
        if (const pugi::xml_node buffers = node.child("Buffers")) {
            const Quantity count = quantity(buffers);
            settings.buffers = Buffers{
                .operation = count.operation,
                .value = count.value,
                .isPercentageOfTotalMemory = booleanOf(buffers, "PercentageOfTotalMemory").value_or(false),
                .maximumBufferSpaceMib = parseUnsigned(buffers.attribute("MaximumBufferSpace").value(), UINT32_MAX),
                .place = count.place};
        }
        if (const pugi::xml_node size = node.child("MaximumFileSize")) {
            settings.maximumFileSizeMib = quantity(size);
            settings.isMaximumFileSizeCircular = std::string_view(size.attribute("FileMode").value()) != "Sequential";
        }
        return settings;
    }

    Collector collector(pugi::xml_node node) const {
        Collector result;
        result.kind =
            std::string_view(node.name()) == "SystemCollector" ? Collector::Kind::System : Collector::Kind::Event;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.buffers = bufferSettings(node);
        result.place = place(node);
        return result;
    }

    /// Of a definition, or the overrides of a reference (no id then).
    SystemProvider systemProvider(pugi::xml_node node) const {
        SystemProvider result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            const std::string_view name = child.name();
            if (name == "Keywords") {
                result.keywords.push_back(items(child));
            } else if (name == "Stacks") {
                result.stacks.push_back(items(child));
            }
        }
        return result;
    }

    EventProvider eventProvider(pugi::xml_node node) const {
        EventProvider result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.nonPagedMemory = booleanOf(node, "NonPagedMemory");
        result.stack = booleanOf(node, "Stack");
        if (const auto level = parseUnsigned(node.attribute("Level").value(), 255)) {
            result.level = static_cast<std::uint8_t>(*level);
        }
        result.captureStateOnly = booleanOf(node, "CaptureStateOnly");
        result.strict = booleanOf(node, "Strict");
        result.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            const std::string_view name = child.name();
            if (name == "Keywords") {
                result.keywords.push_back(items(child));
            } else if (name == "CaptureStateOnStart") {
                result.captureStateOnStart.push_back(items(child));
            } else if (name == "CaptureStateOnSave") {
                result.captureStateOnSave.push_back(items(child));
            }
        }
        return result;
    }

    SystemProviderRef systemProviderRef(pugi::xml_node node) const {
        SystemProvider provider = systemProvider(node);
        SystemProviderRef reference{node.attribute("Value").value(), std::nullopt, place(node)};
        if (!provider.id.empty()) {
            reference.value = provider.id;
        }
        if (!provider.id.empty() || !provider.keywords.empty() || !provider.stacks.empty()) {
            reference.inPlace = std::move(provider);
        }
        return reference;
    }

    EventProviderRef eventProviderRef(pugi::xml_node node) const {
        EventProvider provider = eventProvider(node);
        EventProviderRef reference{node.attribute("Value").value(), std::nullopt, place(node)};
        if (!provider.id.empty()) {
            reference.value = provider.id;
        }
        const bool hasOverrides =
            !provider.keywords.empty() || !provider.captureStateOnStart.empty() || !provider.captureStateOnSave.empty();
        if (!provider.id.empty() || hasOverrides) {
            reference.inPlace = std::move(provider);
        }
        return reference;
    }

    CollectorRef collectorRef(pugi::xml_node node, Operation outer) const {
        CollectorRef result;
        result.kind =
            std::string_view(node.name()) == "SystemCollectorId" ? Collector::Kind::System : Collector::Kind::Event;
        result.value = node.attribute("Value").value();
        result.buffers = bufferSettings(node);
        result.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            const std::string_view name = child.name();
            if (name == "SystemProviderId" || name == "SystemProvider") {
                result.systemProviders.push_back(systemProviderRef(child));
            } else if (name == "EventProviders") {
                EventProviderList list{operationOf(child, outer), {}};
                for (const pugi::xml_node provider : child.children()) {
                    if (provider.type() == pugi::node_element) {
                        list.providers.push_back(eventProviderRef(provider));
                    }
                }
                result.eventProviders.push_back(std::move(list));
            }
        }
        return result;
    }

    Profile profile(pugi::xml_node node) const {
        Profile result;
        result.id = node.attribute("Id").value();
        result.base = node.attribute("Base").value();
        result.name = node.attribute("Name").value();
        result.description = node.attribute("Description").value();
        result.loggingMode = std::string_view(node.attribute("LoggingMode").value()) == "Memory" ? LoggingMode::Memory
                                                                                                 : LoggingMode::File;
        result.detailLevel = std::string_view(node.attribute("DetailLevel").value()) == "Light" ? DetailLevel::Light
                                                                                                : DetailLevel::Verbose;
        result.isInternal = booleanOf(node, "Internal").value_or(false);
        result.isDefault = booleanOf(node, "Default").value_or(false);
        result.strict = booleanOf(node, "Strict");
        result.place = place(node);
        for (const pugi::xml_node child : node.children()) {
            const std::string_view name = child.name();
            if (name == "ProblemCategories") {
                for (const pugi::xml_node category : child.children("ProblemCategory")) {
                    result.problemCategories.emplace_back(category.attribute("Value").value());
                }
            } else if (name == "Collectors") {
                CollectorList list{operationOf(child), {}};
                for (const pugi::xml_node collectorNode : child.children()) {
                    const std::string_view kind = collectorNode.name();
                    if (kind == "SystemCollectorId" || kind == "EventCollectorId") {
                        list.collectors.push_back(collectorRef(collectorNode, list.operation));
                    }
                }
                result.collectors.push_back(std::move(list));
            }
        }
        return result;
    }

    const Places& m_places;
};

} // namespace

Document readDocument(const pugi::xml_document& xml, const Places& places) {
    return Reader(places).document(xml);
}

} // namespace tracedeck::profile

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/validator.h"

#include "core/profile/builtin.h"
#include "core/profile/schema.h"
#include "core/profile/system_keywords.h"
#include "core/profile/values.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>

namespace tracedeck::profile {

namespace {

using schema::Attribute;
using schema::Child;
using schema::Element;
using schema::Kind;
using schema::Rule;
using Severity = Problem::Severity;

std::string quoted(std::string_view text) {
    constexpr std::size_t kLongest = 100;
    const bool isLong = text.size() > kLongest;
    std::size_t end = isLong ? kLongest : text.size();
    while (isLong && end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end; // not in the middle of a character
    }
    return "'" + std::string(text.substr(0, end)) + (isLong ? "…'" : "'");
}

template <class Words>
std::string joined(const Words& words) {
    std::string text;
    for (const std::string_view word : words) {
        text += text.empty() ? "" : ", ";
        text += word;
    }
    return text;
}

template <class Table>
std::vector<std::string_view> namesOf(const Table& table) {
    std::vector<std::string_view> names;
    for (const auto& entry : table) {
        names.push_back(entry.name);
    }
    return names;
}

std::string withArticle(std::string_view element) {
    const bool isVowel = !element.empty() && std::string_view("AEIOU").find(element.front()) != std::string_view::npos;
    return (isVowel ? "an " : "a ") + std::string(element);
}

/// "; did you mean 'X'?" and, where nothing is near, what is allowed: all of it, or the nearest of a long list.
std::string suggestion(std::string_view word, std::span<const std::string_view> known) {
    constexpr std::size_t kShortList = 14;
    constexpr std::size_t kNearest = 3;
    if (const std::string_view near = nearest(word, known); !near.empty()) {
        return "; did you mean " + quoted(near) + "?";
    }
    if (known.empty()) {
        return {};
    }
    if (known.size() <= kShortList) {
        return "; allowed: " + joined(known);
    }
    return "; " + std::to_string(known.size()) + " are allowed, the nearest are " +
           joined(nearestOnes(word, known, kNearest));
}

/// The elements that define something that others refer to: by Base on an element of that name, and by Value on one
/// whose name has Id behind it.
constexpr std::array<std::string_view, 11> kDefining{
    "SystemCollector",          "EventCollector", "HeapEventCollector", "HypervisorEventCollector",
    "SystemProvider",           "EventProvider",  "HeapEventProvider",  "HardwareCounter",
    "MicroArchitecturalConfig", "Profile",        "TraceMergeProperty"};

std::string_view elementOf(Collector::Kind kind) {
    switch (kind) {
    case Collector::Kind::System:
        return "SystemCollector";
    case Collector::Kind::Event:
        return "EventCollector";
    case Collector::Kind::Heap:
        return "HeapEventCollector";
    case Collector::Kind::Hypervisor:
        return "HypervisorEventCollector";
    }
    return {};
}

std::string oneOf(std::string_view value, std::span<const std::string_view> words, std::string_view what) {
    return std::find(words.begin(), words.end(), value) != words.end()
               ? std::string()
               : quoted(value) + " is no " + std::string(what) + suggestion(value, words);
}

/// Empty, or what is wrong with the value.
std::string complaint(const Attribute& attribute, std::string_view value) {
    const auto unless = [&](bool isRight, std::string_view expected) {
        return isRight ? std::string() : quoted(value) + ": expected " + std::string(expected);
    };
    switch (attribute.kind) {
    case Kind::Text:
        return {};
    case Kind::NonEmptyText:
        return unless(!value.empty(), "a value that is not empty");
    case Kind::Id:
        return unless(isId(value), "at least one character, no blank and no colon");
    case Kind::Boolean:
        return unless(parseBoolean(value).has_value(), "true or false");
    case Kind::Float:
    case Kind::Decimal:
        return unless(parseDecimal(value).has_value(), "a number");
    case Kind::Byte:
        return unless(parseUnsigned(value, 255).has_value(), "a number from 0 to 255");
    case Kind::Count:
        return unless(parseUnsigned(value, UINT32_MAX).has_value(), "a whole number up to 4294967295");
    case Kind::PositiveCount:
        return unless(parseUnsigned(value, 65535).value_or(0) >= 1, "a whole number from 1 to 65535");
    case Kind::Seconds:
        return unless(parseUnsigned(value, 3600).value_or(0) >= 1, "a whole number of seconds from 1 to 3600");
    case Kind::EventId:
        return unless(parseEventId(value).has_value(), "an event id from 0 to 65535");
    case Kind::Hex32:
        return unless(parseHex(value, 8, HexPrefix::Required).has_value(), "0x and 1 to 8 hexadecimal digits");
    case Kind::EventKeyword:
        return unless(parseEventKeyword(value).has_value(), "0x and 1 to 16 hexadecimal digits");
    case Kind::PoolTag:
        return unless(!value.empty() && value.size() <= 4, "a pool tag of 1 to 4 characters");
    case Kind::TransitionTag:
        return unless(value.find_first_of("\\/:*?|>\"\f") == std::string_view::npos, "a part of a file name");
    case Kind::Enumeration:
        return oneOf(value, attribute.words, "value of " + std::string(attribute.name));
    case Kind::SystemKeyword:
        return findSystemKeyword(value) != nullptr ? std::string()
                                                   : oneOf(value, namesOf(systemKeywords()), "system keyword");
    case Kind::SystemStack:
        return findSystemStack(value) != nullptr ? std::string()
                                                 : oneOf(value, namesOf(systemStacks()), "system stack");
    }
    return {};
}

class Validator {
public:
    explicit Validator(ProblemList& problems) : m_problems(problems) {}

    void run(const pugi::xml_document& xml) {
        const pugi::xml_node root = xml.document_element();
        const Element& rule = schema::root();
        if (root.name() != rule.name) {
            m_problems.add(Severity::Error, root, {},
                           "the root element is <" + std::string(root.name()) + ">, a profile begins with <" +
                               std::string(rule.name) + ">");
            return;
        }
        check(root, rule, {});
        checkUniqueIds(root);
        checkReferences(root);
    }

private:
    void check(pugi::xml_node node, const Element& rule, const std::string& outerId) {
        if (m_problems.isFull()) {
            return;
        }
        const pugi::xml_attribute ownId = node.attribute("Id");
        const std::string id = ownId ? ownId.value() : outerId;
        checkAttributes(node, rule, id);
        checkChildren(node, rule, id);
        checkRule(node, rule, id);
    }

    void checkAttributes(pugi::xml_node node, const Element& rule, const std::string& id) {
        for (const pugi::xml_attribute attribute : node.attributes()) {
            const std::string_view name = attribute.name();
            const auto known = std::find_if(rule.attributes.begin(), rule.attributes.end(),
                                            [name](const Attribute& candidate) { return candidate.name == name; });
            if (known != rule.attributes.end()) {
                checkValue(node, *known, attribute.value(), id);
            } else if (name == "xmlns") {
                m_problems.add(Severity::Error, node, id, "a profile's elements are in no namespace; remove xmlns");
            } else if (!name.starts_with("xmlns:") && !name.starts_with("xsi:")) {
                const std::vector<std::string_view> names = namesOf(rule.attributes);
                m_problems.add(Severity::Error, node, id,
                               "attribute " + quoted(name) + " is not allowed on " + std::string(rule.name) +
                                   suggestion(name, names));
            }
        }
        for (const Attribute& attribute : rule.attributes) {
            if (attribute.isRequired && !node.attribute(std::string(attribute.name).c_str())) {
                m_problems.add(Severity::Error, node, id,
                               std::string(rule.name) + " lacks its attribute " + quoted(attribute.name));
            }
        }
    }

    void checkValue(pugi::xml_node node, const Attribute& attribute, std::string_view value, const std::string& id) {
        if (const std::string wrong = complaint(attribute, value); !wrong.empty()) {
            m_problems.add(Severity::Error, node, id, std::string(attribute.name) + ": " + wrong);
        } else if (attribute.kind == Kind::EventKeyword && !value.starts_with("0x") && !value.starts_with("0X")) {
            m_problems.add(Severity::Warning, node, id,
                           std::string(attribute.name) + ": " + quoted(value) +
                               " has no 0x and is read as hexadecimal");
        }
    }

    void checkChildren(pugi::xml_node node, const Element& rule, const std::string& id) {
        std::vector<std::size_t> counts(rule.children.size());
        std::size_t furthest = 0;
        for (const pugi::xml_node child : node.children()) {
            if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
                m_problems.add(Severity::Error, node, id, "text is not allowed inside " + std::string(rule.name));
                continue;
            }
            if (child.type() != pugi::node_element) {
                continue;
            }
            const std::string_view name = child.name();
            const auto known = std::find_if(rule.children.begin(), rule.children.end(),
                                            [name](const Child& candidate) { return candidate.element->name == name; });
            if (known == rule.children.end()) {
                reportUnknownChild(child, rule, id);
                continue;
            }
            const auto index = static_cast<std::size_t>(known - rule.children.begin());
            if (!known->isFloating && index < furthest) {
                m_problems.add(Severity::Error, child, id,
                               std::string(name) + " must stand before " +
                                   std::string(rule.children[furthest].element->name) + " in " +
                                   std::string(rule.name));
            } else if (!known->isFloating) {
                furthest = index;
            }
            if (++counts[index] == std::size_t{known->maximum} + 1 && known->maximum != schema::kMany) {
                m_problems.add(Severity::Error, child, id,
                               std::string(rule.name) + " holds at most " + std::to_string(known->maximum) + " " +
                                   std::string(name));
            }
            check(child, *known->element, id);
        }
        for (std::size_t i = 0; i < counts.size(); ++i) {
            if (counts[i] < rule.children[i].minimum) {
                m_problems.add(Severity::Error, node, id,
                               std::string(rule.name) + " lacks its element <" +
                                   std::string(rule.children[i].element->name) + ">");
            }
        }
    }

    void reportUnknownChild(pugi::xml_node child, const Element& rule, const std::string& outerId) {
        std::vector<std::string_view> names;
        for (const Child& candidate : rule.children) {
            names.push_back(candidate.element->name);
        }
        const pugi::xml_attribute ownId = child.attribute("Id");
        m_problems.add(Severity::Error, child, ownId ? ownId.value() : outerId,
                       "element " + quoted(child.name()) + " is not allowed in " + std::string(rule.name) +
                           suggestion(child.name(), names));
    }

    void checkRule(pugi::xml_node node, const Element& rule, const std::string& id) {
        if (rule.rule == Rule::ProfileId) {
            checkProfileId(node, id);
        }
        if (rule.rule == Rule::OneChildAtLeast || rule.rule == Rule::DistinctValues) {
            if (std::none_of(node.begin(), node.end(),
                             [](pugi::xml_node child) { return child.type() == pugi::node_element; })) {
                m_problems.add(Severity::Error, node, id, std::string(rule.name) + " is empty");
            }
        }
        if (rule.rule == Rule::DistinctValues) {
            std::set<std::string_view> seen;
            for (const pugi::xml_node child : node.children()) {
                const pugi::xml_attribute value = child.attribute("Value");
                if (value && !seen.insert(value.value()).second) {
                    m_problems.add(Severity::Error, child, id,
                                   quoted(value.value()) + " stands twice in this " + std::string(rule.name));
                }
            }
        }
    }

    /// The schema says nothing about it, but WPR finds a variant by its id. Here variants go by their attributes: it is
    /// worth a warning.
    void checkProfileId(pugi::xml_node node, const std::string& id) {
        if (parseBoolean(node.attribute("Internal").value()).value_or(false)) {
            return;
        }
        const std::string expected = std::string(node.attribute("Name").value()) + "." +
                                     node.attribute("DetailLevel").value() + "." +
                                     node.attribute("LoggingMode").value();
        // What is missing or misspelt among the parts has been reported already.
        const std::string_view mode = node.attribute("LoggingMode").value();
        const std::string_view detail = node.attribute("DetailLevel").value();
        const bool hasValidParts = isId(node.attribute("Name").value()) && (mode == "File" || mode == "Memory") &&
                                   (detail == "Light" || detail == "Verbose");
        if (hasValidParts && id != expected) {
            m_problems.add(Severity::Warning, node, id,
                           "Id: " + quoted(id) + " should be Name.DetailLevel.LoggingMode, here " + quoted(expected));
        }
    }

    /// Ids of all definitions (grandchildren of the root) differ from each other.
    void checkUniqueIds(pugi::xml_node root) {
        std::map<std::string_view, pugi::xml_node> seen;
        for (const pugi::xml_node group : root.children()) {
            for (const pugi::xml_node node : group.children()) {
                const pugi::xml_attribute id = node.attribute("Id");
                if (!id) {
                    continue;
                }
                const auto [first, isNew] = seen.emplace(id.value(), node);
                if (!isNew) {
                    m_problems.add(Severity::Error, node, id.value(),
                                   "Id: " + quoted(id.value()) + " is already the id of " +
                                       withArticle(first->second.name()) + " in this file");
                }
            }
        }
    }

    /// Ids by the element that defines them.
    using Definitions = std::map<std::string_view, std::set<std::string_view>>;

    /// A reference that nothing in this file and no built-in answers may still name something of WPR's own, so it is a
    /// warning.
    void checkReferences(pugi::xml_node root) {
        Definitions defined;
        for (const pugi::xml_node node : root.child("Profiles").children()) {
            defined[node.name()].insert(node.attribute("Id").value());
        }
        // They stand beside the profiles, and in them.
        const auto addMerge = [&defined](pugi::xml_node owner) {
            for (const pugi::xml_node list : owner.children("TraceMergeProperties")) {
                for (const pugi::xml_node property : list.children("TraceMergeProperty")) {
                    defined["TraceMergeProperty"].insert(property.attribute("Id").value());
                }
            }
        };
        addMerge(root);
        for (const pugi::xml_node profile : root.child("Profiles").children("Profile")) {
            addMerge(profile);
        }
        addBuiltins(defined);
        checkReferencesBelow(root, defined);
    }

    static void addBuiltins(Definitions& defined) {
        const Document& builtin = builtinDefinitions();
        for (const Collector& collector : builtin.collectors) {
            defined[elementOf(collector.kind)].insert(collector.id);
        }
        const auto add = [&defined](std::string_view element, const auto& definitions) {
            for (const auto& definition : definitions) {
                defined[element].insert(definition.id);
            }
        };
        add("SystemProvider", builtin.systemProviders);
        add("EventProvider", builtin.eventProviders);
        add("HeapEventProvider", builtin.heapProviders);
        add("HardwareCounter", builtin.hardwareCounters);
        add("MicroArchitecturalConfig", builtin.microArchitecturalConfigs);
        add("Profile", builtin.profiles);
        add("TraceMergeProperty", builtin.mergeProperties);
    }

    void checkReferencesBelow(pugi::xml_node parent, const Definitions& defined) {
        for (const pugi::xml_node node : parent.children()) {
            const std::string_view name = node.name();
            for (const std::string_view definition : kDefining) {
                if (name == definition) {
                    checkReference(node, definition, "Base", defined);
                } else if (name.starts_with(definition) && name.substr(definition.size()) == "Id") {
                    checkReference(node, definition, "Value", defined);
                }
            }
            checkReferencesBelow(node, defined);
        }
    }

    void checkReference(pugi::xml_node node, std::string_view definition, const char* attribute,
                        const Definitions& defined) {
        const std::string_view value = node.attribute(attribute).value();
        const auto found = defined.find(definition);
        if (m_problems.isFull() || value.empty() || (found != defined.end() && found->second.contains(value))) {
            return;
        }
        std::string otherKind;
        for (const auto& [element, ids] : defined) {
            if (ids.contains(value)) {
                otherKind = "; it is the id of " + withArticle(element);
            }
        }
        constexpr std::size_t kMostCompared = 1000; // a file with more has been generated: no word is misspelt in it
        std::string_view near;
        if (otherKind.empty() && found != defined.end() && found->second.size() <= kMostCompared) {
            near = nearest(value, std::vector(found->second.begin(), found->second.end()));
        }
        m_problems.add(Severity::Warning, node, node.attribute("Id").value(),
                       std::string(attribute) + ": no " + std::string(definition) + " " + quoted(value) +
                           " in this file or built in" + otherKind +
                           (near.empty() ? "" : "; did you mean " + quoted(near) + "?"));
    }

    ProblemList& m_problems;
};

} // namespace

Place placeOf(pugi::xml_node node, const Places& places) {
    // The offset is that of the name, one behind '<'.
    const std::ptrdiff_t offset = node.offset_debug();
    return offset > 0 ? places.at(static_cast<std::size_t>(offset) - 1) : Place{};
}

void ProblemList::add(Problem::Severity severity, pugi::xml_node node, std::string elementId, std::string message) {
    if (isFull()) {
        return;
    }
    Problem problem;
    problem.severity = severity;
    problem.place = placeOf(node, m_places);
    problem.element = node.name();
    problem.elementId = std::move(elementId);
    problem.message = std::move(message);
    m_hasErrors |= severity == Problem::Severity::Error;
    m_problems.push_back(std::move(problem));
}

std::vector<Problem> ProblemList::take() {
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const Problem& a, const Problem& b) {
        return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
    });
    return std::move(m_problems);
}

void validate(const pugi::xml_document& xml, ProblemList& problems) {
    Validator(problems).run(xml);
}

} // namespace tracedeck::profile

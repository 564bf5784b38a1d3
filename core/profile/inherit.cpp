// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/inherit.h"

#include "core/profile/values.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace tracedeck::profile {

namespace {

double combined(Operation operation, double inherited, double own) {
    return operation == Operation::Add      ? inherited + own
           : operation == Operation::Remove ? std::max(0.0, inherited - own)
                                            : own;
}

std::optional<std::uint64_t> numberOf(const ListItem& item, Values values) {
    if (item.isCustom) {
        return parseHex(item.value, 8, HexPrefix::Required);
    }
    switch (values) {
    case Values::Names:
        break;
    case Values::Keywords:
        return parseEventKeyword(item.value);
    case Values::EventIds:
        return parseEventId(item.value);
    case Values::Processes:
        return parseUnsigned(item.value, UINT32_MAX);
    }
    return std::nullopt;
}

/// The same text for the same item, however it is written; a list of numbers holds no name with '#'.
std::string keyOf(const ListItem& item, Values values) {
    const std::optional<std::uint64_t> number = numberOf(item, values);
    return number ? "#" + std::to_string(*number) : item.value;
}

} // namespace

void unite(std::vector<ListItem>& into, const std::vector<ListItem>& from, Values values) {
    std::unordered_map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < into.size(); ++i) {
        places.emplace(keyOf(into[i], values), i);
    }
    for (const ListItem& item : from) {
        const auto [place, isNew] = places.emplace(keyOf(item, values), into.size());
        if (isNew) {
            into.push_back(item);
        } else if (item.strict.value_or(false)) {
            into[place->second].strict = true;
        }
    }
}

void applyLists(std::vector<ListItem>& inherited, const std::vector<ItemList>& own, Values values) {
    bool isReplaced = false;
    for (const ItemList& list : own) {
        if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
            inherited.clear();
        }
        if (list.operation == Operation::Remove) {
            std::unordered_set<std::string> removed;
            for (const ListItem& item : list.items) {
                removed.insert(keyOf(item, values));
            }
            std::erase_if(inherited, [&](const ListItem& item) { return removed.contains(keyOf(item, values)); });
        } else {
            unite(inherited, list.items, values);
        }
    }
}

void applyQuantity(std::optional<Quantity>& inherited, const std::optional<Quantity>& own) {
    if (own) {
        const double value = combined(own->operation, inherited ? inherited->value : 0, own->value);
        inherited = Quantity{Operation::Set, value, own->place};
    }
}

void applyBuffers(BufferSettings& inherited, const BufferSettings& own) {
    applyQuantity(inherited.bufferSizeKib, own.bufferSizeKib);
    applyQuantity(inherited.buffersPerProcessor, own.buffersPerProcessor);
    applyQuantity(inherited.fileMax, own.fileMax);
    applyQuantity(inherited.flushTimerSeconds, own.flushTimerSeconds);
    applyQuantity(inherited.flushThreshold, own.flushThreshold);
    if (own.stackCaching) {
        inherited.stackCaching = own.stackCaching;
    }
    if (own.maximumFileSizeMib) {
        applyQuantity(inherited.maximumFileSizeMib, own.maximumFileSizeMib);
        inherited.isMaximumFileSizeCircular = own.isMaximumFileSizeCircular;
    }
    if (own.buffers) {
        const bool isSameUnit =
            inherited.buffers && inherited.buffers->isPercentageOfTotalMemory == own.buffers->isPercentageOfTotalMemory;
        const double value = isSameUnit ? combined(own.buffers->operation, inherited.buffers->value, own.buffers->value)
                                        : own.buffers->value;
        inherited.buffers = own.buffers;
        inherited.buffers->operation = Operation::Set;
        inherited.buffers->value = value;
    }
}

std::vector<std::string> categoriesOf(const Profile& profile, const Definitions& definitions) {
    std::vector<const Profile*> chain{&profile};
    while (!chain.back()->base.empty()) {
        const Profile* base = definitions.profile(chain.back()->base);
        if (base == nullptr || std::find(chain.begin(), chain.end(), base) != chain.end()) {
            break;
        }
        chain.push_back(base);
    }
    std::vector<ListItem> items;
    for (auto member = chain.rbegin(); member != chain.rend(); ++member) {
        applyLists(items, (*member)->problemCategories, Values::Names);
    }
    std::vector<std::string> categories;
    categories.reserve(items.size());
    for (ListItem& item : items) {
        categories.push_back(std::move(item.value));
    }
    return categories;
}

} // namespace tracedeck::profile

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/inherit.h"

#include <algorithm>
#include <utility>

namespace tracedeck::profile {

namespace {

double combined(Operation operation, double inherited, double own) {
    return operation == Operation::Add      ? inherited + own
           : operation == Operation::Remove ? std::max(0.0, inherited - own)
                                            : own;
}

} // namespace

void unite(std::vector<ListItem>& into, const std::vector<ListItem>& from) {
    for (const ListItem& item : from) {
        const auto same = std::find_if(into.begin(), into.end(),
                                       [&item](const ListItem& candidate) { return candidate.value == item.value; });
        if (same == into.end()) {
            into.push_back(item);
        } else if (item.strict.value_or(false)) {
            same->strict = true;
        }
    }
}

void applyLists(std::vector<ListItem>& inherited, const std::vector<ItemList>& own) {
    bool isReplaced = false;
    for (const ItemList& list : own) {
        if (list.operation == Operation::Set && !std::exchange(isReplaced, true)) {
            inherited.clear();
        }
        if (list.operation == Operation::Remove) {
            std::erase_if(inherited, [&list](const ListItem& item) {
                return std::any_of(list.items.begin(), list.items.end(),
                                   [&item](const ListItem& removed) { return removed.value == item.value; });
            });
        } else {
            unite(inherited, list.items);
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

std::vector<std::string> categoriesOf(const Profile& profile, const Document& document) {
    std::vector<const Profile*> chain{&profile};
    while (!chain.back()->base.empty()) {
        const Profile* base = document.findProfile(chain.back()->base);
        if (base == nullptr || std::find(chain.begin(), chain.end(), base) != chain.end()) {
            break;
        }
        chain.push_back(base);
    }
    std::vector<ListItem> items;
    for (auto member = chain.rbegin(); member != chain.rend(); ++member) {
        applyLists(items, (*member)->problemCategories);
    }
    std::vector<std::string> categories;
    categories.reserve(items.size());
    for (ListItem& item : items) {
        categories.push_back(std::move(item.value));
    }
    return categories;
}

} // namespace tracedeck::profile

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iterator>
#include <list>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracedeck::plan {

/// Values in the order in which their ids came, each id once. Every operation but take() is of constant cost, so that
/// a file with tens of thousands of objects is planned while a person waits.
template <class Value>
class OrderedById {
public:
    /// Null where there is none. Stays where it is until it is erased.
    [[nodiscard]] Value* find(const std::string& id) {
        const auto at = m_places.find(id);
        return at == m_places.end() ? nullptr : &*at->second;
    }
    /// In the place of the value of this id, or behind all others.
    Value& put(const std::string& id, Value value) {
        if (Value* same = find(id)) {
            *same = std::move(value);
            return *same;
        }
        m_values.push_back(std::move(value));
        m_places.emplace(id, std::prev(m_values.end()));
        return m_values.back();
    }
    void erase(const std::string& id) {
        if (const auto at = m_places.find(id); at != m_places.end()) {
            m_values.erase(at->second);
            m_places.erase(at);
        }
    }
    void clear() {
        m_values.clear();
        m_places.clear();
    }
    [[nodiscard]] std::vector<Value> take() {
        std::vector<Value> values(std::make_move_iterator(m_values.begin()), std::make_move_iterator(m_values.end()));
        clear();
        return values;
    }

private:
    std::list<Value> m_values;
    std::unordered_map<std::string, typename std::list<Value>::iterator> m_places;
};

} // namespace tracedeck::plan

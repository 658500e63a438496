// SPDX-License-Identifier: GPL-3.0-or-later
//
// <map>, <unordered_map>, <set>, <unordered_set>: nodes in a flat list, so that references stay good. Looking up is
// linear; the unordered kinds keep the order of insertion.
#pragma once
#include "kernelarium/std_algorithm.h"
#include "kernelarium/std_vector.h"

namespace kl {
template <class N> class NodeIterator {
public:
    using value_type = N;
    using reference = N&;
    NodeIterator(N* const* at)
        : m_at(at) {}
    N& operator*() const { return **m_at; }
    N* operator->() const { return *m_at; }
    NodeIterator& operator++() {
        ++m_at;
        return *this;
    }
    NodeIterator operator++(int) { return NodeIterator(m_at++); }
    N* const* klAt() const { return m_at; }
    friend bool operator==(const NodeIterator& a, const NodeIterator& b) { return a.m_at == b.m_at; }
    friend bool operator!=(const NodeIterator& a, const NodeIterator& b) { return a.m_at != b.m_at; }

private:
    N* const* m_at;
};

template <class K, class V, bool sorted> class Map {
public:
    using key_type = K;
    using mapped_type = V;
    using value_type = std::pair<const K, V>;
    using iterator = NodeIterator<value_type>;
    using const_iterator = iterator;
    constexpr Map() = default;
    Map(std::initializer_list<value_type> list) {
        for (const value_type& item : list)
            insert(item);
    }
    iterator begin() const { return m_nodes.begin(); }
    iterator end() const { return m_nodes.end(); }
    size_t size() const { return m_nodes.size(); }
    bool empty() const { return m_nodes.empty(); }
    void clear() { m_nodes.clear(); }
    iterator find(const K& key) const {
        value_type* const* at = m_nodes.begin();
        while (at != m_nodes.end() && !((*at)->first == key))
            ++at;
        return at;
    }
    size_t count(const K& key) const { return find(key) != end(); }
    bool contains(const K& key) const { return count(key) != 0; }
    V& operator[](const K& key) {
        iterator at = find(key);
        return at != end() ? at->second : add(value_type(key, V()))->second;
    }
    V& at(const K& key) const {
        iterator found = find(key);
        if (found == end()) outOfRange("map::at");
        return found->second;
    }
    std::pair<iterator, bool> insert(const value_type& item) {
        iterator found = find(item.first);
        if (found != end()) return {found, false};
        add(item);
        return {find(item.first), true};
    }
    template <class... A> std::pair<iterator, bool> emplace(A&&... a) {
        return insert(value_type(std::forward<A>(a)...));
    }
    template <class... A> std::pair<iterator, bool> try_emplace(const K& key, A&&... a) {
        iterator found = find(key);
        if (found != end()) return {found, false};
        add(value_type(key, V(std::forward<A>(a)...)));
        return {find(key), true};
    }
    template <class U> std::pair<iterator, bool> insert_or_assign(const K& key, U&& value) {
        auto placed = try_emplace(key);
        placed.first->second = std::forward<U>(value);
        return placed;
    }
    iterator lower_bound(const K& key) const {
        value_type* const* at = m_nodes.begin();
        while (at != m_nodes.end() && (*at)->first < key)
            ++at;
        return at;
    }
    iterator upper_bound(const K& key) const {
        value_type* const* at = m_nodes.begin();
        while (at != m_nodes.end() && !(key < (*at)->first))
            ++at;
        return at;
    }
    iterator cbegin() const { return begin(); }
    iterator cend() const { return end(); }
    void reserve(size_t) {}
    iterator erase(iterator at) { return m_nodes.erase(at.klAt()); }
    size_t erase(const K& key) {
        iterator found = find(key);
        if (found == end()) return 0;
        m_nodes.erase(found.klAt());
        return 1;
    }

private:
    value_type* add(const value_type& item) {
        value_type* node = make<value_type>(item);
        value_type* const* where = m_nodes.end();
        if constexpr (sorted)
            where = std::find_if(m_nodes.begin(), m_nodes.end(), [&](value_type* n) { return item.first < n->first; });
        m_nodes.insert(where, node);
        return node;
    }
    std::vector<value_type*> m_nodes;
};

template <class K, bool sorted> class Set {
public:
    constexpr Set() = default;
    using key_type = K;
    using value_type = K;
    Set(std::initializer_list<K> list) {
        for (const K& key : list)
            insert(key);
    }
    const K* begin() const { return m_keys.begin(); }
    const K* end() const { return m_keys.end(); }
    size_t size() const { return m_keys.size(); }
    bool empty() const { return m_keys.empty(); }
    const K* find(const K& key) const { return std::find(begin(), end(), key); }
    size_t count(const K& key) const { return find(key) != end(); }
    bool contains(const K& key) const { return count(key) != 0; }
    std::pair<const K*, bool> insert(const K& key) {
        if (const K* found = find(key); found != end()) return {found, false};
        const K* where = end();
        if constexpr (sorted) where = std::find_if(begin(), end(), [&](const K& k) { return key < k; });
        m_keys.insert(where, key);
        return {find(key), true};
    }
    template <class... A> std::pair<const K*, bool> emplace(A&&... a) { return insert(K(std::forward<A>(a)...)); }
    size_t erase(const K& key) {
        const K* found = find(key);
        if (found == end()) return 0;
        m_keys.erase(found);
        return 1;
    }
    const K* erase(const K* at) { return m_keys.erase(at); }
    template <class I, class = typename std::iterator_traits<I>::value_type> void insert(I first, I last) {
        for (; first != last; ++first)
            insert(*first);
    }
    void clear() { m_keys.clear(); }
    auto rbegin() const { return m_keys.rbegin(); }
    auto rend() const { return m_keys.rend(); }

private:
    std::vector<K> m_keys;
};
} // namespace kl

namespace std {
template <class K, class V> class map : public kl::Map<K, V, true> {
public:
    using kl::Map<K, V, true>::Map;
};
template <class K, class V> class unordered_map : public kl::Map<K, V, false> {
public:
    using kl::Map<K, V, false>::Map;
};
template <class K> class set : public kl::Set<K, true> {
public:
    using kl::Set<K, true>::Set;
};
template <class K> class unordered_set : public kl::Set<K, false> {
public:
    using kl::Set<K, false>::Set;
};
} // namespace std

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/values/Places.h"

#include <algorithm>

namespace kernelarium::proof {

Places::Places(const algebra::Graph& graph, const algebra::Tensor& tensor)
    : m_space(algebra::spaceOf(tensor))
    , m_point(m_space.size(), 0) {
    const algebra::Definition& d = *tensor.definition();
    for (const algebra::Read& r : d.reads) {
        Source s;
        for (const algebra::Index& i : r.map)
            s.map.push_back(follow(i));
        for (std::size_t a = 0; a < s.map.size(); ++a)
            s.map[a].extent = graph.at(r.source).extents[a];
        for (const algebra::Constraint& c : r.constraints)
            s.constraints.push_back(follow(c));
        s.extents = graph.at(r.source).extents;
        s.strides.assign(s.extents.size(), 1);
        for (std::size_t a = s.extents.size(); a-- > 1;)
            s.strides[a - 1] = s.strides[a] * s.extents[a];
        m_sources.push_back(std::move(s));
    }
    for (const algebra::Constraint& c : d.domain)
        m_domain.push_back(follow(c));
}

Places::Followed Places::follow(const algebra::Index& index) const {
    Followed f{&index};
    for (const algebra::Term& t : index.terms) {
        f.lastAxis = std::max(f.lastAxis, std::size_t(t.axis));
        if (std::size_t(t.axis) + 1 == m_space.size()) {
            f.isPlain = f.isPlain && t.isPlain();
            f.step += t.factor;
        }
    }
    return f;
}

void Places::place(Followed& f) const {
    f.numerator = f.index->offset;
    for (const algebra::Term& t : f.index->terms) {
        std::int64_t v = m_point[std::size_t(t.axis)] / t.divisor;
        if (t.modulus > 0) v %= t.modulus;
        f.numerator += t.factor * v;
    }
}

void Places::step(Followed& f) const {
    if (f.isPlain)
        f.numerator += f.step;
    else
        place(f);
}

void Places::placeAll() {
    for (Source& s : m_sources) {
        for (Followed& f : s.map)
            place(f);
        for (Followed& f : s.constraints)
            place(f);
    }
    for (Followed& f : m_domain)
        place(f);
}

bool Places::start() {
    m_point.assign(m_space.size(), 0);
    m_number = 0;
    if (algebra::pointCount(m_space) == 0) return false;
    placeAll();
    return true;
}

bool Places::isOutside(const Followed& f) {
    const std::int64_t divisor = f.index->divisor;
    if (f.numerator < 0 || (divisor != 1 && f.numerator % divisor != 0)) return true;
    return f.extent > 0 && f.numerator / divisor >= f.extent;
}

std::optional<std::size_t> Places::outsideFrom() const {
    std::optional<std::size_t> first;
    for (const Source& s : m_sources)
        for (const auto* list : {&s.map, &s.constraints})
            for (const Followed& f : *list)
                if ((!first || f.lastAxis < *first) && isOutside(f)) first = f.lastAxis;
    return first;
}

bool Places::nextAfter(std::size_t axis) {
    std::int64_t inner = 1;
    for (std::size_t a = axis + 1; a < m_space.size(); ++a) {
        inner *= m_space[a];
        m_point[a] = m_space[a] - 1;
    }
    m_number = (m_number / inner + 1) * inner - 1;
    return next();
}

bool Places::next() {
    ++m_number;
    std::size_t axis = m_space.size();
    while (axis > 0 && ++m_point[axis - 1] == m_space[axis - 1])
        m_point[--axis] = 0;
    if (axis == 0) return false;
    if (axis < m_space.size()) {
        placeAll();
        return true;
    }
    for (Source& s : m_sources) {
        for (Followed& f : s.map)
            step(f);
        for (Followed& f : s.constraints)
            step(f);
    }
    for (Followed& f : m_domain)
        step(f);
    return true;
}

bool Places::isInDomain() const {
    for (const Followed& f : m_domain)
        if (f.numerator < 0 || (f.index->divisor != 1 && f.numerator % f.index->divisor != 0)) return false;
    return true;
}

std::int64_t Places::elementOf(std::size_t read) const {
    const Source& s = m_sources[read];
    for (const Followed& f : s.constraints)
        if (f.numerator < 0 || (f.index->divisor != 1 && f.numerator % f.index->divisor != 0)) return -1;
    std::int64_t element = 0;
    for (std::size_t a = 0; a < s.map.size(); ++a) {
        const Followed& f = s.map[a];
        std::int64_t i = f.numerator;
        if (f.index->divisor != 1) {
            if (i % f.index->divisor != 0) return -1;
            i /= f.index->divisor;
        }
        if (i < 0 || i >= s.extents[a]) return -1;
        element += i * s.strides[a];
    }
    return element;
}

} // namespace kernelarium::proof

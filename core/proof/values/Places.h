// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <optional>
#include <span>
#include <vector>

namespace kernelarium::proof {

/// Walks through the points of a definition's space in row-major order and says where its reads lie.
class Places {
public:
    Places(const algebra::Graph& graph, const algebra::Tensor& tensor);

    bool start(); ///< at the first point; false where there is none
    bool next();  ///< to the next one; false after the last
    /// Past all points that agree with this one up to and with this axis.
    bool nextAfter(std::size_t axis);
    [[nodiscard]] std::int64_t number() const { return m_number; } ///< of the point, in row-major order
    /// The first axis from which on, whatever the later ones are, a read lies outside; nothing where none does for all
    /// of them.
    [[nodiscard]] std::optional<std::size_t> outsideFrom() const;
    [[nodiscard]] bool isInDomain() const;
    /// The element of the read's source, in row-major order; -1 where the read gives its `outside`.
    [[nodiscard]] std::int64_t elementOf(std::size_t read) const;
    [[nodiscard]] std::span<const std::int64_t> point() const { return m_point; }

private:
    /// An index that is followed along the last axis.
    struct Followed {
        const algebra::Index* index;
        std::int64_t numerator = 0, step = 0;
        bool isPlain = true;
        std::size_t lastAxis = 0; ///< the last that it depends on
        std::int64_t extent = 0;  ///< of what it is a place in; 0 of a constraint
    };
    [[nodiscard]] static bool isOutside(const Followed& f);
    struct Source {
        std::vector<Followed> map, constraints;
        std::vector<std::int64_t> extents, strides;
    };
    [[nodiscard]] Followed follow(const algebra::Index& index) const;
    void place(Followed& f) const;
    void placeAll();
    void step(Followed& f) const;

    algebra::Extents m_space;
    std::vector<std::int64_t> m_point;
    std::int64_t m_number = 0;
    std::vector<Source> m_sources;
    std::vector<Followed> m_domain;
};

} // namespace kernelarium::proof

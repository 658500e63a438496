// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/graph/Graph.h"

#include <span>
#include <vector>

namespace kernelarium::proof {

/// Walks through the points of a definition's space in row-major order and says where its reads lie.
class Places {
public:
    Places(const algebra::Graph& graph, const algebra::Tensor& tensor);

    bool start(); ///< at the first point; false where there is none
    bool next();  ///< to the next one; false after the last
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
    };
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
    std::vector<Source> m_sources;
    std::vector<Followed> m_domain;
};

} // namespace kernelarium::proof

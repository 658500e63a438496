// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Graph.h"
#include "core/kernelgen/sizes/Quantities.h"
#include "core/task/Card.h"

#include <functional>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// The same part of a graph at every size. `T` is what the part is: a tensor, an index, an expression.
template <class T> struct Each {
    std::vector<const T*> at;

    [[nodiscard]] const T& first() const { return *at.front(); }
    /// A part of the part; `part` takes a const T& and gives a reference.
    template <class F> [[nodiscard]] auto part(F&& f) const {
        Each<std::remove_cvref_t<decltype(f(*at.front()))>> out;
        for (const T* t : at)
            out.at.push_back(&f(*t));
        return out;
    }
    template <class F> [[nodiscard]] Values values(F&& f) const {
        Values out;
        for (const T* t : at)
            out.push_back(f(*t));
        return out;
    }
    template <class F> [[nodiscard]] bool all(F&& f) const {
        for (const T* t : at)
            if (!f(*t)) return false;
        return true;
    }
};

/// A card lowered at its own sizes and at some beside them, which differ from one another in one symbol at least. The
/// graphs have one structure: the same tensors, reads, bodies; their whole numbers and literals differ.
struct SizedGraphs {
    std::vector<task::Symbols> sizes;
    std::vector<algebra::Graph> graphs; ///< as many
    std::size_t full = 0;               ///< which of them is the published size, or the largest
    std::size_t shown = 0;              ///< which of them was asked for, or comes nearest
    /// The card's name of the shown size; "B=2 N=64" where the formulas have another form at the size that was asked
    /// for (an axis of one element, say), so that a size beside it is shown.
    std::string shownName;
    [[nodiscard]] Each<algebra::Graph> each() const;
};

/// Another form of a graph (rewritten, say), made at every size alike. Where it fails, at any size, there is none.
using Rewriting = std::function<Result<algebra::Graph>(algebra::Graph)>;

/// `size`: the card's size, by its name, that is to be shown; "full" is the largest where the card has none.
/// Errors: those of algebra::lower at the card's sizes and of the rewriting; "bad_input" (no such size); "unsupported"
/// where the graphs' structures differ too much.
[[nodiscard]] Result<SizedGraphs> graphsOf(const task::Card& card, const Rewriting& rewriting = {},
                                           const std::string& size = "full");

/// What of a graph is not a number: two graphs of one structure have the same.
[[nodiscard]] std::string structureOf(const algebra::Graph& graph);

} // namespace kernelarium::kernelgen

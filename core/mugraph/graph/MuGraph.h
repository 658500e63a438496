// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/target/Problem.h"
#include "core/mugraph/terms/Terms.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace kernelarium::mugraph {

/// What a block computes with. Operands are tiles, whose indices are axes of the problem: of an axis that is looped
/// over or split a tile has a part, of one along which the grid lies the block's part, of others all.
enum class Operator : std::uint8_t {
    product,    ///< sum over axes that both have of a * b (a matrix product)
    multiply,   ///< element by element, as the next ones: one operand's axes are among the other's
    add,        ///<
    subtract,   ///<
    divide,     ///<
    square,     ///< of one, as all below
    sqrt,       ///<
    exp,        ///<
    scale,      ///< times a constant of the problem
    offset,     ///< plus one
    apply,      ///< a function of the problem
    sum,        ///< over an axis of the tile
    accumulate, ///< over the steps of the loop; what is made of it is computed after the loop
    gather,     ///< over the blocks that split an axis; what is made of it is computed by a second launch
};
[[nodiscard]] std::string_view name(Operator op); ///< "product", ...
[[nodiscard]] constexpr bool isBinary(Operator op) {
    return op <= Operator::divide;
}

/// An operator on tensors of a graph, by their numbers: the problem's inputs first, then the results of the steps.
struct Step {
    static constexpr std::uint8_t none = 0xff;
    std::uint8_t a = 0;    ///< the operand; of two the one with the larger number
    std::uint8_t b = none; ///< the other
    Operator op = Operator::product;
    bool turned = false;         ///< b - a and b / a
    std::uint32_t parameter = 0; ///< product, sum: an AxisSet; scale, offset: into Problem::constants; apply: functions
    /// The canonical order of steps (Mirage's, OSDI 2025, section 4.1): a step that needs another's result comes behind
    /// it, so that every graph can be written with rising steps, in one way.
    auto operator<=>(const Step&) const = default;
};

/// Which axes are not taken in one piece: -1 where none is.
struct Roles {
    int loop = -1;  ///< every block walks along it, part by part
    int split = -1; ///< blocks share it out; of one that is looped over too, each block walks along its part
    auto operator<=>(const Roles&) const = default;
};

/// A kernel, with a second launch behind it where something is gathered, as a graph of operators on tiles. Every input
/// of the problem is loaded once, the last step's result is stored. Sizes of tiles are none of its business: one graph
/// stands for all of them (Tiling.h).
struct MuGraph {
    Roles roles;
    std::vector<Step> steps;
    auto operator<=>(const MuGraph&) const = default;
};

/// A tensor within a graph.
struct Tile {
    AxisSet axes = 0;
    bool looped = false;      ///< another in each step of the loop
    bool accumulated = false; ///< known after the loop alone
    bool partial = false;     ///< another in each of the blocks that split an axis
    bool gathered = false;    ///< known in the second launch alone
    bool operator==(const Tile&) const = default;
};
[[nodiscard]] Tile loaded(const Problem& problem, const Roles& roles, std::size_t input);
/// What a step makes of the tensors before it; nothing where it is none: indices do not fit, or what it needs is not
/// known at one time.
[[nodiscard]] std::optional<Tile> resultOf(const Problem& problem, std::span<const Tile> before, const Step& step);
/// Its abstract expression.
[[nodiscard]] TermId termOf(Terms& terms, const Roles& roles, std::span<const TermId> before, const Step& step);
/// All tensors, inputs first. Error "bad_graph": a step does not fit, or names what is not there.
[[nodiscard]] Result<std::vector<Tile>> tilesOf(const Problem& problem, const MuGraph& graph);

/// Whether it is a graph for the problem: every step fits, everything is used, the last tensor has the output's axes
/// and is the same in all blocks and steps. Error "bad_graph". It may compute another function.
[[nodiscard]] Result<void> checkGraph(const Problem& problem, const MuGraph& graph);
/// With its steps in canonical order, of a graph whose steps fit.
[[nodiscard]] MuGraph canonical(const Problem& problem, const MuGraph& graph);

/// "k:k/product(0,1|2);exp(3)": the loop's axis, the split one (- where there is none), the steps. One line without
/// spaces.
[[nodiscard]] std::string keyOf(const MuGraph& graph);
/// Reads one; its steps are not looked at. Error "bad_input".
[[nodiscard]] Result<MuGraph> graphFromKey(std::string_view key);

/// {"loop": 1, "split": null, "inputs": [{"tensor": "x", "axes": [0, 1]}, ...],
///  "steps": [{"operator": "product", "of": [0, 1], "over": [1]}, ...]}; axes, constants and functions by their numbers
/// in the problem, which are the same at all of a card's sizes.
[[nodiscard]] nlohmann::json toJson(const Problem& problem, const MuGraph& graph);
/// Reads a graph of this problem. Errors "bad_input", "bad_graph" (checkGraph).
[[nodiscard]] Result<MuGraph> muGraphFrom(const Problem& problem, const nlohmann::json& json);
/// 32 hexadecimal digits of the canonical form and of the inputs' axes.
[[nodiscard]] std::string hashOf(const Problem& problem, const MuGraph& graph);
/// A graph in words, a line for each tensor: "6 = sum over loop of 4   [r]".
[[nodiscard]] std::string toText(const Problem& problem, const MuGraph& graph);

} // namespace kernelarium::mugraph

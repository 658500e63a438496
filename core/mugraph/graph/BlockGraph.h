// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/mugraph/target/Problem.h"

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// What a kernel does, level by level, for tasks whose formulas share named axes (Problem). A µGraph is symbolic: its
/// tiles have sizes only when it is instantiated (core/mugraph/search/Model.h).
///
///   kernel level   one launch with a grid, and where its loop is split among blocks, a second one that adds the parts
///                  up in a fixed order and does what follows the accumulators
///   block level    inputs cut by grid and loop, operators on tiles, accumulators over the loop
///   thread level   chains of operators element by element, which need no memory between them (threadChains)
namespace kernelarium::mugraph {

enum class Operation : std::uint8_t {
    square,
    sqrt,
    exp,
    opaque,     ///< Problem::functions[number]
    scale,      ///< times Problem::constants[number]
    offset,     ///< plus Problem::constants[number]
    sum,        ///< over `axis` of the tile
    accumulate, ///< over the steps of the loop; rescaled where its operand hangs on an exponential (Formulas.h)
    product,    ///< of two tiles, summed over `axis`
    multiply,   ///< of two tiles, the axes of one among those of the other; likewise the next ones
    add,
    subtract, ///< first - second
    divide,   ///< first / second
};
[[nodiscard]] std::string_view name(Operation operation);
[[nodiscard]] constexpr bool isBinary(Operation operation) {
    return operation >= Operation::product;
}

/// Tensors of a block are numbered through: inputs, then results of operators in their order.
struct Operator {
    Operation operation = Operation::square;
    int first = 0, second = -1; ///< operands
    int axis = -1;
    int number = -1;
    bool operator==(const Operator&) const = default;
};

/// How an input is cut: which of its dimensions each grid axis cuts (-1: every block along that axis reads all), and
/// which the loop.
struct InputMap {
    std::vector<int> grid;
    int loop = -1;
    bool operator==(const InputMap&) const = default;
};

struct BlockGraph {
    std::vector<int> grid;        ///< axes of the output that blocks divide among them, rising
    int loop = -1;                ///< the axis that the loop goes along, or none
    bool split = false;           ///< blocks divide the loop among them as well
    std::vector<InputMap> inputs; ///< of Problem::inputs, all of them
    std::vector<Operator> operators;
    bool operator==(const BlockGraph&) const = default;
    [[nodiscard]] std::size_t launches() const { return split ? 2 : 1; }
};

/// When a tensor of a block is there.
enum class Phase : std::uint8_t {
    constant, ///< before the loop: the same in every step
    looped,   ///< another one in each step
    done,     ///< after the loop
};

/// What is known of a tensor of a block.
struct TileShape {
    AxisSet axes = 0; ///< it has, those of the grid among them
    Phase phase = Phase::constant;
};
/// Of all tensors, or why the graph is none. Checked: operands exist, axes meet, each input has one map for each grid
/// axis and they agree, a path goes through one accumulator at most, what follows the accumulators of a split loop
/// needs no input, nothing is left over, and the last tensor is the output with its axes, complete, every element
/// written once. Error "bad_graph".
[[nodiscard]] Result<std::vector<TileShape>> checkBlockGraph(const BlockGraph& graph, const Problem& problem);

/// "grid[n] loop k split: %2 = square %0; ...": equal texts are equal graphs, whatever the order in which independent
/// operators stand and the operands of a commutative one.
[[nodiscard]] std::string canonicalText(const BlockGraph& graph);
/// In the order that canonicalText() writes.
[[nodiscard]] BlockGraph canonical(const BlockGraph& graph);
/// Of the canonical text and the task's name: 32 hexadecimal digits, the graph's identity everywhere.
[[nodiscard]] std::string hashOf(const BlockGraph& graph, const Problem& problem);

/// Chains of operators element by element in which each but the last is read by the next alone (a binary one by any of
/// its operands): the numbers of the operators, in order. One operator is a chain as well.
[[nodiscard]] std::vector<std::vector<int>> threadChains(const BlockGraph& graph, const Problem& problem);

[[nodiscard]] nlohmann::json toJson(const BlockGraph& graph);
/// Error "bad_input". What it says of a problem is not checked.
[[nodiscard]] Result<BlockGraph> blockGraphFromJson(const nlohmann::json& json);

/// For people: "%4 = product over x.1 of x, w".
[[nodiscard]] std::string describe(const BlockGraph& graph, const Problem& problem);

} // namespace kernelarium::mugraph

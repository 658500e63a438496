// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/SizeExpression.h"
#include "core/task/Tolerance.h"
#include "core/tensor/Value.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace kernelarium::task {

/// How a tensor's elements are drawn. `a` and `b` mean what stands beside each kind.
struct Fill {
    enum class Kind {
        normal,          ///< mean a, standard deviation b
        uniform,         ///< from a to b
        constant,        ///< a everywhere
        integers,        ///< whole numbers from a to b, both included
        booleans,        ///< true with probability a
        signs,           ///< -1 or 1, each half the time
        probabilities,   ///< positive, sums to 1 along the last dimension: softmax of standard normal numbers
        upperTriangular, ///< normal (a, b) on and above the diagonal of the last two dimensions, else 0
        lowerTriangular, ///< normal (a, b) on and below the diagonal, else 0
        symmetric,       ///< (X + X^T) / 2 with X normal (a, b * sqrt 2): standard deviation b off the diagonal
        causalMask,      ///< 1 on and below the diagonal of the last two dimensions, else 0
        varied, ///< normal (a, b), every slice of the first dimension stretched by its own factor from 1/2 to 2 and
                ///< moved by its own offset from -b to b: means and norms differ from sample to sample
        variedProbabilities, ///< as probabilities, the normal numbers drawn as `varied` draws them
        values,              ///< the numbers in `values`, repeated to the end: what steers a kernel and is never drawn
    };
    Kind kind = Kind::normal;
    double a = 0.0;
    double b = 1.0;
    std::vector<double> values = {}; ///< of Kind::values, at least one
};
[[nodiscard]] std::string_view name(Fill::Kind kind); ///< "normal", "upper_triangular", ...

/// A tensor that the task is called with or has as a weight; its shape depends on the size.
struct CardTensor {
    std::string name;
    bool isParameter = false; ///< a weight or buffer of the module; else an input of the call
    tensor::DType dtype = tensor::DType::Float32;
    std::vector<SizeExpression> shape;
    Fill fill;
};

/// A tensor of the card, as an argument.
struct CardTensorRef {
    std::size_t index = 0; ///< into Card::tensors
};
/// The result of an operator, as an argument.
struct NodeRef {
    std::string name; ///< of an earlier node of the graph
};
struct Argument;
struct NamedArgument;
using ArgumentList = std::vector<Argument>;
using ArgumentDict = std::vector<NamedArgument>;
/// An argument of the call or of an operator: a literal (integers may depend on the size), a tensor of the
/// card, the result of an earlier node, or a container of these.
struct Argument {
    std::variant<std::monostate, bool, SizeExpression, double, std::string, tensor::DType, CardTensorRef, NodeRef,
                 ArgumentList, ArgumentDict>
        kind;
};
/// An entry of a dict.
struct NamedArgument {
    std::string name;
    Argument value;
};

/// One operator of the graph, by its ATen name ("aten.conv2d.default").
struct Node {
    std::string name;
    std::string op;
    ArgumentList arguments;
    ArgumentDict keywords;
};

/// What we know of one task. The card files are JSON; archive_data/tasks/README.md describes them.
struct Card {
    int level = 0;
    int task = 0;
    std::string name;    ///< KernelBench's, "1_Square_matrix_multiplication_"
    std::string family;  ///< "matmul", "activation", "softmax", "normalization", "pooling", "reduction", "scan", ...
    std::string summary; ///< one sentence
    std::vector<std::string> notes;
    /// Why a kernel that computes little or nothing passes on this task whatever the inputs: the output is the same
    /// number everywhere, say. Empty where such a kernel shows.
    std::string degenerate;
    /// What forbids an odd size; beside one, what keeps its output even. Empty where nothing does.
    std::string oddForbidden;
    std::vector<std::pair<std::string, Symbols>> sizes; ///< "full", "small", and others such as "odd"
    std::vector<CardTensor> tensors;
    std::vector<std::pair<std::string, Argument>> call; ///< arguments of forward, in order, with their names
    std::vector<Node> graph;
    Argument output;
    Tolerance tolerance;
    std::optional<double> archivedRms; ///< of the output with the published inputs
    std::optional<double> torchFlops;  ///< PyTorch's flop counter at full size
    std::optional<double> h200EagerMs; ///< PyTorch eager on an H200 at full size, milliseconds

    /// Symbol values of a size by name. Error "bad_input" lists the sizes there are.
    [[nodiscard]] Result<Symbols> size(std::string_view sizeName) const;
    [[nodiscard]] std::string key() const { return std::to_string(level) + "/" + std::to_string(task); }
};

/// Reads and checks (core/task/CardCheck.h). Error "bad_card".
Result<Card> parseCard(std::string_view json);
[[nodiscard]] std::string writeCard(const Card& card);

/// Concrete shapes of the card's tensors.
Result<std::vector<tensor::Shape>> tensorShapes(const Card& card, const Symbols& symbols);
/// KernelBench's number of a task.
struct TaskKey {
    int level = 0;
    int task = 0;
    auto operator<=>(const TaskKey&) const = default;
};
/// "1/16" or "level_1/16". Error "bad_input".
Result<TaskKey> parseTaskKey(std::string_view text);
/// The cards built into the program, sorted.
[[nodiscard]] std::vector<TaskKey> builtInCards();
/// A card built into the program; or, where a folder is given, its level_<level>/<task>_*.json file (the task
/// number may have leading zeros). Error "unknown_task", "bad_card".
Result<Card> loadCard(int level, int task, const std::string& folder = {});

} // namespace kernelarium::task

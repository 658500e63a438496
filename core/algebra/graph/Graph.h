// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/graph/Expression.h"
#include "core/algebra/graph/Index.h"
#include "core/tensor/DType.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

/// What a task computes, as mathematics: a list of tensors, each of which is an input or is defined over an index space
/// by one formula. No order of execution, no memory, no tiles: those are the business of whoever makes kernels of it.
///
///     out[o] = combine over r of body(read_0(o, r), read_1(o, r), ...)
///
/// where o is a point of the tensor's own extents and r one of the reduction's. Axes are numbered through: those of o
/// first (0 .. rank-1), those of r after them. Everything that a card's operators are is of this form:
///   contraction    sum of products: matmul, linear, einsum, convolution, average pooling, mean, prefix sums (r <= o)
///   pointwise map  no reduction: activations, scaling, bias, cat and pad (masked reads), tril (a domain)
///   reduction      max, min, product, argmax, argmin; windowed: pooling
///   statistics     mean is a contraction; the sum of squared distances from it has the body square(x - mean)
/// and one more for what is sequential: a recurrence, whose body is a graph of its own.
namespace kernelarium::algebra {

/// A tensor of a graph, by its place in Graph::tensors.
using TensorId = std::size_t;

/// How an operand is read at a point of the reader's space: element [map_0, map_1, ...] of `source`. Where an index
/// lies outside the source's extents, its divisor does not divide, or a constraint does not hold, the value is
/// `outside` and the source is not read (padding of a convolution: 0, of a maximum: -infinity).
struct Read {
    TensorId source = 0;
    std::vector<Index> map; ///< one for each axis of the source
    std::vector<Constraint> constraints;
    double outside = 0;
    bool operator==(const Read&) const = default;
};

/// How the values at the reduction's points become one.
enum class Combine {
    none,    ///< there is no reduction: one value
    sum,     ///< of no values: 0
    product, ///< 1
    maximum, ///< -infinity
    minimum, ///< +infinity
    argMax,  ///< the place (number of the point in row-major order of r) of the first largest value; 0
    argMin,  ///< likewise of the smallest
};
[[nodiscard]] double neutral(Combine combine); ///< what stands beside each above; 0 of none
[[nodiscard]] std::string_view name(Combine combine);

/// A formula for one tensor.
struct Definition {
    Extents reduction; ///< empty exactly where combine is none
    std::vector<Read> reads;
    Expression body = Expression::read(0);
    Combine combine = Combine::none;
    /// Points (o, r) that take part: all of these hold. A point that does not take part gives nothing to the combining;
    /// where there is none, the element is `outside`.
    std::vector<Constraint> domain;
    double outside = 0;
};

/// What a graph is given: a tensor of the card, or in a recurrence's body a state or a step of a sequence.
struct Input {
    /// Of what the operator draws itself, zeros and ones (dropout): no tensor of the card, and no bytes to read.
    static constexpr std::size_t drawn = std::size_t(-1);
    std::size_t cardTensor = 0; ///< into Card::tensors; its number among the body's inputs inside a recurrence
    bool isParameter = false;
    /// What the card's fill says of every input that it draws: elements below (above) the diagonal of the last two axes
    /// are 0, the matrix is its own transpose, or it is a mask, 1 on and below the diagonal and 0 above it. Rules that
    /// use it are marked (Exactness::drawn): it is no property of the operators.
    enum class Structure { none, upperTriangle, lowerTriangle, symmetric, lowerMask };
    Structure structure = Structure::none;
};

struct Graph;

/// `steps` applications of `body`, in order. The body's inputs are the states before the step (`states`, all of one
/// shape), then step t of each of `sequences` (element t of their first axis; steps-1-t where `backwards`), then
/// `constants` whole. Its outputs are the states after the step. The result has the extents [states, steps, state...]:
/// every state after every step; along `steps` in the order of the sequence (so backwards: element t is what step
/// steps-1-t gave).
struct Recurrence {
    std::shared_ptr<const Graph> body;
    std::int64_t steps = 0;
    bool backwards = false;
    std::vector<TensorId> initial;   ///< the first step's states
    std::vector<TensorId> sequences; ///< first axis: steps
    std::vector<TensorId> constants;
};

struct Tensor {
    std::string name; ///< of the card's tensor or node, with a suffix where a node became several; unique
    Extents extents;  ///< row-major
    tensor::DType dtype = tensor::DType::Float32;
    std::variant<Input, Definition, Recurrence> origin;

    [[nodiscard]] const Input* input() const { return std::get_if<Input>(&origin); }
    [[nodiscard]] const Definition* definition() const { return std::get_if<Definition>(&origin); }
    [[nodiscard]] Definition* definition() { return std::get_if<Definition>(&origin); }
    [[nodiscard]] const Recurrence* recurrence() const { return std::get_if<Recurrence>(&origin); }
};

/// Tensors in an order in which each reads earlier ones alone.
struct Graph {
    std::vector<Tensor> tensors;
    std::vector<TensorId> outputs; ///< what forward returns, in order; each in the shape that forward returns

    [[nodiscard]] const Tensor& at(TensorId id) const { return tensors.at(id); }
};

/// The space of a definition: the tensor's extents, then the reduction's.
[[nodiscard]] Extents spaceOf(const Tensor& tensor);
/// What the tensor reads, in order, with repetitions.
[[nodiscard]] std::vector<TensorId> sourcesOf(const Tensor& tensor);
/// How many of its reads are of that tensor.
[[nodiscard]] std::size_t readCount(const Tensor& reader, TensorId source);
/// Its sources' new places: what was `s` is `place[s]`.
void moveSources(Tensor& tensor, std::span<const TensorId> place);
/// Of every tensor, whether it is one of these or is computed from one.
[[nodiscard]] std::vector<bool> dependents(const Graph& graph, std::span<const TensorId> tensors);
/// How many reads of every tensor there are, an output counting as one.
[[nodiscard]] std::vector<std::size_t> useCounts(const Graph& graph);
/// Names for the axes: o0, o1, ..., r0, ...
[[nodiscard]] std::vector<std::string> axisNames(const Tensor& tensor);

/// What a definition is, of the forms above.
enum class Form { input, contraction, pointwise, reduction, statistics, recurrence };
[[nodiscard]] Form formOf(const Tensor& tensor);
[[nodiscard]] std::string_view name(Form form);

/// A sum of products: the literal factor and the reads that are multiplied (an operand may stand twice).
struct Product {
    double factor = 1;
    std::vector<std::size_t> operands;
};
/// The body as one, where it is made of products, squares, signs and divisions by literals alone.
[[nodiscard]] std::optional<Product> asProduct(const Expression& body);

/// Whether the definition is a prefix combination along an output axis: one reduction axis r, the constraint
/// axis - r >= 0 alone, and no read nor the body depends on that axis: the running value serves all. The axis, or -1.
[[nodiscard]] int scanAxis(const Tensor& tensor);

/// Whether the graph is sound: order, ranks of maps, axes within their spaces, names unique. Error "bad_graph".
[[nodiscard]] Result<void> checkGraph(const Graph& graph);
/// Without tensors that no output needs; ids change, order stays. Inputs stay if `keepInputs`.
[[nodiscard]] Graph pruned(Graph graph, bool keepInputs = false);

/// The formula in words of mathematics: "y[o0, o1] = sum over r0 < 64 of x[o0, r0] * w[o1, r0]".
[[nodiscard]] std::string toString(const Graph& graph, TensorId id);

} // namespace kernelarium::algebra

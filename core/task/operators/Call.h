// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/task/operators/OperatorContext.h"
#include "core/tensor/Layout.h"
#include "core/tensor/Value.h"

#include <optional>
#include <stdexcept>
#include <string>

namespace kernelarium::task::operators {

using tensor::DType;
using tensor::Shape;
using tensor::Tensor;
using tensor::Value;
using tensor::wrapDim;

/// Thrown inside the room, turned into an Error by evaluateOperator.
struct Failure {
    Error error;
};
[[noreturn]] void badArgument(std::string message);
[[noreturn]] void unsupported(std::string message);
inline void require(bool condition, const char* message) {
    if (!condition) badArgument(message);
}

/// The arguments of one operator: each read by its place or its name.
class Call {
public:
    Call(std::string_view name, std::span<const Value> arguments, const tensor::Dict& keywords,
         const OperatorContext& context)
        : m_name(name)
        , m_arguments(arguments)
        , m_keywords(keywords)
        , m_context(context) {}

    [[nodiscard]] std::string_view name() const { return m_name; }
    [[nodiscard]] const OperatorContext& context() const { return m_context; }
    [[nodiscard]] bool shapesOnly() const { return m_context.shapesOnly; }
    [[nodiscard]] std::size_t count() const { return m_arguments.size(); }

    /// The argument, or null when it is missing or None.
    [[nodiscard]] const Value* find(std::size_t index, std::string_view key) const;

    [[nodiscard]] Tensor tensor(std::size_t index, std::string_view key) const;
    [[nodiscard]] std::optional<Tensor> optionalTensor(std::size_t index, std::string_view key) const;
    /// A tensor, or a number as a tensor without dimensions (bool, int64 or float64).
    [[nodiscard]] Tensor tensorOrScalar(std::size_t index, std::string_view key) const;
    [[nodiscard]] std::vector<Tensor> tensors(std::size_t index, std::string_view key) const;
    /// A place in a dimension, which the operator cuts to it: any integer ("to the end" is the largest there is).
    [[nodiscard]] std::int64_t position(std::size_t index, std::string_view key, std::int64_t missing) const;
    /// No larger than a dimension can be, so that sizes can be computed with it.
    [[nodiscard]] std::int64_t integer(std::size_t index, std::string_view key) const;
    [[nodiscard]] std::int64_t integer(std::size_t index, std::string_view key, std::int64_t missing) const;
    [[nodiscard]] double number(std::size_t index, std::string_view key) const;
    [[nodiscard]] double number(std::size_t index, std::string_view key, double missing) const;
    [[nodiscard]] std::optional<double> optionalNumber(std::size_t index, std::string_view key) const;
    [[nodiscard]] bool flag(std::size_t index, std::string_view key, bool missing) const;
    [[nodiscard]] std::string text(std::size_t index, std::string_view key, std::string missing) const;
    /// A list of integers; a single integer is a list of one. Empty optional where missing.
    [[nodiscard]] std::optional<Shape> optionalIntegers(std::size_t index, std::string_view key) const;
    [[nodiscard]] Shape integers(std::size_t index, std::string_view key) const;
    /// A list of exactly `n` integers: one given stands for all; `missing` where there is none or an empty
    /// list.
    [[nodiscard]] Shape integers(std::size_t index, std::string_view key, std::size_t n, std::int64_t missing) const;
    [[nodiscard]] std::optional<DType> dtype(std::size_t index, std::string_view key) const;

    /// A new result; refuses what is beyond the memory limit. Zero-filled.
    [[nodiscard]] Tensor make(DType dtype, Shape shape) const;
    /// The same with undefined elements, for operators that write every one of them.
    [[nodiscard]] Tensor makeUnfilled(DType dtype, Shape shape) const;
    /// Books scratch memory against the limit.
    void reserve(std::uint64_t bytes) const;
    /// Throws when the caller wants to stop.
    void checkStop() const;

private:
    std::string_view m_name;
    std::span<const Value> m_arguments;
    const tensor::Dict& m_keywords;
    const OperatorContext& m_context;
    /// Books a result of the shape, or refuses it.
    void reserve(DType dtype, const Shape& shape) const;

    mutable std::uint64_t m_allocated = 0;
};

/// How floating types narrower than float32 are met.
enum class Narrow {
    widen, ///< converted to float32 before, and results back afterwards
    keep,  ///< the operator moves elements or makes them: it deals with every type itself
};

using Results = std::vector<Value>;
using Function = Results (*)(const Call&);

/// An operator of a family, and what evaluates it.
struct Entry {
    std::string_view name;
    Function function;
    Narrow narrow = Narrow::widen;
};

using Family = std::span<const Entry>;
Family pointwiseFamily();
Family arithmeticFamily();
Family comparisonFamily();
Family factoryFamily();
Family viewFamily();
Family movementFamily();
Family indexingFamily();
Family reductionFamily();
Family extremaFamily();
Family scanFamily();
Family softmaxFamily();
Family normalizationFamily();
Family poolingFamily();
Family convolutionFamily();
Family matrixFamily();
Family einsumFamily();
Family attentionFamily();
Family recurrentFamily();
Family lossFamily();

/// The dimensions named, wrapped, without doubles, ascending; all where the list is empty or missing.
[[nodiscard]] Shape wrapDims(const std::optional<Shape>& dims, std::int64_t rank);

} // namespace kernelarium::task::operators

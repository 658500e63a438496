// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Tensor.h"

#include <array>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>

namespace kernelarium::tensor {

/// Thrown by all of Layout's operations where PyTorch would raise. what() is PyTorch's sentence (no full stop where it
/// has none). Who has other words for a kind makes them from `numbers` and `shape`, which are set as it says.
struct LayoutError : std::invalid_argument {
    enum class Kind {
        other,         ///< neither numbers nor a shape
        index,         ///< an IndexError in Python: a dimension or a position out of range
        orderLength,   ///< permuted: the order has another length than the layout has dimensions
        movedLength,   ///< moved: source and destination have different lengths
        narrowed,      ///< {start, length, size}: narrowed beyond a dimension; start from the front where it can be
        narrowedStart, ///< {start, length, size}: as before, an IndexError in Python
        fewerSizes,    ///< expanded: fewer sizes than dimensions
        negativeSize,  ///< a size in `shape` is negative
        sizeMismatch,  ///< {wanted, own, dimension}: expanded, where the own size is not 1
        invalidShape,  ///< `shape` has two sizes of -1, or one below
        tooMany,       ///< no tensor can have as many elements as `shape` says
        countMismatch, ///< {count}: `shape` has another number of elements
        window,        ///< unfolded: the window's size is negative or its step not positive
        partLengths,   ///< {sum, size}: parts do not add up to the dimension
        partLength,    ///< {length}: even parts of no or of a negative length
        broadcast,     ///< {one, other, dimension}: sizes that do not broadcast
    };
    LayoutError(Kind kind, const std::string& text, std::array<std::int64_t, 3> numbers = {}, Shape shape = {})
        : std::invalid_argument(text)
        , kind(kind)
        , numbers(numbers)
        , shape(std::move(shape)) {}

    Kind kind;
    std::array<std::int64_t, 3> numbers;
    Shape shape;
};

/// Where the elements of a tensor lie in its storage: element (i, j, ...) at offset + i * strides[0] + j * strides[1]
/// + ..., all counted in elements. Its views are PyTorch's, down to the strides of dimensions of one element and of
/// tensors without any. Dimensions may be counted from the end (-1 is the last). Nothing here knows how large the
/// storage is: a view of a layout inside it stays inside.
struct Layout {
    Shape shape;
    Shape strides;           ///< 0 repeats, negative ones run backwards
    std::int64_t offset = 0; ///< of the first element

    Layout() = default;
    /// Row-major without gaps.
    explicit Layout(Shape dense);
    Layout(Shape shape, Shape strides, std::int64_t offset = 0)
        : shape(std::move(shape))
        , strides(std::move(strides))
        , offset(offset) {}

    [[nodiscard]] std::int64_t dim() const { return std::int64_t(shape.size()); }
    [[nodiscard]] std::int64_t count() const { return elementCount(shape); }
    /// Row-major without gaps, wherever it begins.
    [[nodiscard]] bool isContiguous() const;
    /// Whether the elements fill a range without gaps or overlaps, in whatever order.
    [[nodiscard]] bool isPacked() const;
    /// The lowest place of an element and one past the highest; of a layout with elements.
    [[nodiscard]] std::pair<std::int64_t, std::int64_t> reach() const;

    // Other orders of the dimensions.
    [[nodiscard]] Layout permuted(const Shape& order) const;
    [[nodiscard]] Layout transposed(std::int64_t a, std::int64_t b) const;
    [[nodiscard]] Layout reversed() const; ///< the last dimension first
    /// Dimensions `from` at the places `to`, the others around them in their order.
    [[nodiscard]] Layout moved(const Shape& from, const Shape& to) const;

    // Parts.
    [[nodiscard]] Layout selected(std::int64_t dim, std::int64_t index) const; ///< without the dimension
    /// As Python slices: start and end may be missing, negative or beyond the dimension.
    [[nodiscard]] Layout sliced(std::int64_t dim, std::optional<std::int64_t> start, std::optional<std::int64_t> end,
                                std::int64_t step) const;
    /// `length` elements from `start` on, which counts from the end where negative.
    [[nodiscard]] Layout narrowed(std::int64_t dim, std::int64_t start, std::int64_t length) const;
    /// Parts of these lengths one behind another; of one length but for the last; of so many parts.
    [[nodiscard]] std::vector<Layout> split(const Shape& lengths, std::int64_t dim) const;
    [[nodiscard]] std::vector<Layout> splitEvery(std::int64_t length, std::int64_t dim) const;
    [[nodiscard]] std::vector<Layout> unbound(std::int64_t dim) const;
    /// The elements (i, i + offset) of two dimensions, as the last dimension.
    [[nodiscard]] Layout diagonal(std::int64_t offset, std::int64_t a, std::int64_t b) const;

    // Dimensions put in, taken out, repeated, turned.
    [[nodiscard]] Layout unsqueezed(std::int64_t dim) const;
    /// Without those of the dimensions that have one element.
    [[nodiscard]] Layout squeezed(const Shape& dims) const;
    [[nodiscard]] Layout squeezed() const;
    /// Broadcast: new leading dimensions and those of one element repeat; a size of -1 keeps the own one.
    [[nodiscard]] Layout expanded(const Shape& sizes) const;
    /// Windows of `size` along a dimension, `step` apart; the elements of a window become the last dimension.
    [[nodiscard]] Layout unfolded(std::int64_t dim, std::int64_t size, std::int64_t step) const;
    /// Every dimension as two, (times, size), the first repeating. `times` may begin with those of new dimensions.
    [[nodiscard]] Layout repeated(const Shape& times) const;
    /// One dimension as two, (size, times), the second repeating.
    [[nodiscard]] Layout interleaved(std::int64_t dim, std::int64_t times) const;
    [[nodiscard]] Layout flipped(std::int64_t dim) const;

    /// The same elements in the same order under another shape of as many; nothing where strides cannot say it.
    [[nodiscard]] std::optional<Layout> viewed(const Shape& sizes) const;

    bool operator==(const Layout&) const = default;
};

/// Strides of a row-major array; a dimension of no elements counts as one, as in PyTorch.
[[nodiscard]] Shape denseStrides(const Shape& shape);
/// Strides of a dense array whose channels (dimension 1) lie side by side, then the last dimension, ..., then the
/// batch.
[[nodiscard]] Shape channelsLastStrides(const Shape& shape);

/// A dimension of a tensor with `rank` dimensions, counted from the front. One without dimensions counts as having one.
[[nodiscard]] std::int64_t wrapDim(std::int64_t dim, std::int64_t rank);

/// The shape that all of them broadcast to.
[[nodiscard]] Shape broadcastShape(std::span<const Shape> shapes);
/// The shape with its one -1 worked out for `count` elements.
[[nodiscard]] Shape inferredShape(const Shape& shape, std::int64_t count);
/// Dimensions `start` to `end` as one.
[[nodiscard]] Shape flattenedShape(const Shape& shape, std::int64_t start, std::int64_t end);
/// One dimension as several, one of which may be -1.
[[nodiscard]] Shape unflattenedShape(const Shape& shape, std::int64_t dim, const Shape& sizes);
/// The shape that a layout's repeated() is seen as: its dimensions two by two as one.
[[nodiscard]] Shape repeatedShape(const Shape& shape, const Shape& times);
/// Lengths of `chunks` parts, or fewer, that cover a dimension of this size.
[[nodiscard]] Shape chunkLengths(std::int64_t size, std::int64_t chunks);

/// A walk over a shape with N operands of given strides, neighbouring dimensions merged where all operands allow.
template <std::size_t N> struct Walk {
    Shape shape; ///< at least one dimension
    std::array<Shape, N> strides;
};
template <std::size_t N> Walk<N> mergeDimensions(const Shape& shape, const std::array<Shape, N>& strides) {
    Walk<N> w;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        if (shape[d] == 1) continue;
        bool merges = !w.shape.empty();
        for (std::size_t k = 0; merges && k < N; ++k)
            merges = w.strides[k].back() == strides[k][d] * shape[d];
        if (merges) {
            w.shape.back() *= shape[d];
            for (std::size_t k = 0; k < N; ++k)
                w.strides[k].back() = strides[k][d];
        } else {
            w.shape.push_back(shape[d]);
            for (std::size_t k = 0; k < N; ++k)
                w.strides[k].push_back(strides[k][d]);
        }
    }
    if (w.shape.empty()) {
        w.shape = {1};
        for (Shape& s : w.strides)
            s = {0};
    }
    return w;
}

} // namespace kernelarium::tensor

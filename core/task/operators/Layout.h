// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Parallel.h"

#include <algorithm>
#include <array>

namespace kernelarium::task::operators {

/// Strides of a dense row-major array, in elements.
[[nodiscard]] Shape denseStrides(const Shape& shape);

/// The shape two or more shapes broadcast to; throws with PyTorch's sentence where they do not.
[[nodiscard]] Shape broadcastShapes(const Call& call, std::span<const Shape> shapes);
/// Strides with which a dense array of shape `from` is read along the dimensions of `to` (0 where it
/// repeats).
[[nodiscard]] Shape broadcastStrides(const Shape& from, const Shape& to);

/// A walk over a shape with N operands of given strides, neighbouring dimensions merged where all operands
/// allow.
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

/// Calls row(offsets, count, outputStart) for every innermost row, `offsets` being where each operand starts.
/// Rows are split so that no piece is longer than elementPiece.
template <std::size_t N, class Row> void forRows(const Call& call, const Walk<N>& walk, Row row) {
    const std::int64_t total = tensor::elementCount(walk.shape);
    if (total == 0) return;
    const std::int64_t inner = walk.shape.back();
    const std::int64_t pieces = (inner + elementPiece - 1) / elementPiece;
    const std::int64_t piece = (inner + pieces - 1) / pieces;
    const std::int64_t rows = total / inner * pieces;
    parallelFor(call, rows, std::max<std::int64_t>(1, elementPiece / piece), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t r = begin; r < end; ++r) {
            const std::int64_t first = r % pieces * piece;
            std::array<std::int64_t, N> offsets{};
            std::int64_t rest = r / pieces;
            for (std::size_t d = walk.shape.size() - 1; d-- > 0;) {
                const std::int64_t i = rest % walk.shape[d];
                rest /= walk.shape[d];
                for (std::size_t k = 0; k < N; ++k)
                    offsets[k] += i * walk.strides[k][d];
            }
            for (std::size_t k = 0; k < N; ++k)
                offsets[k] += first * walk.strides[k].back();
            row(offsets, std::min(piece, inner - first), r / pieces * inner + first);
        }
    });
}

/// A dense copy of a strided view of `source`: element (i, j, ...) of the result is source[offset + sum
/// i*stride].
[[nodiscard]] Tensor gather(const Call& call, const Tensor& source, const Shape& shape, const Shape& strides,
                            std::int64_t offset);
/// The dense tensor with its dimensions in another order.
[[nodiscard]] Tensor permuted(const Call& call, const Tensor& source, const Shape& order);
/// Broadcast to a shape, as a dense copy (the tensor itself where the shape is its own).
[[nodiscard]] Tensor expanded(const Call& call, const Tensor& source, const Shape& shape);

} // namespace kernelarium::task::operators

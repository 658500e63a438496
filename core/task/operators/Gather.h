// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/operators/Parallel.h"
#include "core/tensor/Layout.h"

#include <algorithm>
#include <array>

namespace kernelarium::task::operators {

using tensor::broadcastShape;
using tensor::denseStrides;
using tensor::Layout;
using tensor::mergeDimensions;
using tensor::Walk;

/// Strides with which a dense array of shape `from` is read along the dimensions of `to`, which it broadcasts to.
[[nodiscard]] Shape broadcastStrides(const Shape& from, const Shape& to);

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

/// A dense copy of a view of `source`.
[[nodiscard]] Tensor gather(const Call& call, const Tensor& source, const Layout& view);
/// The same, or the elements of `source` itself where the view shows them all in their order.
[[nodiscard]] Tensor seen(const Call& call, const Tensor& source, const Layout& view);
/// Writes the elements of `source`, which has the view's shape and the target's type, where the view shows them.
void scatter(const Call& call, Tensor& target, const Layout& view, const Tensor& source);
/// The dense tensor with its dimensions in another order.
[[nodiscard]] Tensor permuted(const Call& call, const Tensor& source, const Shape& order);
/// Broadcast to a shape.
[[nodiscard]] Tensor expanded(const Call& call, const Tensor& source, const Shape& shape);

} // namespace kernelarium::task::operators

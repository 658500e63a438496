// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/tensors/StridedCopy.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace kernelarium::host {

namespace {

/// The two innermost dimensions of a view, in elements.
struct Plane {
    std::int64_t rows = 1, columns = 1;
    std::int64_t rowStride = 0, columnStride = 0;
};

/// Rows and columns that are turned round at a time: cache lines are read whole and written whole.
constexpr std::int64_t square = 16;

/// A square of a plane whose columns lie side by side, four by four words in the processor's vectors.
void turnSquare(const std::uint32_t* from, std::int64_t columnStride, std::uint32_t* to, std::int64_t rowStride) {
    using Four = std::uint32_t __attribute__((vector_size(16)));
    constexpr std::int64_t four = 4;
    for (std::int64_t c = 0; c < square; c += four)
        for (std::int64_t r = 0; r < square; r += four) {
            Four in[four];
            for (std::int64_t i = 0; i < four; ++i)
                std::memcpy(&in[i], from + (c + i) * columnStride + r, sizeof(Four));
            const Four low01 = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
            const Four high01 = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
            const Four low23 = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
            const Four high23 = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
            const Four out[four] = {__builtin_shufflevector(low01, low23, 0, 1, 4, 5),
                                    __builtin_shufflevector(low01, low23, 2, 3, 6, 7),
                                    __builtin_shufflevector(high01, high23, 0, 1, 4, 5),
                                    __builtin_shufflevector(high01, high23, 2, 3, 6, 7)};
            for (std::int64_t i = 0; i < four; ++i)
                std::memcpy(to + (r + i) * rowStride + c, &out[i], sizeof(Four));
        }
}

/// A transposed matrix of words; what is left beside whole squares is done a second time, from further back.
void turnPlane(const Plane& p, const std::uint32_t* from, std::uint32_t* to) {
    for (std::int64_t row = 0; row < p.rows; row += square) {
        const std::int64_t r = std::min(row, p.rows - square);
        for (std::int64_t column = 0; column < p.columns; column += square) {
            const std::int64_t c = std::min(column, p.columns - square);
            turnSquare(from + r + c * p.columnStride, p.columnStride, to + r * p.columns + c, p.columns);
        }
    }
}

template <class T> void copyPlane(const Plane& p, const T* from, T* to) {
    if constexpr (std::is_same_v<T, std::uint32_t>) {
        if (p.rowStride == 1 && p.rows >= square && p.columns >= square) return turnPlane(p, from, to);
    }
    // Of a transposed matrix a row's elements lie far apart, those of a column side by side: some rows are made at a
    // time, so that what a cache line brings is used while it is there.
    const bool transposed = std::abs(p.rowStride) < std::abs(p.columnStride);
    const std::int64_t together = transposed ? std::int64_t(64 / sizeof(T)) : 1;
    for (std::int64_t row = 0; row < p.rows; row += together) {
        const std::int64_t end = std::min(row + together, p.rows);
        for (std::int64_t c = 0; c < p.columns; ++c)
            for (std::int64_t r = row; r < end; ++r)
                to[r * p.columns + c] = from[r * p.rowStride + c * p.columnStride];
    }
}

void copyPlane(const Plane& p, std::size_t width, const std::byte* from, std::byte* to) {
    const auto as = [&](auto tag) {
        using T = decltype(tag);
        copyPlane(p, reinterpret_cast<const T*>(from), reinterpret_cast<T*>(to));
    };
    switch (width) {
    case 1: return as(std::uint8_t{});
    case 2: return as(std::uint16_t{});
    case 4: return as(std::uint32_t{});
    default: return as(std::uint64_t{});
    }
}

} // namespace

void copyStrided(const tensor::Layout& view, std::size_t width, const std::byte* from, std::int64_t first,
                 std::byte* to) {
    if (view.count() == 0) return;
    // The innermost dimensions that lie side by side make one run.
    std::int64_t run = 1;
    std::size_t outer = view.shape.size();
    while (outer > 0 && (view.shape[outer - 1] == 1 || view.strides[outer - 1] == run))
        run *= view.shape[--outer];
    Plane plane;
    std::size_t looped = outer;
    if (run == 1 && outer > 0) {
        plane.columns = view.shape[outer - 1];
        plane.columnStride = view.strides[outer - 1];
        looped = outer - 1;
        if (looped > 0) {
            --looped;
            plane.rows = view.shape[looped];
            plane.rowStride = view.strides[looped];
        }
    }
    const std::size_t bytes = std::size_t(run * plane.rows * plane.columns) * width;
    tensor::Shape index(looped, 0);
    std::int64_t at = view.offset - first;
    for (;; to += bytes) {
        const std::byte* start = from + at * std::int64_t(width);
        if (run == 1)
            copyPlane(plane, width, start, to);
        else
            std::memcpy(to, start, bytes);
        std::size_t d = looped;
        while (d > 0) {
            --d;
            at += view.strides[d];
            if (++index[d] < view.shape[d]) break;
            at -= view.strides[d] * view.shape[d];
            index[d] = 0;
            if (d == 0) return;
        }
        if (looped == 0) return;
    }
}

} // namespace kernelarium::host

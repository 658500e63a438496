// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/async/BoxPieces.h"

#include <algorithm>

namespace kernelarium::emulator {

namespace {

using Piece = BulkCopy::Piece;

/// A run of bytes of the box, cut where the swizzle exchanges blocks of 16 bytes.
void addRun(std::vector<Piece>& pieces, std::uint32_t base, std::uint32_t at, std::uint32_t bytes, std::uint64_t from,
            std::uint32_t mode) {
    while (bytes) {
        const std::uint32_t step = mode ? std::min(bytes, 16 - (base + at) % 16) : bytes;
        pieces.push_back({swizzled(base + at, mode), step, from});
        at += step;
        bytes -= step;
        if (from != Piece::filled) from += step;
    }
}

} // namespace

std::vector<Piece> boxPieces(const TensorMap& m, const std::array<std::int32_t, 5>& first, std::uint32_t shared) {
    std::vector<Piece> pieces;
    const std::uint32_t element = m.elementBytes(), rowBytes = m.box[0] * element;
    std::uint32_t rows = 1;
    for (std::uint32_t d = 1; d < m.rank; ++d)
        rows *= m.count(d);
    pieces.reserve(std::size_t(rows) * (m.swizzle ? rowBytes / 16 : 1));
    // Along the innermost dimension: outside, inside, outside.
    const std::int64_t start = first[0], extent = std::int64_t(m.extent[0]), box = m.box[0];
    const auto before = std::uint32_t(std::clamp<std::int64_t>(-start, 0, box));
    const auto inside = std::uint32_t(std::clamp<std::int64_t>(extent - start, before, box)) - before;
    std::array<std::uint32_t, 5> index{};
    for (std::uint32_t row = 0; row < rows; ++row) {
        bool isInside = inside > 0;
        std::uint64_t address = m.address;
        for (std::uint32_t d = 1; d < m.rank; ++d) {
            const std::int64_t at = std::int64_t(first[d]) + std::int64_t(index[d]) * m.elementStride[d];
            isInside &= at >= 0 && at < std::int64_t(m.extent[d]);
            address += std::uint64_t(at) * m.stride[d];
        }
        const std::uint32_t to = row * rowBytes;
        if (!isInside) {
            addRun(pieces, shared, to, rowBytes, Piece::filled, m.swizzle);
        } else {
            const std::uint32_t skipped = before * element, read = inside * element;
            addRun(pieces, shared, to, skipped, Piece::filled, m.swizzle);
            addRun(pieces, shared, to + skipped, read, address + std::uint64_t((start + before) * element), m.swizzle);
            addRun(pieces, shared, to + skipped + read, rowBytes - skipped - read, Piece::filled, m.swizzle);
        }
        for (std::uint32_t d = 1; d < m.rank; ++d) {
            if (++index[d] < m.count(d)) break;
            index[d] = 0;
        }
    }
    return pieces;
}

} // namespace kernelarium::emulator

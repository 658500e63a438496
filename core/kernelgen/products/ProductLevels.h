// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/KernelFile.h"
#include "core/kernelgen/products/Units.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace kernelarium::kernelgen::products {

/// Matrix products that one launch makes, or parts of their sums.
struct ProductWork {
    /// One of them: `batch` times [rows, sums] times [sums, columns].
    struct Factor {
        std::size_t product = 0;         ///< tensor of the file's graph
        std::size_t left = 0, right = 0; ///< tensors that are read, the right one by [sums, columns]
        double batch = 1, rows = 1, columns = 1, sums = 1;
        bool isStored = true;  ///< its left factor lies in device memory; else it is what the launch has made before
        double leftTimes = 0;  ///< how often the whole left factor is read; 0: once for each tile of columns
        double rightTimes = 0; ///< the right one; 0: once for each tile of rows
    };
    std::vector<Factor> factors;
    std::vector<std::size_t> maps;   ///< formulas of elements after them, in registers
    std::vector<std::size_t> stored; ///< tensors that are written
    std::int64_t tileRows = 1, tileColumns = 1, tileSums = 1;
    double steps = 0;            ///< of a block, one tile after another; 0: the first product's sums in tiles
    double stages = 0;           ///< tiles of a factor that a block has room for, all but one on their way; 0: unknown
    double clocksOfStep = 0;     ///< of a block alone, with its tiles at hand; where `stages` are known
    double sharedBytes = 0;      ///< that a launch asks for
    double parts = 1;            ///< blocks that share a sum
    bool isTwice = false;        ///< a second launch puts the parts together
    bool byTensorCores = false;  ///< float16 or bfloat16 with sums in float32
    Place tiles = Place::shared; ///< where the factors' tiles wait
    std::string detail;
};

/// The products of a unit at the size that the levels are for; tiles and parts are the caller's to fill in.
[[nodiscard]] ProductWork workOf(KernelFile& file, const ProductUnit& unit);

/// What the file's launch number `first` does, and the one after it where sums are in parts: tiles of the factors in
/// shared memory, sums in registers, formulas after them. Amounts: a tile of the left factor is read once for each tile
/// of columns, one of the right once for each tile of rows; 2 * batch * rows * columns * sums operations.
void describeProduct(KernelFile& file, const ProductWork& work, std::size_t first);

} // namespace kernelarium::kernelgen::products

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/products/Operand.h"

#include <string>

namespace kernelarium::kernelgen::products {

/// A tile of a 16-bit factor in shared memory, as text: where it begins and how many lines and terms it has
/// ("tileRows", "tileSums"). Neighbours lie as they do in device memory; each line of them has 8 more.
struct SharedTile {
    std::string at, lines, terms;
};

/// Numbers that a tile is filled with, as text: from `first` on, zeros from `end` on.
struct TileRange {
    std::string first, end;
};

/// Writes the copy of 8 neighbours, the tile's number "eight" of such, from device memory (copyEightText).
void writeTileCopy(KernelText& text, const Operand& from, const SharedTile& to, const TileRange& lines,
                   const TileRange& terms, const std::string& whole);

/// Writes the load of a factor's two fragments of 16 terms from a line and a term of the tile on (loadFragmentText): of
/// the left factor the second one has the next rows, of the right one the next terms.
void writeFragmentLoad(KernelText& text, const Operand& of, const SharedTile& from, const std::string& to,
                       const std::string& line, const std::string& term, bool isLeft);

} // namespace kernelarium::kernelgen::products

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/convolution/Description.h"
#include "core/kernelgen/convolution/Formulas.h"
#include "core/kernelgen/convolution/Tiles.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Parts of the kernel file, in their order there.
namespace kernelarium::kernelgen::convolution {

/// The text with every @name@ replaced by what stands for it.
[[nodiscard]] std::string filled(std::string_view text, const std::vector<std::pair<std::string, std::string>>& values);
/// "Z", "Y", "X" of three axes, "Y", "X" of two.
[[nodiscard]] std::vector<std::string> axisLetters(const Description& d);
/// The same letters, lower case.
[[nodiscard]] std::vector<std::string> axisNames(const Description& d);
/// The text of `one` for every axis, with @A@ and @a@ replaced by its letter, joined by `between`.
[[nodiscard]] std::string forAxes(const Description& d, std::string_view one, std::string_view between = "");
/// "2 * part - k + 1"
[[nodiscard]] std::string linearText(const std::vector<std::pair<std::int64_t, std::string>>& terms,
                                     std::int64_t offset);
/// A place's number: "(ofZ * s.outY + ofY) * s.outX + ofX", extents and coordinates by these prefixes.
[[nodiscard]] std::string placeOf(const Description& d, std::string_view extent, std::string_view coordinate);
/// What a combination begins with, and the statement that adds b to a.
[[nodiscard]] std::string neutralText(algebra::Combine combine);
[[nodiscard]] std::string combinedText(algebra::Combine combine, const std::string& a, const std::string& b);
/// A part's number among those of its cell: "(pz * cellY + py) * cellX + px".
[[nodiscard]] std::string partText(const Description& d);
/// Prefix of the extents of what is stored: "out", or "cells" behind a pool.
[[nodiscard]] std::string_view storedExtent(const Description& d);

/// With the marks of a sweep, but where a file's other pass has constants of the same names: marks need one of each.
[[nodiscard]] std::string constantsText(const Description& d, const Tiles& tiles, bool isMarked = true);
[[nodiscard]] std::string shapeText(const Description& d);
[[nodiscard]] std::string packText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string convolveText(const Description& d, const Tiles& tiles);
/// What a chain's function is given beside the value.
struct Given {
    bool norm = false;      ///< a float2, mean and scale; else those of the image in Parameters
    std::string_view index; ///< of the element, where it reads one
};
/// A call of the chain's function, or the value itself where it has no steps.
[[nodiscard]] std::string called(const Chain& chain, std::string_view name, std::string_view value,
                                 const Given& given = {});
/// A function of a value, its filter and its element, with a line for each step.
[[nodiscard]] std::string chainText(const Chain& chain, std::string_view name, std::string_view what,
                                    Formulas& formulas, bool givenNorm = false);
/// The functions for filters together.
[[nodiscard]] std::string acrossText(const Description& d, const Chain& chain, Formulas& formulas, Across form,
                                     Each value);
[[nodiscard]] std::string chainsText(const Description& d, const Tiles& tiles);
/// A group's convolution: all channels into `out`.
[[nodiscard]] std::string channelsText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string kernelText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string windowsKernelText(const Description& d, const Tiles& tiles);
/// Kernels that finish what others have begun: sums of blocks, lines, late norms.
[[nodiscard]] std::string summaryText(const Description& d);
[[nodiscard]] std::string lateText(const Description& d);
/// What the norm of `d` is computed from: the same convolution, each output once, and sums of moments.
[[nodiscard]] Description statisticsOf(const Description& d);
/// The kernel that makes means and scales of the sums of blocks.
[[nodiscard]] std::string normText(const Description& statistics, const Norm& norm);

} // namespace kernelarium::kernelgen::convolution

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/kernelgen/convolution/Description.h"
#include "core/kernelgen/convolution/Tiles.h"
#include "core/task/Card.h"

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
/// A parameter's name in the file.
[[nodiscard]] std::string identifier(std::string_view name);
/// The text of `one` for every axis, with @A@ and @a@ replaced by its letter, joined by `between`.
[[nodiscard]] std::string forAxes(const Description& d, std::string_view one, std::string_view between = "");

[[nodiscard]] std::string constantsText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string shapeText(const Description& d);
[[nodiscard]] std::string packText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string convolveText(const Description& d, const Tiles& tiles);
/// A call of the chain's function, or the value itself where it has no steps.
[[nodiscard]] std::string called(const Chain& chain, std::string_view name, std::string_view value);
[[nodiscard]] std::string chainsText(const Description& d);
[[nodiscard]] std::string kernelText(const Description& d, const Tiles& tiles);
[[nodiscard]] std::string summaryText(const Description& d);
/// What the norm of `d` is computed from: the same convolution, each output once, and sums of moments.
[[nodiscard]] Description statisticsOf(const Description& d);
/// The kernel that makes means and scales of the sums of blocks.
[[nodiscard]] std::string normText(const Description& statistics, const Norm& norm);
/// The host function that launches them.
[[nodiscard]] std::string normHostText(const Description& statistics, const Norm& norm, const Tiles& tiles);
[[nodiscard]] Result<std::string> forwardText(const Description& d, const Tiles& tiles, const task::Card& card);

} // namespace kernelarium::kernelgen::convolution

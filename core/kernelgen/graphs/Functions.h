// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/graphs/Code.h"

namespace kernelarium::kernelgen::graphs {

/// A function of the file that does an action, and its call.
struct BlockFunction {
    std::string name;
    std::string text;
    std::string call; ///< without what is before: "multiply5(sums6, tiles.loop.x[stage], ...);"
};
/// Of any action but products: Products.h has those.
[[nodiscard]] BlockFunction functionFor(const Code& code, const Action& action, bool isSecond);

/// Whether an input's tile comes by copies of 16 bytes that are on their way while something else is done.
[[nodiscard]] bool isCopied(const Code& code, std::size_t input);
/// What loads call.
extern const char* const copyText;
/// Values of 16-bit elements.
[[nodiscard]] std::string valueText(tensor::DType dtype);

/// "loadX"
[[nodiscard]] std::string withVerb(const std::string& verb, const std::string& name);
[[nodiscard]] std::string parameterList(const std::vector<Code::Parameter>& parameters);
[[nodiscard]] std::string argumentList(const std::vector<Code::Parameter>& parameters);

} // namespace kernelarium::kernelgen::graphs

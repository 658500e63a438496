// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/convolution/Description.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::kernelgen::convolution {

/// Writes the formulas of chains as float32 device code, and remembers which scalar functions they call.
class Formulas {
public:
    explicit Formulas(const Description& d)
        : m_d(d) {}

    /// The body of a step. The parameters that it reads are variables of their own names (`loads`); step i of the chain
    /// is `value` where it is `held`, else a variable of its own name.
    [[nodiscard]] std::string body(const Chain& chain, const Step& step, std::string_view value,
                                   const Operand& held = {});
    /// Declarations of what these steps read of the parameters, each once, with `norms` the norm's mean and scale, too;
    /// `index`: the filter's, or the other's.
    [[nodiscard]] std::string loads(const std::vector<const Step*>& steps, std::string_view index,
                                    std::string_view indent, bool norms = true);
    /// Definitions of the functions that were called.
    [[nodiscard]] std::string functions() const;

private:
    const Description& m_d;
    std::set<std::string> m_functions;
};

/// The name of a tensor of the card or a step in the file.
[[nodiscard]] std::string variable(std::string_view name);

} // namespace kernelarium::kernelgen::convolution

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/values/KnownValues.h"

namespace kernelarium::proof {

std::optional<double> exactAt(algebra::Function function, double x) {
    using algebra::Function;
    switch (function) {
    case Function::sqrt: return x;
    case Function::log: return x == 1 ? std::optional(0.0) : std::nullopt;
    case Function::sigmoid: return x == 0 ? std::optional(0.5) : std::nullopt;
    case Function::tanh:
    case Function::erf:
    case Function::gelu:
    case Function::geluTanh:
    case Function::mish: return x == 0 ? std::optional(0.0) : std::nullopt;
    default: return std::nullopt;
    }
}

} // namespace kernelarium::proof

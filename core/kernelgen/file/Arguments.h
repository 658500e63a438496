// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/text/Names.h"
#include "core/task/Card.h"

#include <map>
#include <string>
#include <vector>

namespace kernelarium::kernelgen {

/// What forward is called with, as C++: its parameters, and how each tensor of the card is reached from them.
struct Arguments {
    struct TensorArgument {
        std::string access;       ///< "x", "weights[0]", "params[\"w\"].cast<torch::Tensor>()"
        std::string name;         ///< of the host function's variable
        bool isParameter = false; ///< the access is the variable itself
    };
    std::vector<std::string> parameters;           ///< "torch::Tensor x", "int64_t stride"
    std::map<std::size_t, TensorArgument> tensors; ///< by the number in Card::tensors
    /// Numbers, truth values and strings that the card fixes: the name, and the value as C++.
    std::vector<std::pair<std::string, std::string>> constants;
    /// Whole numbers, by the name in C++; what they are may depend on the size.
    std::vector<std::pair<std::string, task::SizeExpression>> integers;
    /// What holds of arguments that are not tensors where the card fixes them: "stride == 2", "!causal".
    std::vector<std::string> checks;
};

/// Names of variables are taken from `names`.
[[nodiscard]] Arguments argumentsOf(const task::Card& card, Names& names);

} // namespace kernelarium::kernelgen

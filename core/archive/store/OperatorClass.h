// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace kernelarium::archive {

/// What a task mostly computes.
enum class OperatorClass {
    matrix, ///< matrix multiplication in any form
    convolution,
    pooling,
    normalisation,
    activation,
    reduction,
    loss,
    scan,
    network, ///< whole networks: level 3
    other
};

inline constexpr std::array<std::string_view, 10> operatorClassWords = {
    "matrix", "convolution", "pooling", "normalisation", "activation", "reduction", "loss", "scan", "network", "other"};

constexpr std::string_view operatorClassWord(OperatorClass operatorClass) {
    return operatorClassWords[static_cast<std::size_t>(operatorClass)];
}

constexpr std::optional<OperatorClass> operatorClassFromWord(std::string_view word) {
    for (std::size_t i = 0; i < operatorClassWords.size(); ++i)
        if (operatorClassWords[i] == word) return static_cast<OperatorClass>(i);
    return std::nullopt;
}

/// Parts of operators' names, in lower case, that make a class: the first class with one of its parts in the name.
struct OperatorClassParts {
    OperatorClass operatorClass;
    std::vector<std::string_view> parts;
};
const std::vector<OperatorClassParts>& operatorClassParts();

/// By words in the operator's name, in either case: of a fused one (level 2) a convolution counts before a
/// matrix product, that before everything else. Level 3 is `network`.
OperatorClass operatorClassOf(std::int64_t level, std::string_view opName);

} // namespace kernelarium::archive

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <functional>

namespace kernelarium::task {

/// Turns a card's argument into a value: sizes evaluated, tensors and nodes looked up. Throws
/// std::runtime_error.
struct Binding {
    const Symbols& symbols;
    std::span<const tensor::Tensor> tensors;
    std::function<tensor::Value(const std::string&)> node; ///< result of an earlier node; may be empty where none occur
    std::optional<tensor::DType> floatType;                ///< replaces every floating element type named in the graph

    [[nodiscard]] tensor::Value operator()(const Argument& argument) const;
};

/// Calls f(name) for every node that the argument refers to.
void forNodes(const Argument& argument, const std::function<void(const std::string&)>& f);

/// The arguments of forward, in order, with these tensors (one for each of the card's).
Result<std::vector<tensor::Value>> callArguments(const Card& card, const Symbols& symbols,
                                                 std::span<const tensor::Tensor> tensors);

} // namespace kernelarium::task

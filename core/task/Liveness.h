// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <vector>

namespace kernelarium::task {

/// Index of the last node of the graph that takes a value; the graph's size for what forward returns.
struct LastUses {
    std::unordered_map<std::string, std::size_t> nodes; ///< results; a node that nothing takes is its own last user
    std::vector<std::size_t> tensors;                   ///< the card's tensors; 0 where nothing takes one
    std::vector<std::size_t> firstOfTensors; ///< the first node that takes each, as above; 0 too where nothing does
};
[[nodiscard]] LastUses lastUses(const Card& card);

} // namespace kernelarium::task

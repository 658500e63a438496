// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::test {

/// A name that the census counted and that is no use of an API, or one that is not here.
struct Refusal {
    std::string name; ///< as in a .uses file
    std::string reason;
};
const std::vector<Refusal>& refusals();

} // namespace kernelarium::test

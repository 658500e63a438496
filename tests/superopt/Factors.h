// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/UnitSource.h"

#include <chrono>

namespace kernelarium::superopt {

/// A small space to test a search with: products of digits that give one number, in any order. A unit prescribes the
/// first two digits; what is found is the digits in their order of size, so that many units find the same.
class Factors : public UnitSource {
public:
    int target = 2520;
    int digits = 8;                        ///< at most
    std::string salt;                      ///< makes it another search
    std::chrono::milliseconds unitTime{0}; ///< that each unit takes at least

    [[nodiscard]] std::map<std::string, std::string> identity() const override;
    [[nodiscard]] Result<std::vector<std::string>> units(const std::stop_token& stop) override;
    [[nodiscard]] Result<Exploration> explore(const std::string& unit,
                                              const std::function<void(const StateCounts&)>& tell,
                                              const std::stop_token& stop) const override;
    /// Two rungs: those with a 7 beside a 6 fall at the second, those with a 9 are not decided by it.
    [[nodiscard]] Result<Climb> climb(const FoundGraph& graph, const std::stop_token& stop) const override;
};

} // namespace kernelarium::superopt

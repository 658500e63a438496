// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/store/Record.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::schedule {

/// What Nsight Compute measured of one schedule's kernel on a GPU, at the search's size.
struct CounterSet {
    struct Figure {
        std::string metric; ///< its raw name
        std::string unit;   ///< as Nsight Compute writes it; empty: none
        double value = 0;   ///< the mean of the launches
    };
    std::string hash; ///< Step::hash of the schedule
    std::string device, size;
    std::size_t launches = 0; ///< of the kernel
    std::vector<Figure> figures;
    std::int64_t when = 0; ///< milliseconds since 1970

    [[nodiscard]] const Figure* find(std::string_view metric) const; ///< null: it was not measured
};
[[nodiscard]] nlohmann::json toJson(const CounterSet& set);
[[nodiscard]] Result<tuning::Record> recordOf(const CounterSet& set);
/// Error "bad_input".
[[nodiscard]] Result<CounterSet> counterSetFrom(const tuning::Record& record);

} // namespace kernelarium::schedule

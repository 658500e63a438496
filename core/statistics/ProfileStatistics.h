// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/statistics/Curves.h"

#include <functional>
#include <map>
#include <stop_token>
#include <string>

namespace kernelarium::statistics {

/// A metric of Nsight Compute among the kernels that are faster than the median of their task's profiled
/// correct kernels, and among those that are slower.
struct FastAndSlow {
    std::string metric;
    std::string unit;
    std::int64_t fast = 0; ///< kernels with a value
    std::int64_t slow = 0;
    double medianFast = 0;
    double medianSlow = 0;
    std::vector<std::uint32_t> fastRows; ///< those kernels, in the order they were read
    std::vector<std::uint32_t> slowRows;
};

struct ProfileStatistics {
    std::int64_t tidied = 0; ///< kernels with a clang-tidy report that can be read
    std::int64_t warnings = 0;
    double medianWarnings = 0; ///< per kernel; NaN without any
    double meanWarnings = 0;
    std::map<std::string, std::int64_t> warningsByCheck;
    std::map<std::string, std::vector<std::uint32_t>> rowsByCheck; ///< kernels with a warning of the check, each once
    std::vector<std::uint32_t> tidiedRows;
    std::vector<std::uint32_t> warnedRows; ///< those with a warning
    std::int64_t profiled = 0;             ///< kernels with an NCU profile that can be read
    std::vector<FastAndSlow>
        metrics; ///< of throughput, bank conflicts, occupancy and hit rates, those that profiles have
    std::map<std::string, std::int64_t> rules; ///< kernels by the warnings (not informations) that NCU gave
    std::map<std::string, std::vector<std::uint32_t>> rowsByRule; ///< those kernels
    std::vector<std::uint32_t> profiledRows;
    std::int64_t unreadable = 0;               ///< cells of another form
    std::vector<std::uint32_t> unreadableRows; ///< the kernels that have them
};

struct ProfileOptions {
    std::stop_token stop = {};
    std::function<void(std::size_t done, std::size_t all)> progress = {};
};

/// Of the same kernels, and of those that do not fail our checks.
struct ProfilePair {
    ProfileStatistics archived;
    ProfileStatistics standing;
};

/// Reads the profiles of these rows, once: some seconds for a whole archive. `failing` ascending. Errors: those of
/// Archive, "cancelled".
Result<ProfilePair> profilePair(archive::Archive& archive, const archive::KernelTable& table, Rows rows, Rows failing,
                                const ProfileOptions& options = {});
/// The first of them alone.
Result<ProfileStatistics> profileStatistics(archive::Archive& archive, const archive::KernelTable& table, Rows rows,
                                            const ProfileOptions& options = {});

} // namespace kernelarium::statistics

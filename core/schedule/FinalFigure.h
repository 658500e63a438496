// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/PairedTimes.h"
#include "core/tuning/store/Record.h"

#include <cstdint>
#include <span>
#include <string>

namespace kernelarium::schedule {

/// What a schedule gave beside the original in a process that had timed nothing else: the best of many noisy
/// measurements looks better than it is.
struct FinalFigure {
    std::string hash; ///< Step::hash of the schedule; of an alternative its words
    std::string mode; ///< "cold", "hot"
    std::string device;
    std::size_t pairs = 0;      ///< 0: it could not be timed, and `reason` says why
    double ratio = 1;           ///< its time / the original's: under 1 it is faster
    double low = 1, high = 1;   ///< of the ratio: perf::ratioInterval
    double seconds = 0;         ///< median, of the schedule
    double originalSeconds = 0; ///< median
    bool isFaulted = false;     ///< it ended otherwise than the original, or an output differs: the reason has it
    std::string reason;
    std::int64_t when = 0; ///< milliseconds since 1970

    static constexpr std::size_t wantedPairs = 200;
    [[nodiscard]] bool isTimed() const { return pairs > 0; }
    [[nodiscard]] bool isFaster() const { return isTimed() && high < 1; } ///< for certain: the whole interval
    [[nodiscard]] bool isSlower() const { return isTimed() && low > 1; }
};

[[nodiscard]] FinalFigure finalFigure(std::string hash, std::string mode, std::string device,
                                      std::span<const perf::TimedPair> pairs);
[[nodiscard]] nlohmann::json toJson(const FinalFigure& figure);
[[nodiscard]] Result<tuning::Record> recordOf(const FinalFigure& figure);
/// Errors "bad_input".
[[nodiscard]] Result<FinalFigure> finalFigureFrom(const nlohmann::json& fields);
[[nodiscard]] Result<FinalFigure> finalFigureFrom(const tuning::Record& record);

/// "cold: 1.2% faster (0.8 to 1.6%), 200 pairs in a fresh process" or "cold: no gain found (between 0.3% faster and
/// 0.4% slower), ...".
[[nodiscard]] std::string finalWords(const FinalFigure& figure);

} // namespace kernelarium::schedule

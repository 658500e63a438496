// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Judged.h"
#include "core/tuning/store/Store.h"
#include "gpu/protocol/PointEvaluation.h"
#include "gpu/protocol/TimeMessages.h"

#include <filesystem>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// What a measured sweep's winner gave when it was timed again in pairs with the kernel as it stands, in processes that
/// had timed nothing else.
struct Confirmation {
    std::string key;          ///< of the winner
    std::string size;         ///< at which both were timed
    std::string mode;         ///< as TimeParameters::mode
    std::string device;       ///< "NVIDIA H200"
    double ratio = 0;         ///< the start's time / the winner's: over 1, the winner is faster
    double low = 0, high = 0; ///< of the ratio: perf::ratioInterval
    std::size_t pairs = 0;    ///< 0: it could not be timed, and `reason` says why
    double winnerSeconds = 0; ///< the winner's median in that process
    std::string reason;
    std::int64_t when = 0; ///< milliseconds since 1970

    [[nodiscard]] bool timed() const { return pairs > 0; }
    /// The winner is faster for certain: the whole interval is above 1.
    [[nodiscard]] bool holds() const { return timed() && low > 1; }
};

/// Times the texts of two points against each other.
class PairTimer {
public:
    virtual ~PairTimer() = default;
    /// At that size. The summary's pairs have the winner first. Errors as those of KernelClient.
    [[nodiscard]] virtual Result<TimeSummary> time(const tuning::Point& winner, const tuning::Point& start,
                                                   const std::string& size, const std::stop_token& stop) = 0;
};

/// In a compile child and a run child that it starts for each call, and ends with it.
class FreshPairTimer : public PairTimer {
public:
    FreshPairTimer(const tuning::TunableText& tunable, const PointSettings& settings, TrialJudge::Commands commands);
    [[nodiscard]] Result<TimeSummary> time(const tuning::Point& winner, const tuning::Point& start,
                                           const std::string& size, const std::stop_token& stop) override;

private:
    const tuning::TunableText& m_tunable;
    const PointSettings& m_settings;
    TrialJudge::Commands m_commands;
};

/// Confirms the best point of a store and keeps that in it: a record of the kind "confirmation" for each size, whose
/// key is the winner's and the size's. What is confirmed already is not timed again; where it could not be timed it is
/// tried again. Nothing to do where no point may be called best, or the best is the kernel as it stands. Errors: those
/// of the store, "cancelled"; that a point cannot be timed is none.
[[nodiscard]] Result<std::vector<Confirmation>> confirmWinner(const tuning::TunableText& tunable,
                                                              const PointSettings& settings, tuning::Store& store,
                                                              PairTimer& timer, const std::stop_token& stop = {});

/// What is kept of a point, by size in the order of the file; the last of a size counts. Errors of StoreReader.
[[nodiscard]] Result<std::vector<Confirmation>> readConfirmations(const std::filesystem::path& store,
                                                                  const std::string& key);

/// "confirmed in a fresh process: 1.35× (1.33 to 1.37), 12 pairs", or "not confirmed in a fresh process: ...", which
/// says what that means.
[[nodiscard]] std::string confirmationWords(const Confirmation& confirmation);
[[nodiscard]] nlohmann::json toJson(const Confirmation& confirmation);

} // namespace kernelarium::protocol

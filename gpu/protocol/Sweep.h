// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tuning/search/Search.h"
#include "core/tuning/store/Store.h"
#include "gpu/protocol/Confirmation.h"
#include "gpu/protocol/EarlierSweep.h"
#include "gpu/protocol/PointEvaluation.h"

#include <filesystem>
#include <functional>
#include <string>

namespace kernelarium::protocol {

/// A parameter sweep: a kernel's text with its space, and how it is searched. The command line, the window and cluster
/// jobs run it in the same way.
struct SweepRequest {
    std::string label; ///< of the kernel: a file's name, an archive's label
    std::string task;  ///< "1/1"; empty: none
    tuning::TunableText tunable;
    std::string spaceFile; ///< the JSON that the space was read from; empty: marks in the text
    PointSettings points;
    std::string strategy = "exhaustive";
    std::uint64_t seed = 1; ///< of chance in the strategy
    tuning::Budget budget;
    tuning::Shard shard;
    EarlierSweep earlier; ///< whose points need no look any more
    std::size_t jobs = 1;
};

/// Reads the space of a text: its marks, or those of a JSON file (`spaceFile` not empty). Errors: "bad_input",
/// "no_parameters" with what to write.
[[nodiscard]] Result<tuning::TunableText> tunableOf(std::string text, const std::string& spaceFile);

/// Two sweeps with the same one may go on in one store. Budget, jobs and shard do not count.
[[nodiscard]] tuning::Header headerOf(const SweepRequest& request);

/// Where its values come from: "modelled on NVIDIA H200, size full", "measured, cold, size full".
[[nodiscard]] std::string valueWords(const SweepRequest& request);

/// Opens the store for it, or makes it and keeps in it what readSweep() reads. Errors of Store::open() and, before
/// anything is made, of the earlier sweep's store.
[[nodiscard]] Result<tuning::Store> openSweepStore(const std::filesystem::path& path, const SweepRequest& request);

/// What a sweep's store is of. Errors: those of StoreReader; "not_sweep" for the store of another search.
[[nodiscard]] Result<SweepRequest> readSweep(const std::filesystem::path& path);

struct SweepWatch {
    std::function<void(const tuning::Judged&)> judged = {}; ///< kept now; from any thread, one at a time
    std::function<void(const tuning::Progress&)> progress = {};
    tuning::Pause* pause = nullptr;
    /// The winner's, of each size; once, after the search. See runSweep().
    std::function<void(const std::vector<Confirmation>&)> confirmed = {};
};

/// Runs or resumes it. Where points are measured and the whole space is this run's, the winner of a sweep that was not
/// stopped is timed again against the kernel as it stands, in fresh processes (Confirmation.h). The commands' threads
/// are those of each point. The end's note is the proposer's. Errors: those of runSearch() and the children's.
[[nodiscard]] Result<tuning::Ended> runSweep(const SweepRequest& request, tuning::Store& store,
                                             const TrialJudge::Commands& commands, const SweepWatch& watch,
                                             std::stop_token stop = {});

} // namespace kernelarium::protocol

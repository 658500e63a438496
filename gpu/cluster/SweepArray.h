// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/NewArray.h"
#include "gpu/cluster/Work.h"
#include "gpu/protocol/Sweep.h"

namespace kernelarium::cluster {

inline constexpr const char* sweepWork = "sweep";

/// Makes the array of a sweep whose results go to `target`. A task's part is a store that holds all of the sweep
/// (Sweep.h), as a shard, and what the target knows of its points: the task is `tune resume PART`. A budget of looks is
/// divided among the tasks, one of time is each task's own.
/// Errors: "other_search" (the target is of another one), "bad_usage" (without a budget every task would look at every
/// point: the strategy does not divide them), those of makeArray() and of the stores.
[[nodiscard]] Result<Book> makeSweepArray(const protocol::SweepRequest& request, const std::string& timeBudget,
                                          const std::filesystem::path& target, const Engine& engine, ArrayWish wish);

[[nodiscard]] Result<std::unique_ptr<Work>> makeSweepWork(const Plan& plan, const std::filesystem::path& folder);

/// The sweep of an array that was made. Errors as protocol::readSweep().
[[nodiscard]] Result<protocol::SweepRequest> sweepOfArray(const std::filesystem::path& folder);

} // namespace kernelarium::cluster

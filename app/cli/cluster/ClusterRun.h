// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"
#include "gpu/cluster/Kinds.h"
#include "gpu/cluster/NewArray.h"
#include "gpu/cluster/Watch.h"

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace kernelarium::cli {

/// Of a command that can run as an array of jobs.
struct ClusterOptions {
    std::string engine; ///< empty: here
    unsigned tasks = 8;
    std::vector<std::string> options;
    bool detach = false;
    [[nodiscard]] bool wanted() const { return !engine.empty(); }
};
void addClusterOptions(CLI::App& command, ClusterOptions& options);
/// --part, which an array's script gives its command.
void addPartOption(CLI::App& command, bool& part);

/// `processors` of each task; 0: what the engine gives. Error "missing_component".
[[nodiscard]] Result<cluster::ArrayWish> arrayWish(const ClusterOptions& options, unsigned processors,
                                                   std::stop_token stop);

/// On standard error: that an array submitted earlier, with its own number of tasks and options, goes on.
void sayGoesOn(const cluster::Book& book);
/// Submits, prints where to look and comes back; the exit code. The folder of an array that is refused is removed.
int submitOnly(Context& context, cluster::Engine& engine, cluster::Book book, const std::stop_token& stop);
/// Watches with a line of progress on standard error. At a stop a person at a terminal is asked whether the array is to
/// end, too; where nobody can be asked it goes on. The folder of an array that is refused is removed.
Result<cluster::WatchedArray> watchHere(cluster::Engine& engine, cluster::Book& book, const std::stop_token& stop);

[[nodiscard]] int exitCodeOf(const cluster::WatchedArray& watched);
/// {ended, tasks {pending, running, done, lost, given_up, cancelled}, resubmitted, done, total, given_up [{task, why}]}
[[nodiscard]] nlohmann::json arrayJson(const cluster::WatchedArray& watched);
/// Prints how it ended and what to do next; the exit code.
int tellArray(Context& context, const cluster::WatchedArray& watched, const std::filesystem::path& folder);

} // namespace kernelarium::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/KernelJob.h"

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;

/// `time`: the options that it has beyond those of every job, and what it does.
void addTimeOptions(CLI::App& command, JobOptions& options);
void runTime(const JobOptions& options, Context& context);

/// A timing for people.
[[nodiscard]] std::string timeText(const protocol::TimeSummary& summary, const std::string& label,
                                   const std::string& verdict);

/// Adds a timed attempt to a session file: source, verdict, and a measured time whose detail has device, driver,
/// clocks, samples and mode. FLOPs and compulsory bytes are those of the task. The session is the one last used, or a
/// new one. Errors: those of session::SessionStore.
Result<std::int64_t> keepTiming(const std::filesystem::path& file, const PreparedJob& job, const JobOptions& options,
                                const std::optional<protocol::VerdictAnswer>& verdict,
                                const protocol::TimeSummary& summary);

} // namespace kernelarium::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"

#include <string>

namespace CLI {
class App;
}

namespace kernelarium::cli {

struct Context;
struct JobOptions;

/// --tensor, --slice, --cells, --bins, --worst, --writer, --written-by
void addTensorsOptions(CLI::App& command, JobOptions& options);

/// Prints what a run's tensors hold; exit code 1 where the run did not finish or elements are wrong.
void runTensors(const JobOptions& options, Context& context);

/// For people: the tensors, and the parts of the answer about the one that was asked for.
[[nodiscard]] std::string tensorsText(const tensorview::Answer& answer, const tensorview::Query& query,
                                      const std::string& label, const std::string& source);

} // namespace kernelarium::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/Context.h"

#include <string>

namespace kernelarium::cli {

/// schedule search FILE, schedule resume STORE.
void addSearchScheduleCommands(CLI::App& group, Context& context);

/// Whether the file is the store of a search, of whatever kind.
[[nodiscard]] bool isSearchStore(const std::string& file);
/// What a search's store holds, on standard output; with `output`, its best schedule in that folder.
int showSchedules(Context& context, const std::string& store, bool withSteps, const std::string& output);

} // namespace kernelarium::cli

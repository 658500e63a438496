// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace kernelarium::process {

/// The part of this process's environment that our own children and the programs they start have a use for, by a list
/// of names: what else a user keeps there (tokens, keys) is not handed to processes that work on texts nobody read.
[[nodiscard]] std::vector<std::string> neededEnvironment();

/// The same, and how the C library's allocator of such a child of ours ("PROGRAM worker KIND ...") goes about memory.
[[nodiscard]] std::vector<std::string> workerEnvironment(const std::vector<std::string>& command);

} // namespace kernelarium::process

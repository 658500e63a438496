// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/sqlite/Sqlite.h"

namespace kernelarium::archive {

/// Appends the kernels whose number is over `after`, by ascending number. `codeTexts`: the number of each one's code in
/// table `text`; null where nobody asks. Throws.
void appendKernels(sqlite::Database& database, std::int64_t after, KernelTable& table,
                   std::vector<std::int64_t>* codeTexts = nullptr);

} // namespace kernelarium::archive

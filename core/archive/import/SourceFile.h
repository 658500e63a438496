// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowSource.h"

#include <filesystem>
#include <memory>
#include <vector>

namespace kernelarium::archive {

/// A file of rows in whichever format it is: Parquet by its first bytes or its name (.parquet), else JSON
/// lines; "-" is standard input. The errors of ParquetSource::open and JsonLinesSource::open.
Result<std::unique_ptr<RowSource>> openSourceFile(const std::filesystem::path& path);

/// All or none.
Result<std::vector<std::unique_ptr<RowSource>>> openSourceFiles(const std::vector<std::filesystem::path>& paths);

/// What importRows takes; the sources stay the owner's.
std::vector<RowSource*> pointersTo(const std::vector<std::unique_ptr<RowSource>>& sources);

} // namespace kernelarium::archive

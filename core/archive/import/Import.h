// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/import/ImportReport.h"
#include "core/archive/import/RowSource.h"

#include <filesystem>
#include <span>

namespace kernelarium::archive {

/// Adds the rows of all sources to the archive at `path`, which is made when it does not exist and there is a
/// row for it, and upgraded when it is of an older version. The key of a kernel is (level, task, name, code
/// hash). What is archived stays: an incoming row only fills in what is missing, so importing anything again
/// changes nothing; with ImportOptions::update a row that differs takes the archived one's place. Memory is bounded by
/// a batch of rows (32 MB of text) and the longest row allowed.
///
/// All or nothing: the rows go into a copy that takes the file's place at the end; a cancelled, failed or
/// killed import leaves the file byte for byte as it was. A killed one leaves its copy, batch by batch: the next
/// import of the same unchanged files into the same unchanged archive goes on where it was. Readers are not disturbed;
/// they see the new rows when they open the file again. Errors: those of checkArchiveFile for the target, "busy",
/// "unwritable_file", "disk_full", "cancelled", "unreadable_file" when a source breaks off.
Result<ImportReport> importRows(const std::filesystem::path& path, std::span<RowSource* const> sources,
                                const ImportOptions& options = {});

} // namespace kernelarium::archive

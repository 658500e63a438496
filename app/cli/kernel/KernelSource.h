// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/audit/RowCard.h"
#include "core/text/CompilerSettings.h"

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::cli {

struct TaskName {
    int level = 0;
    int task = 0;
    [[nodiscard]] std::string text() const { return std::to_string(level) + "/" + std::to_string(task); }
};

/// "1/15" or "L1/T15". Error "bad_input".
Result<TaskName> parseTaskName(std::string_view text);

/// A kernel's text and what is known about where it came from.
struct KernelSource {
    std::string folder; ///< that its file lies in; empty for a kernel of an archive
    std::string text;
    std::string label;                          ///< file name, or the archive's label
    std::optional<TaskName> task;               ///< from the archive, or from the file's first comment
    std::optional<audit::RowTask> row;          ///< of an archived kernel: its task as the archive describes it
    std::optional<double> archivedMilliseconds; ///< of one call at the published size
};

/// Reads FILE.cu. A first comment "// kernelarium: task 1/1" names its task.
/// Errors: "bad_input" (missing, a directory, unreadable, larger than 60 MB, not text).
Result<KernelSource> readKernelFile(const std::filesystem::path& path);

/// Has the folder of its file searched first, as a compiler does, where something that the text includes lies in it.
void addOwnFolder(const KernelSource& source, text::CompilerSettings& settings);

/// A kernel of an archive by number, label, or unique name.
Result<KernelSource> readArchivedKernel(const std::filesystem::path& archive, const std::string& id);

} // namespace kernelarium::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace kernelarium::files {

/// A private copy beside a file, which takes its place in one step or never did anything: a program that is
/// killed in between leaves the file exactly as it was, and readers keep what they have opened. One at a
/// time: the copy is locked, and a copy that a killed program left behind is overwritten or gone on with.
class WorkFile {
public:
    /// Copies `target` (which need not exist) to a hidden file in the same folder. Where a killed program left one, it
    /// is kept as it is when `goesOn` (called while it is locked) says so. Errors: "busy" when another import runs,
    /// "unwritable_file" (also where the target is something else than a file: a folder, a device), "disk_full".
    static Result<WorkFile> begin(const std::filesystem::path& target,
                                  const std::function<bool(const std::filesystem::path&)>& goesOn = {});
    ~WorkFile(); ///< removes the copy unless it was committed
    WorkFile(WorkFile&& other) noexcept;
    WorkFile& operator=(WorkFile&&) = delete;

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
    [[nodiscard]] bool targetExisted() const { return m_targetExisted; }

    /// Writes the copy to the disk and renames it to the target.
    Result<void> commit();

private:
    WorkFile(int descriptor, std::filesystem::path path, std::filesystem::path target)
        : m_descriptor(descriptor)
        , m_path(std::move(path))
        , m_target(std::move(target)) {}
    Result<void> copyTarget();

    int m_descriptor;
    std::filesystem::path m_path;
    std::filesystem::path m_target;
    bool m_targetExisted = false;
};

/// Puts a text in the place of a file in one step. Errors: those of WorkFile.
Result<void> replaceFile(const std::filesystem::path& target, std::string_view text);

} // namespace kernelarium::files

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/audit/StoredVerdict.h"

#include <filesystem>

namespace kernelarium::cli {

/// The file of `audit --out`: a JSON line for each verdict, written as it comes.
class AuditLines {
public:
    AuditLines() = default;
    ~AuditLines();
    AuditLines(const AuditLines&) = delete;
    AuditLines& operator=(const AuditLines&) = delete;

    /// Continues an existing file; a last line that a killed audit left unfinished is dropped. Error "unwritable_file".
    Result<void> open(const std::filesystem::path& path);
    /// Does nothing without a file.
    Result<void> write(const audit::JudgedKernel& kernel);

private:
    [[nodiscard]] Error failure() const;

    std::filesystem::path m_path;
    int m_descriptor = -1;
};

} // namespace kernelarium::cli

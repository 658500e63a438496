// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/Archive.h"
#include "core/archive/store/OwnVerdicts.h"

#include <filesystem>
#include <functional>
#include <stop_token>

namespace kernelarium::archive {

/// What an export writes.
enum class ExportFormat {
    csv,       ///< numbers, keys, flags and our verdict, one line a kernel; RFC 4180
    jsonLines, ///< every column under its published name and our verdict: an import of it gives the same kernels
    cudaFiles  ///< a folder with the code of each kernel, exactly as archived, and an index.csv
};

/// How an export is watched and stopped.
struct ExportOptions {
    std::stop_token stop = {};
    std::function<void(std::size_t done, std::size_t all)> progress =
        {};                           ///< ten times a second at most, and at the end
    OwnVerdictsPointer verdicts = {}; ///< ours, which stand beside what the archive says; null: there are none
};

/// What an export wrote.
struct ExportReport {
    std::size_t kernels = 0;
    std::size_t files = 0; ///< written in all
    std::uint64_t bytes = 0;
};

/// Writes kernels in this order to `path`: a file, or for cudaFiles a folder (made when absent; nothing in it
/// is overwritten but files of the same names). A file takes its place when it is complete; a cancelled or
/// failed export leaves a former file alone. Errors: "unknown_kernel", "unwritable_file", "disk_full",
/// "cancelled", those of Archive.
Result<ExportReport> exportKernels(Archive& archive, const std::vector<std::int64_t>& kernels, ExportFormat format,
                                   const std::filesystem::path& path, const ExportOptions& options = {});

/// "L1_T1_name_1a2b3c4d.cu": what is not a letter, digit, '-', '_' or '.' in a name becomes '_'.
std::string cudaFileName(const KernelSummary& kernel);

/// The columns of CSV, and a kernel's line with the line's end. Of our verdict (null: there is none): its word, reasons
/// and remarks (", " between them), the version of the checks, when it was found (UTC) and whether it is stale.
std::string csvHeader();
std::string csvLine(const KernelSummary& kernel, const OwnVerdict* verdict = nullptr);
/// The kernel with all its texts as one line in the published columns, with the line's end. Our verdict, where there is
/// one, is the object `kernelarium_verdict`, which an import leaves out: it is no claim of an archive.
Result<std::string> jsonLine(Archive& archive, const KernelSummary& kernel, const OwnVerdict* verdict = nullptr);

} // namespace kernelarium::archive

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/Import.h"

#include <filesystem>
#include <string>
#include <vector>

/// Writes what a SELECT gives as Parquet; DuckDB's message where that goes wrong, else empty.
std::string parquetProblem(const std::filesystem::path& file, const std::string& select,
                           const std::string& options = {});

/// The same, failing the test.
#define WRITE_PARQUET(...)                                                                                             \
    do {                                                                                                               \
        const std::string writingProblem = parquetProblem(__VA_ARGS__);                                                \
        QVERIFY2(writingProblem.empty(), writingProblem.c_str());                                                      \
    } while (false)

/// A SELECT of a JSON lines file's rows.
std::string fromJson(const std::filesystem::path& file);
/// A SELECT of one row with the required columns.
extern const std::string oneParquetRow;

/// Files of either kind.
kernelarium::Result<kernelarium::archive::ImportReport>
importAny(const std::filesystem::path& archive, const std::vector<std::filesystem::path>& inputs,
          const kernelarium::archive::ImportOptions& options = {});

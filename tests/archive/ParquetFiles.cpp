// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/ParquetFiles.h"

#include "core/archive/import/SourceFile.h"
#include "core/duckdb/Connection.h"
#include "tests/archive/DuckDbWriter.h"

#include <fmt/format.h>

using namespace kernelarium::archive;
using kernelarium::duckdb::sqlText;
namespace fs = std::filesystem;

std::string parquetProblem(const fs::path& file, const std::string& select, const std::string& options) {
    return duckDbRun(fmt::format("COPY ({}) TO {} (FORMAT parquet{})", select, sqlText(file.string()),
                                 options.empty() ? "" : ", " + options));
}

std::string fromJson(const fs::path& file) {
    return fmt::format("SELECT * FROM read_json({}, format = 'newline_delimited', sample_size = -1)",
                       sqlText(file.string()));
}

const std::string oneParquetRow = "SELECT '1_Add' AS Op_Name, 1 AS Level_ID, 2 AS Task_ID, 'k' AS Kernel_Name, "
                                  "'__global__ void k() {}' AS CUDA_Code";

kernelarium::Result<ImportReport> importAny(const fs::path& archive, const std::vector<fs::path>& inputs,
                                            const ImportOptions& options) {
    auto sources = openSourceFiles(inputs);
    if (!sources) return sources.error();
    return importRows(archive, pointersTo(*sources), options);
}

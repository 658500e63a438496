// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/archive/store/KernelTable.h"
#include "core/archive/store/Search.h"
#include "core/archive/store/SignatureTable.h"
#include "core/archive/store/TextStore.h"
#include "core/sqlite/Sqlite.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// What an open archive consists of; its functions throw.
struct ArchiveReader {
    ArchiveReader(std::filesystem::path file, sqlite::Database opened);

    KernelSummary summary(std::int64_t id);
    Result<SearchResult> search(const SearchQuery& query, const std::stop_token& stop);
    Result<std::int64_t> walk(const SearchQuery& query, const FoundRows& found, const std::stop_token& stop);

    /// The kernels in memory, loaded by the first call: what a search filters, sorts and looks up.
    struct Rows {
        std::shared_ptr<const KernelTable> table;
        std::vector<std::int64_t> codeTexts; ///< the number of each row's code
        std::string foldedNames; ///< each row's name and operator, ASCII letters in lower case, '\n' behind each
        std::vector<std::uint32_t> namesAt; ///< where a row's begin in there, and the end
    };
    const Rows& rows();
    const SignatureTable& signatures();

    std::filesystem::path path;
    std::string identity; ///< of the file that was opened
    sqlite::Database database;
    TextStore texts;
    Rows loadedRows;
    std::optional<SignatureTable> loadedSignatures;
    std::optional<sqlite::Statement> summaryStatement;
};

} // namespace kernelarium::archive

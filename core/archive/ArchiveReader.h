// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/Archive.h"
#include "core/sqlite/Sqlite.h"
#include "core/archive/TextStore.h"

namespace kernelarium::archive {

/// The code signatures of the whole file in memory (114 MB for 30,615 kernels), by the text's number.
class SignatureTable {
public:
    explicit SignatureTable(sqlite::Database& database);
    /// Empty where a text has none.
    [[nodiscard]] std::span<const std::uint8_t> of(std::int64_t text) const;

private:
    std::vector<std::int32_t> m_slots; ///< by the text's number; -1: it has none
    std::vector<std::uint8_t> m_bits;
};

/// What an open archive consists of; its functions throw.
struct Archive::Reader {
    Reader(std::filesystem::path file, sqlite::Database opened);

    KernelSummary summary(std::int64_t id);
    Result<SearchResult> search(const SearchQuery& query, const std::stop_token& stop);
    Result<std::int64_t> walk(const SearchQuery& query, const FoundRows& found, const std::stop_token& stop);

    /// The kernels in memory, loaded by the first call: what a search filters, sorts and looks up.
    struct Rows {
        std::shared_ptr<const KernelTable> table;
        std::vector<std::int64_t> codeTexts; ///< the number of each row's code
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

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/RowSource.h"
#include "core/archive/TextStore.h"

#include <map>
#include <span>
#include <vector>

namespace kernelarium::archive {

/// A row on its way into the file, with the hashes of its texts.
struct PendingRow {
    explicit PendingRow(SourceRow source);
    SourceRow row;
    std::array<Digest, textKindCount> hashes{};
    std::string origin;
};

struct WriteOutcome {
    enum class Kind { added, unchanged, completed };
    Kind kind = Kind::unchanged;
    std::vector<std::string_view> conflicts; ///< published names of columns whose archived value differs
};

/// Writes rows into the kernel and text tables of an open transaction. Throws.
class RowWriter {
public:
    explicit RowWriter(sqlite::Database& database);

    /// Trains the dictionaries that the texts of this batch are worth.
    void learn(std::span<const PendingRow> batch);
    WriteOutcome write(const PendingRow& pending);

private:
    struct Archived;
    std::optional<Archived> findArchived(const PendingRow& pending);
    void insert(const PendingRow& pending);
    WriteOutcome merge(const PendingRow& pending, const Archived& archived);
    bool mergeExtra(std::int64_t kernel, const std::string& incoming, WriteOutcome& outcome);
    std::int64_t originId(const std::string& name);

    sqlite::Database& m_database;
    TextStore m_texts;
    sqlite::Statement m_select;
    sqlite::Statement m_insert;
    sqlite::Statement m_update;
    sqlite::Statement m_insertSignature;
    sqlite::Statement m_selectExtra;
    sqlite::Statement m_insertExtra;
    std::map<std::string, std::int64_t> m_origins;
};

} // namespace kernelarium::archive

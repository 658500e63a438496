// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/RowSource.h"
#include "core/archive/store/TextStore.h"

#include <map>
#include <span>
#include <vector>

namespace kernelarium::archive {

/// A row on its way into the file, with the hashes of its texts.
struct PendingRow {
    explicit PendingRow(SourceRow source);
    SourceRow row;
    std::array<files::Digest, textKindCount> hashes{};
    std::string origin;
};

struct WriteOutcome {
    enum class Kind { added, unchanged, completed, updated };
    Kind kind = Kind::unchanged;
    std::vector<std::string_view> conflicts; ///< published names of columns whose archived value differs and was kept
};

/// Writes rows into the kernel and text tables of an open transaction. Throws.
class RowWriter {
public:
    static constexpr std::size_t valueCount = 8;
    using Values = std::array<std::optional<double>, valueCount>; ///< in the order of the kernel table's value columns
    using TextIds = std::array<std::optional<std::int64_t>, textKindCount>;

    /// `update`: a row that differs from the archived one replaces its values.
    explicit RowWriter(sqlite::Database& database, bool update = false);

    /// Trains the dictionaries that the texts of this batch are worth.
    void learn(std::span<const PendingRow> batch);
    WriteOutcome write(const PendingRow& pending);

private:
    struct Archived;
    std::optional<Archived> findArchived(const PendingRow& pending);
    void insert(const PendingRow& pending);
    WriteOutcome merge(const PendingRow& pending, const Archived& archived);
    void mergeValues(const Values& incoming, Values& values, WriteOutcome& outcome) const;
    void mergeTexts(const PendingRow& pending, TextIds& texts, WriteOutcome& outcome);
    void mergeExtra(std::int64_t kernel, const std::string& incoming, WriteOutcome& outcome);
    static void filled(WriteOutcome& outcome);
    /// Whether a differing value takes the archived one's place; says so in the outcome.
    bool replaces(WriteOutcome& outcome, std::string_view column) const;
    std::int64_t originId(const std::string& name);

    sqlite::Database& m_database;
    bool m_update;
    TextStore m_texts;
    sqlite::Statement m_select;
    sqlite::Statement m_insert;
    sqlite::Statement m_change;
    sqlite::Statement m_insertSignature;
    sqlite::Statement m_insertShape;
    sqlite::Statement m_selectExtra;
    sqlite::Statement m_insertExtra;
    std::map<std::string, std::int64_t> m_origins;
};

} // namespace kernelarium::archive

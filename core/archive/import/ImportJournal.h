// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/ImportReport.h"
#include "core/archive/import/RowSource.h"
#include "core/sqlite/Sqlite.h"

#include <optional>
#include <string>
#include <vector>

namespace kernelarium::archive {

/// What an import set out to do. Only the same plan may go on with a work file that was left behind.
struct ImportPlan {
    std::string target;               ///< identity of the archive, empty when it did not exist
    std::vector<std::string> sources; ///< identities, in order
    bool update = false;

    /// None of it could be found again: the journal is not worth keeping.
    [[nodiscard]] bool canBeResumed() const;
};

/// How far an import has come; written in the transaction of the rows that it counts.
struct ImportState {
    std::size_t source = 0; ///< the one being read
    SourceMark mark;        ///< in it
    ImportReport report;
};

void createImportJournal(sqlite::Database& database);

/// A table of the work file while it is a work file. Throws.
class ImportJournal {
public:
    explicit ImportJournal(sqlite::Database& database)
        : m_database(database) {}

    /// The state of the same plan, in the same run of the machine: what a kill interrupts is complete up to
    /// its last transaction, what a power cut interrupts is not.
    std::optional<ImportState> find(const ImportPlan& plan);
    void begin(const ImportPlan& plan);
    void record(const ImportState& state);
    /// Takes the table out of the file without a trace of what it held.
    void remove();

private:
    sqlite::Database& m_database;
};

} // namespace kernelarium::archive

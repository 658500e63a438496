// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/import/Import.h"
#include "core/archive/store/Archive.h"
#include "ui/desks/Kernel.h"
#include "ui/threads/Ask.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace kernelarium::hub {
struct DataSet;
struct GetRequest;
} // namespace kernelarium::hub

namespace kernelarium::ui {

/// The open archive: its table in memory, texts and searches from threads of their own, and rows on their way into one.
class ArchiveDesk : public QObject {
    Q_OBJECT
public:
    using Table = std::shared_ptr<const archive::KernelTable>;

    explicit ArchiveDesk(QObject* parent = nullptr);
    ~ArchiveDesk() override;

    void open(const QString& path);

    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const Error& error() const { return m_error; }
    /// Null until an archive is open.
    [[nodiscard]] const Table& table() const { return m_table; }
    /// The row of the table with this label; -1 where there is none.
    [[nodiscard]] qint64 rowOfLabel(const QString& label) const;

    struct Fetched {
        archive::KernelSummary row;
        QString code;
        RowTexts texts;
    };
    /// A newer call replaces an older one ("cancelled").
    void fetch(qint64 id, std::function<void(Result<Fetched>)> done);

    /// A kernel's source alone. A newer call replaces an older one, and no fetch().
    void fetchCode(qint64 id, std::function<void(Result<QString>)> done);

    struct Found {
        Table table;                     ///< whose rows these are
        std::vector<std::uint32_t> rows; ///< in order; where the query folds, one of those with the same code
        std::unordered_map<std::uint32_t, archive::SearchPlace> places; ///< in the code, by row
        std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>
            folded; ///< the others, by the row that stands for them
        std::size_t foldedCount = 0;
        bool complete = true;     ///< false: more are on their way
        bool codeSearched = true; ///< false: of an archive that is still being imported, names only
    };
    using Answer = std::shared_ptr<const Found>;
    /// The kernels of the table that a query finds: the first of them by `part` as soon as they are there, more as they
    /// come, all by `done`. The query's limit does not hold. A newer call replaces an older, whose parts then stop.
    void find(archive::SearchQuery query, std::function<void(Answer)> part, std::function<void(Result<Answer>)> done);
    /// What the last find() gave: the kernels that Explore shows. Null before the first, and of another archive.
    [[nodiscard]] const Answer& shown() const { return m_shown; }

    /// Imports Parquet and JSON lines files into `database` (made when missing) and opens it.
    void import(const QStringList& inputs, const QString& database);
    /// Downloads a data set's files from the hub, imports them into `database` and opens it.
    void get(const hub::GetRequest& request, const QString& database);
    /// What there is to be had. A newer call replaces an older.
    void listDataSet(const hub::DataSet& dataSet,
                     std::function<void(Result<std::shared_ptr<const hub::GetRequest>>)> done);
    void cancelListing();
    void cancelImport();
    [[nodiscard]] bool isImporting() const { return m_importing; }
    /// While an import runs, the kernels that its archive will have, as far as they are known; null otherwise. They can
    /// be looked at and searched by name; their code can be opened when the import is done.
    [[nodiscard]] const Table& arriving() const { return m_arriving; }

Q_SIGNALS:
    void changed(); ///< stage, table or error
    void shownChanged();
    void arrivingChanged();
    /// `what`: "Importing: 1200 rows…"; `fraction` is negative where it is unknown.
    void importProgress(const QString& what, double fraction);
    void importEnded(const QString& summary, const QStringList& problems, bool ok);

private:
    struct Opened;
    class Arrivals;

    void take(Opened opened);
    void prepareSearch();
    [[nodiscard]] std::function<Result<archive::ImportReport>(const std::vector<std::filesystem::path>& files,
                                                              const std::stop_token& stop)>
    importer(const QString& database);
    void endImport(const Result<archive::ImportReport>& result, const QString& database);

    Stage m_stage = Stage::idle;
    QString m_path;
    Error m_error;
    Table m_table;
    Table m_arriving;
    std::shared_ptr<archive::Archive> m_reader;   ///< used on m_texts
    std::shared_ptr<archive::Archive> m_searcher; ///< of the same file, used on m_searches
    std::shared_ptr<const std::unordered_map<std::string, std::int64_t>> m_rowByLabel;
    Answer m_shown;
    quint64 m_search = 0; ///< counts calls of find(): only the newest is heard
    bool m_importing = false;
    SerialThread m_imports;
    SerialThread m_listings;
    SerialThread m_searches;
    SerialThread m_texts;
};

} // namespace kernelarium::ui

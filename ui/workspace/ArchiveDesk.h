// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/Archive.h"
#include "core/archive/TableSelection.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/Kernel.h"
#include "ui/workspace/States.h"

#include <QObject>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

namespace kernelarium::ui {

/// The open archive: its table in memory, and texts and searches from its own thread.
class ArchiveDesk : public QObject {
    Q_OBJECT
public:
    explicit ArchiveDesk(QObject* parent = nullptr);
    ~ArchiveDesk() override;

    void open(const QString& path);

    [[nodiscard]] Stage stage() const { return m_stage; }
    [[nodiscard]] const QString& path() const { return m_path; }
    [[nodiscard]] const Error& error() const { return m_error; }
    /// Null until an archive is open.
    [[nodiscard]] const std::shared_ptr<const archive::KernelTable>& table() const { return m_table; }
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
        std::vector<std::uint32_t> rows; ///< of the table, in order
        std::unordered_map<std::int64_t, archive::SearchHit> hits; ///< where the text stands in the code, by kernel
        bool codeComplete = true; ///< false: more kernels' code has the text than were looked for
    };
    /// Selects rows; with `inCode`, also those whose code contains the selection's text. A newer call replaces an older.
    void find(archive::TableSelection selection, bool inCode, std::function<void(Result<std::shared_ptr<const Found>>)> done);
    /// What the last find() gave: the kernels that Explore shows. Null before the first, and of another archive.
    [[nodiscard]] const std::shared_ptr<const Found>& shown() const { return m_shown; }

    /// Imports a .jsonl file into `database` (made when missing) and opens it. Progress through importProgress().
    void import(const QStringList& inputs, const QString& database);
    void cancelImport();
    [[nodiscard]] bool isImporting() const { return m_importing; }

Q_SIGNALS:
    void changed();       ///< stage, table or error
    void shownChanged();
    void importProgress(const QString& text, double fraction); ///< fraction is negative where it is unknown
    void importEnded(const QString& summary, const QStringList& problems, bool ok);

private:
    struct Opened {
        std::shared_ptr<archive::Archive> archive;
        std::shared_ptr<const archive::KernelTable> table;
    };

    Stage m_stage = Stage::idle;
    QString m_path;
    Error m_error;
    std::shared_ptr<const archive::KernelTable> m_table;
    std::shared_ptr<archive::Archive> m_reader;   ///< used on m_texts
    std::shared_ptr<archive::Archive> m_searcher; ///< of m_searches alone
    std::unordered_map<std::string, std::int64_t> m_rowByLabel;
    std::shared_ptr<const Found> m_shown;
    bool m_importing = false;
    SerialThread m_imports;
    SerialThread m_searches;
    SerialThread m_texts;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/ArchiveDesk.h"

#include "core/archive/Import.h"
#include "core/archive/JsonLines.h"

#include <QFileInfo>
#include <filesystem>

namespace kernelarium::ui {

namespace {

/// More hits than a person looks through; the table says so when there are more.
constexpr std::int64_t mostHits = 5000;

QString toQt(const std::optional<std::string>& text) {
    return text ? QString::fromStdString(*text) : QString();
}

Result<QString> textOf(archive::Archive& archive, std::int64_t id, archive::TextKind kind) {
    auto text = archive.text(id, kind);
    if (!text) return text.error();
    return toQt(*text);
}

QString summaryOf(const archive::ImportReport& report) {
    QString text = ArchiveDesk::tr("%1 kernels added, %2 already there").arg(report.added).arg(report.unchanged);
    if (report.completed) text += ArchiveDesk::tr(", %1 completed").arg(report.completed);
    if (report.skipped) text += ArchiveDesk::tr(", %1 bad rows skipped").arg(report.skipped);
    if (report.conflicts) text += ArchiveDesk::tr(", %1 rows in conflict (the earlier value was kept)").arg(report.conflicts);
    return text + ArchiveDesk::tr(", in %1 s.").arg(report.seconds, 0, 'f', 1);
}

QStringList problemsOf(const archive::ImportReport& report) {
    QStringList problems;
    for (const auto* remarks : {&report.skippedRows, &report.conflictingRows})
        for (const auto& remark : *remarks)
            problems << QStringLiteral("%1:%2: %3").arg(QString::fromStdString(remark.source)).arg(remark.position)
                            .arg(QString::fromStdString(remark.text));
    return problems;
}

} // namespace

ArchiveDesk::ArchiveDesk(QObject* parent)
    : QObject(parent) {}

ArchiveDesk::~ArchiveDesk() = default;

void ArchiveDesk::open(const QString& path) {
    const QString before = m_table ? m_path : QString();
    m_path = QFileInfo(path).absoluteFilePath();
    m_stage = Stage::running;
    Q_EMIT changed();
    const std::string file = m_path.toStdString();
    ask<Opened>(
        m_texts, this, "open",
        [file](const std::stop_token&) -> Result<Opened> {
            auto opened = archive::Archive::open(file);
            if (!opened) return opened.error();
            auto table = opened->table();
            if (!table) return table.error();
            return Opened{std::make_shared<archive::Archive>(std::move(*opened)),
                          std::make_shared<const archive::KernelTable>(std::move(*table))};
        },
        [this, before](Result<Opened> result) {
            if (!result) {
                if (result.error().code == "cancelled") return;
                if (!before.isEmpty()) m_path = before; // that one stays open
                m_stage = Stage::failed;
                m_error = result.error();
            } else {
                m_reader = result->archive;
                m_table = result->table;
                m_shown.reset();
                m_rowByLabel.clear();
                for (std::size_t i = 0; i < m_table->size(); ++i)
                    m_rowByLabel.emplace(m_table->label(i), std::int64_t(i));
                m_stage = Stage::finished;
                m_error = {};
            }
            Q_EMIT changed();
        });
}

qint64 ArchiveDesk::rowOfLabel(const QString& label) const {
    const auto found = m_rowByLabel.find(label.toStdString());
    return found == m_rowByLabel.end() ? -1 : found->second;
}

void ArchiveDesk::fetch(qint64 id, std::function<void(Result<Fetched>)> done) {
    ask<Fetched>(
        m_texts, this, "fetch",
        [archive = m_reader, id](const std::stop_token& stop) -> Result<Fetched> {
            if (!archive) return Error{"missing_file", "No archive is open.", "Open one with Archive > Open.", {}};
            Fetched fetched;
            auto row = archive->find(std::to_string(id));
            if (!row) return row.error();
            fetched.row = *row;
            const std::pair<archive::TextKind, QString*> wanted[] = {
                {archive::TextKind::cudaCode, &fetched.code},
                {archive::TextKind::moduleCode, &fetched.texts.module},
                {archive::TextKind::functionalCode, &fetched.texts.functional},
                {archive::TextKind::error, &fetched.texts.error},
                {archive::TextKind::ncuProfile, &fetched.texts.ncu},
                {archive::TextKind::torchProfile, &fetched.texts.torch},
                {archive::TextKind::clangTidy, &fetched.texts.tidy}};
            for (const auto& [kind, target] : wanted) {
                if (stop.stop_requested()) return cancelledError();
                auto text = textOf(*archive, id, kind);
                if (!text) return text.error();
                *target = *text;
            }
            return fetched;
        },
        std::move(done));
}

void ArchiveDesk::fetchCode(qint64 id, std::function<void(Result<QString>)> done) {
    ask<QString>(
        m_texts, this, "code",
        [archive = m_reader, id](const std::stop_token&) -> Result<QString> {
            if (!archive) return Error{"missing_file", "No archive is open.", "Open one with Archive > Open.", {}};
            return textOf(*archive, id, archive::TextKind::cudaCode);
        },
        std::move(done));
}

void ArchiveDesk::find(archive::TableSelection selection, bool inCode,
                       std::function<void(Result<std::shared_ptr<const Found>>)> done) {
    using Answer = std::shared_ptr<const Found>;
    if (!m_table) {
        done(Answer(std::make_shared<Found>()));
        return;
    }
    ask<Answer>(
        m_searches, this, "find",
        [this, table = m_table, file = m_path.toStdString(), reader = m_reader, selection = std::move(selection),
         inCode](const std::stop_token& stop) mutable -> Result<Answer> {
            auto found = std::make_shared<Found>();
            if (inCode && !selection.text.empty()) {
                // An archive of its own: a search never delays the kernel that is being opened.
                if (!m_searcher || m_searcher->path() != std::filesystem::path(file) || m_searcher->changedOnDisk()) {
                    auto opened = archive::Archive::open(file);
                    if (!opened) return opened.error();
                    m_searcher = std::make_shared<archive::Archive>(std::move(*opened));
                }
                archive::SearchQuery query;
                query.text = selection.text;
                query.inNames = false;
                query.kernels.filter = selection.filter;
                query.kernels.limit = mostHits;
                auto result = m_searcher->search(query, stop);
                if (!result) return result.error();
                found->codeComplete = result->complete;
                for (auto& hit : result->hits) {
                    selection.alsoIds.insert(hit.kernel.id);
                    found->hits.emplace(hit.kernel.id, std::move(hit));
                }
            }
            found->rows = archive::selectRows(*table, selection);
            return Answer(found);
        },
        [this, table = m_table, done = std::move(done)](Result<Answer> found) {
            if (found && table == m_table) {
                m_shown = *found;
                Q_EMIT shownChanged();
            }
            done(std::move(found));
        });
}

void ArchiveDesk::import(const QStringList& inputs, const QString& database) {
    if (m_importing) return;
    m_importing = true;
    std::vector<std::string> files;
    for (const QString& input : inputs)
        files.push_back(input.toStdString());
    ask<archive::ImportReport>(
        m_imports, this, "import",
        [this, files, path = database.toStdString()](const std::stop_token& stop) -> Result<archive::ImportReport> {
            std::vector<archive::JsonLinesSource> sources;
            sources.reserve(files.size());
            for (const auto& file : files) {
                auto source = archive::JsonLinesSource::open(file);
                if (!source) return source.error();
                sources.push_back(std::move(*source));
            }
            std::vector<archive::RowSource*> pointers;
            for (auto& source : sources)
                pointers.push_back(&source);
            archive::ImportOptions options;
            options.stop = stop;
            options.progress = [this](const archive::ImportProgress& progress) {
                const double fraction =
                    progress.bytesTotal ? double(progress.bytesRead) / double(progress.bytesTotal) : -1;
                const QString text = tr("%1 rows read, %2 added, %3 rows/s")
                                         .arg(progress.rowsRead).arg(progress.rowsAdded)
                                         .arg(progress.rowsPerSecond(), 0, 'f', 0);
                deliver(this, [this, text, fraction] { Q_EMIT importProgress(text, fraction); });
            };
            return archive::importRows(path, pointers, options);
        },
        [this, database](Result<archive::ImportReport> result) {
            m_importing = false;
            if (!result) {
                Q_EMIT importEnded(QString::fromStdString(result.error().text()), {}, false);
                return;
            }
            Q_EMIT importEnded(summaryOf(*result), problemsOf(*result), true);
            if (QFileInfo::exists(database)) open(database); // without a good row none was made
        });
}

void ArchiveDesk::cancelImport() {
    m_imports.cancel("import");
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// Rows on their way into an archive: from files, and from the hub.
#include "ui/desks/ArchiveDesk.h"
#include "ui/words/Quantities.h"

#include "core/archive/import/SourceFile.h"
#include "core/hub/Get.h"

#include <QFileInfo>
#include <chrono>
#include <malloc.h>

namespace kernelarium::ui {

namespace {

using Clock = std::chrono::steady_clock;

/// Small enough for the table to be seen filling; larger ones import no faster.
constexpr std::size_t importBatchRows = 512;
constexpr auto betweenArrivals = std::chrono::milliseconds(300);

QString summaryOf(const archive::ImportReport& report) {
    const auto counted = [](std::size_t count, const QString& one, const QString& many) {
        return count == 1 ? one : many.arg(count);
    };
    QString text = counted(report.added, ArchiveDesk::tr("1 kernel added"), ArchiveDesk::tr("%1 kernels added")) +
                   ArchiveDesk::tr(", %1 already there").arg(report.unchanged);
    if (report.completed) text += ArchiveDesk::tr(", %1 completed").arg(report.completed);
    if (report.skipped)
        text +=
            counted(report.skipped, ArchiveDesk::tr(", 1 bad row skipped"), ArchiveDesk::tr(", %1 bad rows skipped"));
    if (report.conflicts)
        text += counted(report.conflicts, ArchiveDesk::tr(", 1 row in conflict (the earlier value was kept)"),
                        ArchiveDesk::tr(", %1 rows in conflict (the earlier value was kept)"));
    if (report.rowsResumed)
        text = counted(report.rowsResumed, ArchiveDesk::tr("Resumed an interrupted import after 1 row. "),
                       ArchiveDesk::tr("Resumed an interrupted import after %1 rows. ")) +
               text;
    return text + ArchiveDesk::tr(", in %1.").arg(secondsText(report.seconds));
}

QStringList problemsOf(const archive::ImportReport& report) {
    QStringList problems;
    for (const auto* remarks : {&report.skippedRows, &report.conflictingRows})
        for (const auto& remark : *remarks)
            problems << QStringLiteral("%1:%2: %3")
                            .arg(QString::fromStdString(remark.source))
                            .arg(remark.position)
                            .arg(QString::fromStdString(remark.text));
    return problems;
}

QString importText(const archive::ImportProgress& progress) {
    QString text = ArchiveDesk::tr("Importing: %1 rows, %2 rows/s")
                       .arg(wholeText(std::int64_t(progress.rowsRead)), numberText(progress.rowsPerSecond()));
    if (const auto left = progress.secondsLeft()) text += ArchiveDesk::tr(", time left: %1").arg(timeLeftText(*left));
    return text;
}

QString downloadText(const hub::GetProgress& progress) {
    QString text = ArchiveDesk::tr("Downloading %1 (%2 of %3): %4 of %5")
                       .arg(QString::fromStdString(progress.file))
                       .arg(progress.fileNumber)
                       .arg(progress.fileCount)
                       .arg(bytesText(double(progress.bytesDone)), bytesText(double(progress.bytesTotal)));
    if (progress.waits.count() > 0)
        return text +
               ArchiveDesk::tr(", the hub is busy: retrying in %1").arg(timeLeftText(double(progress.waits.count())));
    if (progress.isChecking) return text + ArchiveDesk::tr(", checking");
    if (progress.bytesPerSecond() > 0)
        text += QStringLiteral(", ") + siText(progress.bytesPerSecond(), QStringLiteral("B/s"));
    if (const auto left = progress.secondsLeft()) text += ArchiveDesk::tr(", time left: %1").arg(timeLeftText(*left));
    return text;
}

} // namespace

/// Gathers arriving kernels on the import's thread and hands copies to the desk, a few a second.
class ArchiveDesk::Arrivals {
public:
    explicit Arrivals(ArchiveDesk& desk)
        : m_desk(desk) {}

    void take(const archive::KernelTable& arrived) {
        m_table.append(arrived);
        if (Clock::now() - m_told < betweenArrivals) return;
        m_told = Clock::now();
        deliver(&m_desk, [desk = &m_desk, table = std::make_shared<const archive::KernelTable>(m_table)] {
            if (!desk->m_importing) return;
            desk->m_arriving = table;
            Q_EMIT desk->arrivingChanged();
        });
    }

private:
    ArchiveDesk& m_desk;
    archive::KernelTable m_table;
    Clock::time_point m_told{};
};

std::function<Result<archive::ImportReport>(const std::vector<std::filesystem::path>&, const std::stop_token&)>
ArchiveDesk::importer(const QString& database) {
    return [this, path = database.toStdString()](const std::vector<std::filesystem::path>& files,
                                                 const std::stop_token& stop) -> Result<archive::ImportReport> {
        auto sources = archive::openSourceFiles(files);
        if (!sources) return sources.error();
        Arrivals arrivals(*this);
        archive::ImportOptions options;
        options.stop = stop;
        options.batchRows = importBatchRows;
        options.arrived = [&arrivals](const archive::KernelTable& arrived) { arrivals.take(arrived); };
        options.progress = [this](const archive::ImportProgress& progress) {
            const double fraction = progress.bytesTotal ? double(progress.bytesRead) / double(progress.bytesTotal) : -1;
            deliver(this, [this, text = importText(progress), fraction] { Q_EMIT importProgress(text, fraction); });
        };
        auto report = archive::importRows(path, archive::pointersTo(*sources), options);
        sources->clear();
        malloc_trim(0); // a batch of rows is tens of megabytes, which the heap would keep
        return report;
    };
}

void ArchiveDesk::import(const QStringList& inputs, const QString& database) {
    if (m_importing) return;
    m_importing = true;
    std::vector<std::filesystem::path> files;
    for (const QString& input : inputs)
        files.emplace_back(input.toStdString());
    ask<archive::ImportReport>(
        m_imports, this, "import",
        [files = std::move(files), importFiles = importer(database)](const std::stop_token& stop) {
            return importFiles(files, stop);
        },
        [this, database](const Result<archive::ImportReport>& result) { endImport(result, database); });
}

void ArchiveDesk::get(const hub::GetRequest& request, const QString& database) {
    if (m_importing) return;
    m_importing = true;
    ask<archive::ImportReport>(
        m_imports, this, "import",
        [this, request,
         importFiles = importer(database)](const std::stop_token& stop) -> Result<archive::ImportReport> {
            auto files = hub::get(
                request,
                [this](const hub::GetProgress& progress) {
                    const double fraction =
                        progress.bytesTotal ? double(progress.bytesDone) / double(progress.bytesTotal) : -1;
                    deliver(this,
                            [this, text = downloadText(progress), fraction] { Q_EMIT importProgress(text, fraction); });
                },
                stop);
            if (!files) return files.error();
            return importFiles(*files, stop);
        },
        [this, database](const Result<archive::ImportReport>& result) { endImport(result, database); });
}

void ArchiveDesk::listDataSet(const hub::DataSet& dataSet,
                              std::function<void(Result<std::shared_ptr<const hub::GetRequest>>)> done) {
    using Answer = std::shared_ptr<const hub::GetRequest>;
    ask<Answer>(
        m_listings, this, "list",
        [dataSet](const std::stop_token& stop) -> Result<Answer> {
            auto files = hub::listFiles(dataSet, stop);
            if (!files) return files.error();
            auto request = std::make_shared<hub::GetRequest>();
            request->dataSet = dataSet;
            request->files = std::move(*files);
            return Answer(std::move(request));
        },
        std::move(done));
}

void ArchiveDesk::endImport(const Result<archive::ImportReport>& result, const QString& database) {
    m_importing = false;
    if (result && result->rowsRead == 0 && result->skipped == 0) {
        Q_EMIT importEnded(tr("There are no rows in what was to be imported: nothing was added. Check that the file is "
                              "complete."),
                           {}, false);
        return;
    }
    if (result && QFileInfo::exists(database)) {
        Q_EMIT importEnded(summaryOf(*result), problemsOf(*result), true);
        open(database); // what arrived is shown until it is open
        return;
    }
    if (m_arriving) {
        m_arriving.reset();
        Q_EMIT arrivingChanged();
    }
    if (result) // without a good row no archive was made
        Q_EMIT importEnded(summaryOf(*result), problemsOf(*result), true);
    else if (result.error().code == "cancelled")
        Q_EMIT importEnded(tr("The import was cancelled; the archive is as it was, and what was downloaded is kept."),
                           {}, false);
    else
        Q_EMIT importEnded(QString::fromStdString(result.error().text()), {}, false);
}

void ArchiveDesk::cancelListing() {
    m_listings.cancel("list");
}

void ArchiveDesk::cancelImport() {
    m_imports.cancel("import");
}

} // namespace kernelarium::ui

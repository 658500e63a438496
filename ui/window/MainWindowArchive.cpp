// SPDX-License-Identifier: GPL-3.0-or-later
// How archives come into the window, and kernels out of them.
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/ExportDialog.h"
#include "ui/archive/GetArchiveDialog.h"
#include "ui/audit/AuditPage.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/window/Actions.h"
#include "ui/window/InterruptedImport.h"
#include "ui/window/MainWindow.h"
#include "ui/window/NoticeBar.h"
#include "ui/window/StatusLine.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace kernelarium::ui {

namespace {

constexpr qsizetype mostProblemsShown = 5;

bool isArchive(const QString& ending) {
    return ending == QLatin1String("sqlite") || ending == QLatin1String("db");
}

bool isRows(const QString& ending) {
    return ending == QLatin1String("parquet") || ending == QLatin1String("jsonl") || ending == QLatin1String("ndjson");
}

} // namespace

QString MainWindow::importObstacle() const {
    return m_workspace.archive().isImporting() ? tr("an import is running") : QString();
}

void MainWindow::addArchiveActions() {
    m_actions->add({QStringLiteral("archive.open"),
                    tr("Open an archi&ve…"),
                    tr("Open a Kernelarium archive, or Parquet and JSON lines files of kernels"),
                    QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                    QStringLiteral("archive"),
                    [this] { openArchive(); },
                    {}});
    m_actions->add({QStringLiteral("archive.get"),
                    tr("&Get the archive…"),
                    tr("Download the published archive of 30,000 kernels and import it"),
                    {},
                    {},
                    [this] { getArchive(); },
                    [this] { return importObstacle(); }});
    m_actions->add({QStringLiteral("archive.import"),
                    tr("&Import rows…"),
                    tr("Add the rows of Parquet and JSON lines files to an archive of yours"),
                    {},
                    {},
                    [this] { importRows(); },
                    [this] { return importObstacle(); }});
    m_actions->add(
        {QStringLiteral("archive.starter"),
         tr("Open the s&tarter archive"),
         tr("Open the kernels that come with the program"),
         {},
         {},
         [this] {
             m_notices->settle();
             m_workspace.archive().open(m_workspace.paths().starterArchive);
         },
         [this] { return m_workspace.paths().starterArchive.isEmpty() ? tr("it was not built") : QString(); }});
    const auto addExport = [this](const char* name, const QString& text, const QString& tip, bool onlyChosen) {
        m_actions->add({QLatin1String(name),
                        text,
                        tip,
                        {},
                        QStringLiteral("export"),
                        [this, onlyChosen] { exportKernels(onlyChosen); },
                        [this, onlyChosen]() -> QString {
                            if (m_workspace.exporter().isRunning()) return tr("an export is running");
                            if (m_workspace.archive().arriving()) return tr("an import is running");
                            const auto& shown = m_workspace.archive().shown();
                            if (!shown || shown->rows.empty()) return tr("the archive panel shows no kernel");
                            return onlyChosen && !m_archive->hasChosen()
                                       ? tr("no kernel is selected in the archive panel")
                                       : QString();
                        }});
    };
    addExport("archive.exportChosen", tr("Export selected &kernels…"),
              tr("Write the selected kernels as CSV, JSON lines or .cu files"), true);
    addExport("archive.exportShown", tr("E&xport shown kernels…"),
              tr("Write every kernel that the archive panel shows as CSV, JSON lines or .cu files"), false);
}

void MainWindow::connectArchive() {
    ArchiveDesk& desk = m_workspace.archive();
    connect(&desk, &ArchiveDesk::changed, m_actions, &Actions::refresh);
    connect(&desk, &ArchiveDesk::shownChanged, m_actions, &Actions::refresh);
    connect(&desk, &ArchiveDesk::importProgress, this, [this](const QString& what, double fraction) {
        if (m_workspace.archive().isImporting()) m_status->setErrand(StatusLine::Errand::import, what, fraction);
    });
    connect(&desk, &ArchiveDesk::importEnded, this,
            [this](const QString& summary, const QStringList& problems, bool ok) {
                m_status->setErrand(StatusLine::Errand::import, {}, -1);
                m_workspace.session().setValue(InterruptedImport::key(), InterruptedImport().toJson());
                QString text = summary;
                if (!problems.isEmpty())
                    text += QLatin1Char('\n') + problems.mid(0, mostProblemsShown).join(QLatin1Char('\n'));
                const bool isProblem = !ok || !problems.isEmpty();
                m_notices->show(text, isProblem, isProblem);
                m_actions->refresh();
            });
    ExportDesk& exporter = m_workspace.exporter();
    connect(&exporter, &ExportDesk::progress, this, [this](const QString& what, double fraction) {
        if (m_workspace.exporter().isRunning()) m_status->setErrand(StatusLine::Errand::exporting, what, fraction);
    });
    connect(&exporter, &ExportDesk::ended, this, [this](const QString& summary, bool ok) {
        m_status->setErrand(StatusLine::Errand::exporting, {}, -1);
        m_notices->show(summary, !ok);
        m_actions->refresh();
    });
    connect(m_archive, &ArchivePanel::openRequested, this, &MainWindow::openArchive);
    connect(m_archive, &ArchivePanel::getRequested, this, &MainWindow::getArchive);
    connect(m_archive, &ArchivePanel::exportRequested, this, &MainWindow::exportKernels);
    connect(m_archive, &ArchivePanel::stateChanged, this, &MainWindow::stateChangedSoon);
    connect(m_archive, &ArchivePanel::shownChanged, m_actions, &Actions::refreshSoon);
}

void MainWindow::openPaths(const QStringList& paths) {
    QStringList rows, tables;
    for (const QString& path : paths) {
        const QString ending = QFileInfo(path).suffix().toLower();
        if (ending == QLatin1String("csv")) {
            tables << path;
            continue;
        }
        if (isRows(ending)) {
            rows << path;
        } else if (isArchive(ending)) {
            m_notices->settle();
            m_workspace.archive().open(path);
            showDock(QStringLiteral("archive"));
        } else if (!QFileInfo::exists(path)) {
            // Said until it is closed: at the start, the kernel of the last time takes its place.
            m_workspace.postLasting(tr("There is no file %1. Check its name; File, Open a kernel looks for it.")
                                        .arg(QFileInfo(path).absoluteFilePath()));
            continue;
        } else {
            m_workspace.openFile(path);
        }
        remember(path);
    }
    if (!tables.isEmpty()) importTables(tables);
    if (!rows.isEmpty()) importFiles(rows, m_workspace.paths().dataFolder + QStringLiteral("/archive.sqlite"));
}

void MainWindow::importFiles(const QStringList& inputs, const QString& database) {
    if (const QString obstacle = importObstacle(); !obstacle.isEmpty()) {
        m_notices->show(tr("Not now: %1. Escape stops it.").arg(obstacle), true);
        return;
    }
    QDir().mkpath(QFileInfo(database).absolutePath());
    QStringList files; // the next start may be in another folder
    for (const QString& input : inputs)
        files << QFileInfo(input).absoluteFilePath();
    m_workspace.session().setValue(InterruptedImport::key(),
                                   InterruptedImport{files, QFileInfo(database).absoluteFilePath()}.toJson());
    m_workspace.archive().import(inputs, database);
    m_status->setErrand(StatusLine::Errand::import,
                        tr("Importing: reading %1").arg(QFileInfo(inputs.front()).fileName()), -1);
    showDock(QStringLiteral("archive"));
    m_actions->refresh();
}

void MainWindow::offerInterruptedImport() {
    const auto import = InterruptedImport::fromJson(m_workspace.session().value(InterruptedImport::key()));
    if (import.isNone()) return;
    const auto forgetWhenClosed = [this] {
        connect(m_notices, &NoticeBar::closed, this, [this, offer = m_notices->text()](const QString& closed) {
            if (closed == offer && !m_workspace.archive().isImporting())
                m_workspace.session().setValue(InterruptedImport::key(), InterruptedImport().toJson());
        });
    };
    if (import.isDownload()) {
        m_notices->offer(tr("Getting the archive was interrupted; what was downloaded is kept."), tr("Go on…"),
                         tr("Choose the files again; the download goes on where it was"), [this] { getArchive(); });
        forgetWhenClosed();
        return;
    }
    const QString name = QFileInfo(import.inputs.front()).fileName();
    const QString what = import.inputs.size() == 1
                             ? tr("The import of %1").arg(name)
                             : tr("The import of %1 and %n more", nullptr, int(import.inputs.size()) - 1).arg(name);
    if (const QStringList missing = import.missing(); !missing.isEmpty()) {
        m_notices->show(
            tr("%1 was interrupted; the archive is as it was before. To go on, %2 would have to be there again.")
                .arg(what, missing.join(QStringLiteral(", "))),
            true);
        forgetWhenClosed();
        return;
    }
    m_notices->offer(tr("%1 was interrupted; the archive is as it was before.").arg(what), tr("Go on"),
                     tr("Import the rest of the rows into %1").arg(import.database),
                     [this, import] { importFiles(import.inputs, import.database); });
    forgetWhenClosed();
}

void MainWindow::openArchive() {
    openPaths(QFileDialog::getOpenFileNames(
        this, tr("Open an archive"), {},
        tr("Archives and rows of kernels (*.sqlite *.db *.parquet *.jsonl *.ndjson);;All files (*)")));
}

void MainWindow::importRows() {
    const QStringList inputs = QFileDialog::getOpenFileNames(
        this, tr("Import rows"), {}, tr("Rows of kernels (*.parquet *.jsonl *.ndjson);;All files (*)"));
    if (inputs.isEmpty()) return;
    const QString suggestion = m_workspace.paths().dataFolder + QStringLiteral("/archive.sqlite");
    const QString database = QFileDialog::getSaveFileName(
        this, tr("Import into"), suggestion, tr("Archives (*.sqlite)"), nullptr, QFileDialog::DontConfirmOverwrite);
    if (!database.isEmpty()) importFiles(inputs, database);
}

void MainWindow::getArchive() {
    if (!importObstacle().isEmpty()) return;
    const QString folder = m_workspace.paths().dataFolder;
    auto* dialog = new GetArchiveDialog(m_workspace.archive(), folder + QStringLiteral("/downloads"), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, folder] {
        if (!importObstacle().isEmpty()) return;
        QDir().mkpath(folder);
        m_workspace.session().setValue(InterruptedImport::key(),
                                       InterruptedImport{{}, folder + QStringLiteral("/archive.sqlite")}.toJson());
        m_workspace.archive().get(dialog->request(), folder + QStringLiteral("/archive.sqlite"));
        m_status->setErrand(StatusLine::Errand::import, tr("Downloading"), -1);
        showDock(QStringLiteral("archive"));
        m_actions->refresh();
    });
    dialog->open();
}

void MainWindow::exportKernels(bool onlyChosen) {
    const auto chosen = m_archive->chosenKernels(), shown = m_archive->shownKernels();
    if (m_workspace.exporter().isRunning() || shown.empty()) return;
    auto* dialog = new ExportDialog(int(chosen.size()), int(shown.size()), onlyChosen, QDir::homePath(), this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, chosen, shown, archive = m_workspace.archive().path()] {
        m_workspace.exporter().start(archive, dialog->onlyChosen() ? chosen : shown, dialog->format(), dialog->path());
        m_status->setErrand(StatusLine::Errand::exporting, tr("Exporting"), -1);
        m_actions->refresh();
    });
    dialog->open();
}

/// What the user waits for first; an audit, which runs in the background, when there is nothing else.
void MainWindow::cancelWork() {
    const bool waiting = m_workspace.isBusy() || m_workspace.archive().isImporting() ||
                         m_workspace.exporter().isRunning() || isBusy(m_workspace.tidy().state().stage);
    m_workspace.archive().cancelImport();
    m_workspace.exporter().cancel();
    m_hgemm->desk().cancel();
    m_workspace.cancel();
    const bool counting = m_statistics->desk().isBusy();
    if (!waiting) m_statistics->desk().cancel();
    if (!waiting && !counting) m_audit->pause();
}

} // namespace kernelarium::ui

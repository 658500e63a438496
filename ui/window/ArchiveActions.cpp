// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/ArchiveActions.h"

#include "ui/archive/ArchiveButton.h"
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/ExportDialog.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/desks/ExportDesk.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/RecentFiles.h"
#include "ui/frame/StatusLine.h"
#include "ui/window/Imports.h"
#include "ui/window/PathOpener.h"

#include <QDir>
#include <QFileDialog>

namespace kernelarium::ui {

ArchiveActions::ArchiveActions(const Around& around, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_parts(parts)
    , m_window(window) {
    m_parts.actions.add({QStringLiteral("archive.open"),
                         tr("Open an archi&ve…"),
                         tr("Open a Kernelarium archive, or Parquet and JSON lines files of kernels"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O),
                         QStringLiteral("archive"),
                         [this] { openArchive(); },
                         {}});
    m_parts.actions.add({QStringLiteral("archive.get"),
                         tr("&Get the archive…"),
                         tr("Download the published archive of 30,000 kernels and import it"),
                         {},
                         {},
                         [this] { m_parts.imports.chooseDownload(); },
                         [this] { return m_parts.imports.obstacle(); }});
    m_parts.actions.add({QStringLiteral("archive.import"),
                         tr("&Import rows…"),
                         tr("Add rows from Parquet and JSON lines files to one of your archives"),
                         {},
                         {},
                         [this] { m_parts.imports.chooseRows(); },
                         [this] { return m_parts.imports.obstacle(); }});
    m_parts.actions.add(
        {QStringLiteral("archive.starter"),
         tr("Open the s&tarter archive"),
         tr("Open the kernels that come with the program"),
         {},
         {},
         [this] {
             m_parts.notices.settle();
             m_with.archive.open(m_with.paths.starterArchive);
         },
         [this] { return m_with.paths.starterArchive.isEmpty() ? tr("this build does not include one") : QString(); }});
    const auto addExport = [this](const char* name, const QString& text, const QString& tip, bool onlyChosen) {
        m_parts.actions.add({QLatin1String(name),
                             text,
                             tip,
                             {},
                             QStringLiteral("export"),
                             [this, onlyChosen] { exportKernels(onlyChosen); },
                             [this, onlyChosen]() -> QString {
                                 if (m_with.exporter.isRunning()) return tr("an export is running");
                                 if (m_with.archive.arriving()) return tr("an import is running");
                                 const auto& shown = m_with.archive.shown();
                                 if (!shown || shown->rows.empty()) return tr("the Archive panel shows no kernels");
                                 return onlyChosen && !m_parts.panel.hasChosen()
                                            ? tr("no kernel is selected in the Archive panel")
                                            : QString();
                             }});
    };
    addExport("archive.exportChosen", tr("Export selected &kernels…"),
              tr("Write the selected kernels as CSV, JSON lines or .cu files"), true);
    addExport("archive.exportShown", tr("E&xport shown kernels…"),
              tr("Write every kernel in the Archive panel as CSV, JSON lines or .cu files"), false);
    followDesks();
    offerArchives();
}

/// Wherever an archive came from, it is among those of late once it is open.
void ArchiveActions::offerArchives() {
    ArchiveButton& button = m_parts.panel.archiveButton();
    button.setStarter(m_with.paths.starterArchive);
    QList<QAction*> others;
    for (const char* name : {"archive.open", "archive.starter", "archive.import", "archive.get"})
        others << m_parts.actions.action(QLatin1String(name));
    button.setOthers(others);
    connect(&button, &ArchiveButton::chosen, this, [this](const QString& path) { m_parts.opener.open({path}); });
    connect(&m_parts.recent, &RecentFiles::changed, &button,
            [this, &button] { button.setRecent(m_parts.recent.archives()); });
    connect(&m_with.archive, &ArchiveDesk::changed, this, [this] {
        const ArchiveDesk& desk = m_with.archive;
        if (desk.stage() != Stage::finished || desk.path() == m_remembered) return; // what is shown of it changes often
        m_remembered = desk.path();
        if (m_remembered != m_with.paths.starterArchive) m_parts.recent.remember(m_remembered);
    });
}

void ArchiveActions::followDesks() {
    ArchiveDesk& desk = m_with.archive;
    connect(&desk, &ArchiveDesk::changed, &m_parts.actions, &Actions::refresh);
    connect(&desk, &ArchiveDesk::shownChanged, &m_parts.actions, &Actions::refresh);
    ExportDesk& exporter = m_with.exporter;
    connect(&exporter, &ExportDesk::progress, this, [this](const QString& what, double fraction) {
        if (m_with.exporter.isRunning()) m_parts.status.setErrand(StatusLine::Errand::exporting, what, fraction);
    });
    connect(&exporter, &ExportDesk::ended, this, [this](const QString& summary, bool ok) {
        m_parts.status.setErrand(StatusLine::Errand::exporting, {}, -1);
        m_parts.notices.show(summary, !ok);
        m_parts.actions.refresh();
    });
}

void ArchiveActions::openArchive() {
    m_parts.opener.open(QFileDialog::getOpenFileNames(
        &m_window, tr("Open an archive"), {},
        tr("Archives and rows of kernels (*.sqlite *.db *.parquet *.jsonl *.ndjson);;All files (*)")));
}

void ArchiveActions::exportKernels(bool onlyChosen) {
    exportThese(m_parts.panel.chosenKernels(), m_parts.panel.shownKernels(), onlyChosen);
}

void ArchiveActions::exportThese(const std::vector<std::int64_t>& chosen, const std::vector<std::int64_t>& shown,
                                 bool onlyChosen) {
    if (m_with.exporter.isRunning() || shown.empty()) return;
    auto* dialog = new ExportDialog(int(chosen.size()), int(shown.size()), onlyChosen, QDir::homePath(), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, chosen, shown, archive = m_with.archive.path()] {
        m_with.exporter.start(archive, dialog->onlyChosen() ? chosen : shown, dialog->format(), dialog->path());
        m_parts.status.setErrand(StatusLine::Errand::exporting, tr("Exporting"), -1);
        m_parts.actions.refresh();
    });
    dialog->open();
}

} // namespace kernelarium::ui

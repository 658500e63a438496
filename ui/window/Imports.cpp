// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/Imports.h"

#include "ui/archive/GetArchiveDialog.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/Desks.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"
#include "ui/window/Docks.h"
#include "ui/window/InterruptedImport.h"
#include "ui/workspace/Settings.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

namespace kernelarium::ui {

namespace {
constexpr qsizetype mostProblemsShown = 5;
} // namespace

Imports::Imports(const Around& around, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_parts(parts)
    , m_window(window) {
    ArchiveDesk& desk = around.archive;
    connect(&desk, &ArchiveDesk::importProgress, this, [this](const QString& what, double fraction) {
        if (m_with.archive.isImporting()) m_parts.status.setErrand(StatusLine::Errand::import, what, fraction);
    });
    connect(&desk, &ArchiveDesk::importEnded, this, &Imports::ended);
}

QString Imports::obstacle() const {
    return m_with.archive.isImporting() ? tr("an import is running") : QString();
}

QString Imports::ownArchive() const {
    return m_with.paths.dataFolder + QStringLiteral("/archive.sqlite");
}

QString Imports::target() const {
    const ArchiveDesk& desk = m_with.archive;
    const bool isTheirs = desk.table() && desk.path() != m_with.paths.starterArchive;
    return isTheirs && QFileInfo(desk.path()).isWritable() ? desk.path() : ownArchive();
}

void Imports::start(const QStringList& inputs, const QString& database) {
    if (const QString why = obstacle(); !why.isEmpty()) {
        m_parts.notices.show(tr("Not now: %1. Escape stops it.").arg(why), true);
        return;
    }
    QDir().mkpath(QFileInfo(database).absolutePath());
    QStringList files; // the next start may be in another folder
    for (const QString& input : inputs)
        files << QFileInfo(input).absoluteFilePath();
    m_with.settings.set(setting::interruptedImport,
                        InterruptedImport{files, QFileInfo(database).absoluteFilePath()}.toJson());
    m_with.archive.import(inputs, database);
    begun(tr("Importing: reading %1").arg(QFileInfo(inputs.front()).fileName()));
}

void Imports::begun(const QString& what) {
    m_parts.status.setErrand(StatusLine::Errand::import, what, -1);
    m_parts.docks.show(QStringLiteral("archive"));
    m_parts.actions.refresh();
}

void Imports::ended(const QString& summary, const QStringList& problems, bool ok) {
    m_parts.status.setErrand(StatusLine::Errand::import, {}, -1);
    m_with.settings.set(setting::interruptedImport, InterruptedImport().toJson());
    QString text = summary;
    if (!problems.isEmpty()) text += QLatin1Char('\n') + problems.mid(0, mostProblemsShown).join(QLatin1Char('\n'));
    const bool isProblem = !ok || !problems.isEmpty();
    m_parts.notices.show(text, isProblem, isProblem);
    m_parts.actions.refresh();
}

void Imports::chooseRows() {
    const QStringList inputs = QFileDialog::getOpenFileNames(
        &m_window, tr("Import rows"), {}, tr("Rows of kernels (*.parquet *.jsonl *.ndjson);;All files (*)"));
    if (inputs.isEmpty()) return;
    const QString database = QFileDialog::getSaveFileName(
        &m_window, tr("Import into"), target(), tr("Archives (*.sqlite)"), nullptr, QFileDialog::DontConfirmOverwrite);
    if (!database.isEmpty()) start(inputs, database);
}

void Imports::chooseDownload() {
    if (!obstacle().isEmpty()) return;
    const QString folder = m_with.paths.dataFolder;
    auto* dialog = new GetArchiveDialog(m_with.archive, folder + QStringLiteral("/downloads"), &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, folder] {
        if (!obstacle().isEmpty()) return;
        QDir().mkpath(folder);
        m_with.settings.set(setting::interruptedImport, InterruptedImport{{}, ownArchive()}.toJson());
        m_with.archive.get(dialog->request(), ownArchive());
        begun(tr("Downloading"));
    });
    dialog->open();
}

void Imports::forgetWhenClosed() {
    connect(&m_parts.notices, &NoticeBar::closed, this, [this, offer = m_parts.notices.text()](const QString& closed) {
        if (closed == offer && !m_with.archive.isImporting())
            m_with.settings.set(setting::interruptedImport, InterruptedImport().toJson());
    });
}

void Imports::offerInterrupted() {
    const auto import = InterruptedImport::fromJson(m_with.settings.get(setting::interruptedImport));
    if (import.isNone()) return;
    if (import.isDownload()) {
        m_parts.notices.offer(tr("The download of the archive was interrupted; what has been downloaded is kept."),
                              tr("Resume…"), tr("Choose the files again; the download resumes where it stopped"),
                              [this] { chooseDownload(); });
        forgetWhenClosed();
        return;
    }
    const QString name = QFileInfo(import.inputs.front()).fileName();
    const QString what = import.inputs.size() == 1
                             ? tr("The import of %1").arg(name)
                             : tr("The import of %1 and %n more", nullptr, int(import.inputs.size()) - 1).arg(name);
    if (const QStringList missing = import.missing(); !missing.isEmpty()) {
        m_parts.notices.show(tr("%1 was interrupted; the archive is unchanged. To resume, put %2 back.")
                                 .arg(what, missing.join(QStringLiteral(", "))),
                             true);
        forgetWhenClosed();
        return;
    }
    m_parts.notices.offer(tr("%1 was interrupted; the archive is unchanged.").arg(what), tr("Resume"),
                          tr("Import the rest of the rows into %1").arg(import.database),
                          [this, import] { start(import.inputs, import.database); });
    forgetWhenClosed();
}

} // namespace kernelarium::ui

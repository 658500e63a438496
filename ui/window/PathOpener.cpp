// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/PathOpener.h"

#include "ui/desks/ArchiveDesk.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/RecentFiles.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/window/Docks.h"
#include "ui/window/Imports.h"
#include "ui/window/Pages.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"

#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>

namespace kernelarium::ui {

namespace {

bool isRows(const QString& ending) {
    return ending == QLatin1String("parquet") || ending == QLatin1String("jsonl") || ending == QLatin1String("ndjson");
}

} // namespace

PathOpener::PathOpener(const Around& around, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_parts(parts)
    , m_window(window) {
    window.setAcceptDrops(true);
    window.installEventFilter(this);
    connect(&parts.recent, &RecentFiles::chosen, this, [this](const QString& path) { open({path}); });
}

void PathOpener::open(const QStringList& paths) {
    QStringList rows, tables, sources;
    for (const QString& path : paths) {
        const QString ending = QFileInfo(path).suffix().toLower();
        if (ending == QLatin1String("csv")) {
            tables << path;
            continue;
        }
        if (isRows(ending)) {
            rows << path;
        } else if (RecentFiles::isArchive(path)) {
            m_parts.notices.settle();
            m_with.archive.open(path);
            m_parts.docks.show(QStringLiteral("archive"));
            continue; // remembered when it is there
        } else if (!QFileInfo::exists(path)) {
            // Said until it is closed: at the start, the kernel of the last time takes its place.
            m_with.notices.postLasting(
                tr("There is no file %1. Check its name, or look for it with File, Open a kernel.")
                    .arg(QFileInfo(path).absoluteFilePath()));
            continue;
        } else {
            sources << path;
        }
        m_parts.recent.remember(path);
    }
    m_with.bench.openFiles(sources);
    if (!tables.isEmpty()) openTables(tables);
    if (!rows.isEmpty()) m_parts.imports.start(rows, m_parts.imports.target());
}

void PathOpener::openTables(const QStringList& files) {
    m_parts.pages.open(QStringLiteral("hgemm"));
    m_parts.pages.page<HgemmPage>().import(files);
}

bool PathOpener::eventFilter(QObject* watched, QEvent* event) {
    if (watched != &m_window) return QObject::eventFilter(watched, event);
    if (event->type() == QEvent::DragEnter) {
        auto* drag = static_cast<QDragEnterEvent*>(event);
        if (drag->mimeData()->hasUrls()) drag->acceptProposedAction();
        return true;
    }
    if (event->type() == QEvent::Drop) {
        auto* drop = static_cast<QDropEvent*>(event);
        QStringList paths;
        for (const QUrl& url : drop->mimeData()->urls())
            if (url.isLocalFile()) paths << url.toLocalFile();
        open(paths);
        drop->acceptProposedAction();
        return true;
    }
    return false;
}

} // namespace kernelarium::ui

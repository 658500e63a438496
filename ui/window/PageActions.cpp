// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/PageActions.h"

#include "ui/frame/Actions.h"
#include "ui/window/Pages.h"
#include "ui/window/PanelTable.h"
#include "ui/window/PathOpener.h"

#include <QFileDialog>

namespace kernelarium::ui {

PageActions::PageActions(Pages& pages, PathOpener& opener, Actions& actions, QWidget& window)
    : QObject(&window)
    , m_pages(pages)
    , m_opener(opener)
    , m_window(window) {
    for (const PageKind& kind : pageKinds()) {
        const QString name = QLatin1String(kind.name);
        actions.add({QStringLiteral("go.") + name,
                     panelText(kind.text),
                     panelText(kind.tip),
                     QKeySequence(Qt::ALT | kind.key),
                     QLatin1String(kind.icon),
                     [this, name] { m_pages.open(name); },
                     {}});
    }
    actions.add({QStringLiteral("hgemm.open"),
                 tr("Open &HGEMM tables…"),
                 tr("Add tables of published matrix multiplication speed-ups (CSV)"),
                 {},
                 {},
                 [this] { openTables(); },
                 {}});
}

void PageActions::openTables() {
    const QStringList files =
        QFileDialog::getOpenFileNames(&m_window, tr("Open HGEMM tables"), {}, tr("Tables (*.csv);;All files (*)"));
    if (!files.isEmpty()) m_opener.openTables(files);
}

} // namespace kernelarium::ui

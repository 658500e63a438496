// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/ViewActions.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/frame/Actions.h"
#include "ui/frame/CommandPalette.h"
#include "ui/source/EditorArea.h"
#include "ui/source/KernelTabs.h"
#include "ui/source/SecondAssembly.h"
#include "ui/window/Docks.h"
#include "ui/window/FocusOrder.h"
#include "ui/window/Pages.h"
#include "ui/window/PanelTable.h"
#include "ui/workspace/Bench.h"

namespace kernelarium::ui {

ViewActions::ViewActions(Bench& bench, const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_bench(bench)
    , m_parts(parts) {
    addPlaces();
    addWalks();
    addPanels();
    addViews();
    connect(&parts.editor, &EditorArea::lessonsRequested, this,
            [this] { m_parts.actions.run(QStringLiteral("go.lessons")); });
}

void ViewActions::addPlaces() {
    m_parts.actions.add({QStringLiteral("go.back"), tr("&Back"), tr("Go to the previous kernel"),
                         QKeySequence(Qt::ALT | Qt::Key_Left), QStringLiteral("back"), [this] { m_bench.goBack(); },
                         [this] { return m_bench.canGoBack() ? QString() : tr("this is the first kernel"); }});
    m_parts.actions.add({QStringLiteral("go.forward"), tr("&Forward"), tr("Go to the next kernel"),
                         QKeySequence(Qt::ALT | Qt::Key_Right), QStringLiteral("forward"),
                         [this] { m_bench.goForward(); },
                         [this] { return m_bench.canGoForward() ? QString() : tr("this is the last kernel"); }});
    m_parts.actions.add({QStringLiteral("go.search"),
                         tr("&Search the archive"),
                         tr("Go to the archive's search field"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F),
                         QStringLiteral("search"),
                         [this] {
                             m_parts.docks.show(QStringLiteral("archive"));
                             m_parts.docks.panel<ArchivePanel>().focusSearch();
                         },
                         {}});
    m_parts.actions.add({QStringLiteral("go.editor"),
                         tr("&Editor"),
                         tr("Go to the editor"),
                         QKeySequence(Qt::ALT | Qt::Key_0),
                         {},
                         [this] {
                             m_parts.pages.leave();
                             m_parts.editor.focusEditor();
                         },
                         {}});
}

void ViewActions::addWalks() {
    const auto onlyOne = [this] {
        return m_parts.editor.tabs().count() < 2 ? tr("no other kernel is open") : QString();
    };
    m_parts.actions.add({QStringLiteral("go.nextTab"),
                         tr("Ne&xt tab"),
                         tr("Go to the next open kernel"),
                         QKeySequence(Qt::CTRL | Qt::Key_PageDown),
                         {},
                         [this] { m_parts.editor.tabs().chooseNext(true); },
                         onlyOne});
    m_parts.actions.add({QStringLiteral("go.previousTab"),
                         tr("Previous tab"),
                         tr("Go to the open kernel before"),
                         QKeySequence(Qt::CTRL | Qt::Key_PageUp),
                         {},
                         [this] { m_parts.editor.tabs().chooseNext(false); },
                         onlyOne});
    const auto add = [this](const char* name, const QString& text, const QString& tip, const QKeySequence& key,
                            bool next) {
        m_parts.actions.add(
            {QLatin1String(name), text, tip, key, {}, [this, next] { m_parts.focus.stepRegion(next); }, {}});
    };
    add("go.nextPart", tr("Next &part of the window"), tr("Go to the next part: tool bar, left, editor, below, right"),
        QKeySequence(Qt::CTRL | Qt::Key_F6), true);
    add("go.previousPart", tr("P&revious part of the window"), tr("Go to the part of the window before"),
        QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F6), false);
}

void ViewActions::addPanels() {
    for (const PanelKind& kind : panelKinds()) {
        if (kind.key == Qt::Key_unknown) continue;
        const QString name = QLatin1String(kind.name);
        const QString text = panelText(kind.goTitle);
        m_parts.actions.add({QStringLiteral("go.") + name,
                             text,
                             tr("Go to the %1 panel").arg(text),
                             QKeySequence(Qt::ALT | kind.key),
                             QLatin1String(kind.icon),
                             [this, name] {
                                 if (m_parts.docks.waits(name)) m_parts.pages.leave();
                                 m_parts.docks.focus(name);
                             },
                             {}});
    }
}

void ViewActions::addViews() {
    m_parts.actions.add({QStringLiteral("view.ptx"),
                         tr("&PTX beside the source"),
                         tr("Show the PTX compiled from the source"),
                         QKeySequence(Qt::CTRL | Qt::Key_P),
                         {},
                         [this] { m_parts.editor.showPtx(!m_parts.editor.isShowingPtx()); },
                         {},
                         true,
                         [this] { return m_parts.editor.isShowingPtx(); }});
    m_parts.actions.add({QStringLiteral("view.sass"),
                         tr("&SASS beside the source"),
                         tr("Show the machine instructions compiled from the source"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                         {},
                         [this] { m_parts.editor.showSass(!m_parts.editor.isShowingSass()); },
                         {},
                         true,
                         [this] { return m_parts.editor.isShowingSass(); }});
    m_parts.actions.add({QStringLiteral("view.second"),
                         tr("Second ass&embly beside it"),
                         tr("Show the PTX or SASS of another architecture or other compiler options beside the first"),
                         QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P),
                         {},
                         [this] {
                             m_parts.editor.showSecond(!m_parts.editor.isShowingSecond());
                             if (m_parts.editor.isShowingSecond()) m_parts.editor.second().focusFirst();
                         },
                         {},
                         true,
                         [this] { return m_parts.editor.isShowingSecond(); }});
    m_parts.actions.add({QStringLiteral("view.layout"),
                         tr("&Reset the layout"),
                         tr("Put every panel back in its place"),
                         {},
                         {},
                         [this] {
                             m_parts.pages.leave();
                             m_parts.docks.reset();
                         },
                         {}});
    m_parts.actions.add({QStringLiteral("view.palette"),
                         tr("&All actions…"),
                         tr("Find any action by its name"),
                         QKeySequence(Qt::CTRL | Qt::Key_K),
                         QStringLiteral("command"),
                         [this] { m_parts.palette.open(m_parts.actions.all()); },
                         {}});
}

} // namespace kernelarium::ui

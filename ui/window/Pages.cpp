// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/Pages.h"

#include "ui/source/EditorArea.h"
#include "ui/window/Docks.h"
#include "ui/workspace/Bench.h"

namespace kernelarium::ui {

Pages::Pages(EditorArea& editor, Docks& docks, const Bench& bench, QWidget* parent)
    : QStackedWidget(parent)
    , m_editor(editor)
    , m_docks(docks)
    , m_bench(bench) {
    addWidget(&editor);
    // Whoever chooses a kernel wants to see it; one that was on its way before the page was opened is not what is
    // looked at.
    connect(&bench, &Bench::kernelChanged, this, [this] {
        if (m_bench.openings() != m_askedBefore) leave();
    });
}

void Pages::add(const PageKind& kind, QWidget& page) {
    addWidget(&page);
    // What it holds must not decide how small the window can be while it is not seen.
    page.setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    m_entries.push_back({&kind, &page});
}

bool Pages::isShowing() const {
    return currentWidget() != &m_editor;
}

void Pages::open(const QString& name) {
    for (const Entry& entry : m_entries) {
        if (name != QLatin1String(entry.kind->name)) continue;
        m_docks.makeRoom(QLatin1String(entry.kind->beside));
        setCurrentWidget(entry.page);
        m_askedBefore = m_bench.openings();
        entry.kind->focus(*entry.page);
    }
}

void Pages::leave() {
    if (!isShowing()) return;
    setCurrentWidget(&m_editor);
    m_docks.comeBack();
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/Pages.h"

#include "ui/source/EditorArea.h"
#include "ui/window/Docks.h"

namespace kernelarium::ui {

Pages::Pages(EditorArea& editor, Docks& docks, QWidget* parent)
    : QStackedWidget(parent)
    , m_editor(editor)
    , m_docks(docks) {
    addWidget(&editor);
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
        entry.kind->focus(*entry.page);
    }
}

void Pages::leave() {
    if (!isShowing()) return;
    setCurrentWidget(&m_editor);
    m_docks.comeBack();
}

} // namespace kernelarium::ui

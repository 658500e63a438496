// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/PanelKind.h"

#include <QStackedWidget>
#include <QString>
#include <vector>

namespace kernelarium::ui {

class Bench;

/// The middle of the window: the editor, and the pages that take its place with more room around it.
class Pages : public QStackedWidget {
    Q_OBJECT
public:
    Pages(EditorArea& editor, Docks& docks, const Bench& bench, QWidget* parent = nullptr);

    void add(const PageKind& kind, QWidget& page);
    void open(const QString& name);       ///< and the focus goes to it
    void leave();                         ///< back to the editor and the panels around it
    [[nodiscard]] bool isShowing() const; ///< a page in the editor's place
    /// The page of a type: there is one of each.
    template <class Page> [[nodiscard]] Page& page() const {
        for (const Entry& entry : m_entries)
            if (auto* found = qobject_cast<Page*>(entry.page)) return *found;
        Q_UNREACHABLE();
    }

private:
    struct Entry {
        const PageKind* kind;
        QWidget* page;
    };

    EditorArea& m_editor;
    Docks& m_docks;
    const Bench& m_bench;
    quint64 m_askedBefore = 0; ///< kernels, when a page was opened last
    std::vector<Entry> m_entries;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;
class QWidget;

namespace kernelarium::ui {

class Actions;
class EditorArea;
class Bench;
class CardDesk;
class KeptDesk;
class ToolkitDesk;

/// The actions on text: of the field that has the focus, else of the kernel.
class EditActions : public QObject {
    Q_OBJECT
public:
    /// What the preferences are about.
    struct Settled {
        CardDesk& cards;
        ToolkitDesk& toolkits;
        KeptDesk& kept;
    };
    EditActions(Bench& bench, const Settled& settled, EditorArea& editor, Actions& actions, QWidget& window);

    /// The menu follows the focus; what is in it stands in the editor's own menu, too.
    void follow(QMenu& menu);

private:
    void addEdits();
    void addSearches();
    void addPlaces();
    void addKeyOfTheEditor(const char* name);
    void addLines();
    void addSizes();
    void editPreferences();
    [[nodiscard]] QWidget* widgetWith(const char* slot) const;
    [[nodiscard]] QString noKernel() const;

    Bench& m_bench;
    Settled m_settled;
    EditorArea& m_editor;
    Actions& m_actions;
    QWidget& m_window;
};

} // namespace kernelarium::ui

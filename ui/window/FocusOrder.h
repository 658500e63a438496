// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QObject>
#include <Qt>

class QDockWidget;
class QMainWindow;
class QWidget;

namespace kernelarium::ui {

class Docks;
class EditorArea;

/// Where Tab goes: by regions (tool bar, left, middle, below, right, status), and only to what can be seen. A panel
/// behind another one's tab is laid out beyond the window's edge and counts as visible: Qt's own chain walks through
/// it, and a key there presses what nobody sees.
class FocusOrder : public QObject {
    Q_OBJECT
public:
    FocusOrder(QMainWindow& window, Docks& docks, EditorArea& editor);

    /// To the next stop of Tab, or the one before; false: there is none.
    bool step(bool next);
    /// To the next of the regions that has something to stop at: into the editor in the middle where it is shown.
    void stepRegion(bool next);

private:
    [[nodiscard]] int regionOf(const QWidget& widget) const;
    [[nodiscard]] QWidget* tabBarOf(const QDockWidget& dock) const;
    [[nodiscard]] QList<QWidget*> stops() const;
    void leaveHidden(QDockWidget* dock);

    QMainWindow& m_window;
    Docks& m_docks;
    EditorArea& m_editor;
};

} // namespace kernelarium::ui

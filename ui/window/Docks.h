// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/PanelKind.h"

#include <QByteArray>
#include <QList>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QWidget>
#include <vector>

class QDockWidget;
class QMainWindow;

namespace kernelarium::ui {

/// The docks of the window with a panel in each: their arrangement at the first start, which of them is in front, and
/// the room that they make for a page in the editor's place.
class Docks : public QObject {
    Q_OBJECT
public:
    explicit Docks(QMainWindow& window);

    void add(const PanelKind& kind, QWidget& panel); ///< in the order of tabs; a panel's dock owns it
    void arrange();                                  ///< as at the first start
    void arrangeWidths();
    void keepArrangement(); ///< what reset() puts back: with tool bars, once all are there
    void reset();

    /// Brings a dock to the front; while a page is shown, one that speaks about the kernel comes with the editor.
    void show(const QString& name);
    /// The same, and the focus goes to it.
    void focus(const QString& name);
    void setTitle(const QString& name, const QString& title);
    [[nodiscard]] bool isInFront(const QDockWidget& dock) const;
    [[nodiscard]] Qt::DockWidgetArea areaOf(const QDockWidget& dock) const;
    [[nodiscard]] const QList<QDockWidget*>& all() const { return m_all; }
    /// The panel of a type: there is one of each.
    template <class Panel> [[nodiscard]] Panel& panel() const {
        for (const Entry& entry : m_entries)
            if (auto* found = qobject_cast<Panel*>(entry.panel)) return *found;
        Q_UNREACHABLE();
    }

    /// Docks below and to the right speak about the kernel: they make room for a page, and come back with the editor.
    /// `beside` (a name) comes to the front at the left; empty: docks at the left make room as well.
    void makeRoom(const QString& beside);
    void comeBack();
    /// Whether a panel has to wait until the page is left.
    [[nodiscard]] bool waits(const QString& name) const;
    [[nodiscard]] QByteArray layout() const; ///< of the window, with the editor in its place
    /// Of the docks at both sides, as they are in a window that has room for them.
    [[nodiscard]] QByteArray widths() const;
    void restoreWidths(const QByteArray& state);

Q_SIGNALS:
    void changed(); ///< places or visibility
    void hidden(QDockWidget* dock);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Entry {
        const PanelKind* kind;
        QDockWidget* dock;
        QWidget* panel;
    };
    [[nodiscard]] const Entry* find(const QString& name) const;
    [[nodiscard]] bool isAtTheLeft(const QDockWidget& dock) const;
    [[nodiscard]] QDockWidget* firstOf(Qt::DockWidgetArea area) const;
    void refreshTitleBars();
    [[nodiscard]] QDockWidget* frontOf(Qt::DockWidgetArea area) const; ///< null: nothing is seen there
    void takeWidths();
    void fitWidths();

    QMainWindow& m_window;
    std::vector<Entry> m_entries;
    QList<QDockWidget*> m_all;
    QByteArray m_firstState;
    QByteArray m_benchState;       ///< of the docks, while a page is shown; empty: none is
    QList<QDockWidget*> m_besides; ///< those at the left that made room
    QString m_onReturn;            ///< a panel that is to be in front then
    QTimer m_titlePause;
    QTimer m_widthPause;
    int m_wantedLeft, m_wantedRight; ///< as somebody dragged them: a window that was small for a while keeps them
};

} // namespace kernelarium::ui

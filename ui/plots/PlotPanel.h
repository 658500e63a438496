// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "ui/plots/ChartExport.h"
#include "ui/theme/Palette.h"
#include "ui/widgets/HoverCard.h"

#include <QAction>
#include <QMenu>
#include <QSize>
#include <QWidget>

class QStackedLayout;
class QVBoxLayout;

namespace kernelarium::ui {

class EmptyState;
class PlotCanvas;
struct PlotLook;
class Theme;

/// A plot with all that plots have in common: an empty state, the record of the mark under the cursor, a context menu,
/// pictures and numbers to take away.
class PlotPanel : public QWidget {
    Q_OBJECT
public:
    [[nodiscard]] PlotCanvas& canvas() const { return *m_canvas; }
    [[nodiscard]] const HoverCard& card() const { return *m_card; }
    [[nodiscard]] EmptyState& emptyState() const { return *m_empty; }
    [[nodiscard]] bool isEmpty() const;

    /// The whole plot as a self-contained SVG document in any palette, whatever is on the screen.
    [[nodiscard]] virtual QString svg(QSize size, const Palette& palette) const = 0;
    /// A table with a header, cells separated by tabs.
    [[nodiscard]] virtual QString numbers() const = 0;
    /// As it is on the screen, at twice the logical size.
    [[nodiscard]] QImage picture() const;
    /// To a .svg, .png or .csv file. Error "bad_input", "cannot_write".
    [[nodiscard]] Result<void> saveTo(const QString& path) const;

    /// The record of a mark as shown on hover.
    [[nodiscard]] virtual Record recordOf(int mark) const = 0;

public Q_SLOTS:
    void copyPicture();
    void copyNumbers();
    void chooseFile();

Q_SIGNALS:
    void actionRequested();              ///< the empty state's button
    void failed(const QString& message); ///< a file could not be saved

protected:
    PlotPanel(Theme& theme, PlotCanvas* canvas, const QString& iconName, QWidget* parent);
    /// A row above the plot.
    void setBar(QWidget* bar);
    void setEmpty(bool empty);
    [[nodiscard]] PlotLook look(const Palette& palette) const;
    [[nodiscard]] Theme& theme() const { return m_theme; }
    virtual void activate(int mark) = 0;
    /// Adds what is particular to the plot, above the common actions.
    virtual void fillMenu(QMenu& menu, int mark) = 0;
    QAction* addPlotAction(const QString& text, const QString& toolTip, const QKeySequence& shortcut);
    /// A fresh canvas with the same data.
    [[nodiscard]] QString svgOf(PlotCanvas& fresh, QSize size, const Palette& palette) const;

    void contextMenuEvent(QContextMenuEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    [[nodiscard]] ChartContent content() const;
    void enter(int mark);
    void restyle();
    Theme& m_theme;
    PlotCanvas* m_canvas;
    EmptyState* m_empty;
    HoverCard* m_card;
    QVBoxLayout* m_column;
    QStackedLayout* m_stack;
    QAction* m_copyPicture;
    QAction* m_copyNumbers;
    QAction* m_save;
    QAction* m_reset;
};

} // namespace kernelarium::ui

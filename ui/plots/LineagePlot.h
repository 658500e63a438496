// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LineageCanvas.h"
#include "ui/plots/PlotPanel.h"

namespace kernelarium::ui {

/// How the kernels of a task got faster, from the first to the last. A click or Return chooses a kernel.
class LineagePlot : public PlotPanel {
    Q_OBJECT
public:
    explicit LineagePlot(Theme& theme, QWidget* parent = nullptr);

    void setData(LineageData data);
    /// Marks a kernel as the current one. Emits nothing.
    void select(qint64 id);
    [[nodiscard]] LineageCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

Q_SIGNALS:
    void kernelActivated(qint64 id);
    void compareRequested(qint64 id); ///< with the text on the bench

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    LineagePlot(Theme& theme, LineageCanvas* canvas, QWidget* parent);
    void compare();

    LineageCanvas& m_plot;
    LineageData m_data;
    QAction* m_compare;
    qint64 m_underMenu = -1;
};

} // namespace kernelarium::ui

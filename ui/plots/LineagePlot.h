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
    void likeRequested(qint64 id);    ///< those that are like this kernel
    void attemptActivated(qint64 attempt);
    void attemptCompareRequested(qint64 attempt);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    LineagePlot(Theme& theme, LineageCanvas* canvas, QWidget* parent);
    void compare();
    void askForLike();
    [[nodiscard]] std::optional<qint64> meant() const; ///< the entry that an action is about

    LineageCanvas& m_plot;
    LineageData m_data;
    QAction* m_compare;
    QAction* m_like;
    std::optional<qint64> m_underMenu;
};

} // namespace kernelarium::ui

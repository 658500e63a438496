// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/HistoryCanvas.h"
#include "ui/plots/PlotPanel.h"

class QComboBox;

namespace kernelarium::ui {

/// How attempts at one kernel got faster. One device and one size at a time: the reader chooses which.
class HistoryPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit HistoryPlot(Theme& theme, QWidget* parent = nullptr);

    /// All attempts, of any device and size. Stays on the chosen device and size while they occur; else goes to those
    /// of the newest attempt.
    void setEntries(std::vector<HistoryEntry> entries);
    void setReferences(std::vector<ReferenceLine> lines);
    /// Marks an attempt as chosen and goes to its device and size. Emits nothing.
    void select(qint64 attempt);
    [[nodiscard]] HistoryCanvas& plot() const { return m_plot; }
    [[nodiscard]] QComboBox& filter() const { return *m_filter; }
    [[nodiscard]] QComboBox& axis() const { return *m_axis; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    /// Of the shown device and size.
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

Q_SIGNALS:
    void attemptActivated(qint64 attempt);
    void compareRequested(qint64 attempt);
    void restoreRequested(qint64 attempt);
    void nameRequested(qint64 attempt);
    void raceRequested(qint64 attempt); ///< with the text in the editor
    void samplesRequested(qint64 attempt);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    using Request = void (HistoryPlot::*)(qint64);
    HistoryPlot(Theme& theme, HistoryCanvas* canvas, QWidget* parent);
    QWidget* makeBar();
    QAction* makeRequest(const QString& text, const QString& toolTip, const QKeySequence& shortcut, Request request);
    void refillFilter();
    void refresh();
    [[nodiscard]] HistoryData shownData() const;
    [[nodiscard]] qint64 meant() const; ///< the attempt that an action is about; -1 without one

    HistoryCanvas& m_plot;
    std::vector<HistoryEntry> m_entries;
    std::vector<ReferenceLine> m_lines;
    std::optional<qint64> m_selected;
    qint64 m_underMenu = -1;
    QComboBox* m_filter;
    QComboBox* m_axis;
    QList<QAction*> m_requests;
};

} // namespace kernelarium::ui

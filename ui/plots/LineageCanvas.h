// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LabelPlacer.h"
#include "ui/plots/PlotCanvas.h"

#include <limits>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// One archived kernel of a task, in the order in which they were made; behind them, attempts that have changes of
/// another kernel.
struct LineageEntry {
    enum class Standing {
        correct, ///< so the publishers say
        refuted, ///< so they say, and our verdict says otherwise
        wrong,   ///< so they say
        unknown, ///< they do not say
    };
    qint64 id = 0; ///< the kernel's number in the archive; of an attempt its own, negative
    int order = 0; ///< from 1
    QString name;
    double milliseconds = std::numeric_limits<double>::quiet_NaN(); ///< NaN: it has no time
    Standing standing = Standing::unknown;
    QString claim;                                             ///< what the publishers say of it, in words
    QString verdict;                                           ///< ours; empty where there is none
    double speedup = std::numeric_limits<double>::quiet_NaN(); ///< over PyTorch, as published
    QString parents;                                           ///< of an attempt, a sentence
    std::vector<qint64> parentIds;                             ///< those of them that are entries, too

    [[nodiscard]] bool isAttempt() const { return id < 0; }
};

struct LineageData {
    std::vector<LineageEntry> entries;         ///< by order
    std::optional<double> nativeMilliseconds;  ///< PyTorch eager; the median of what the rows say
    std::optional<double> compileMilliseconds; ///< torch.compile, likewise
    std::optional<qint64> selected;
};

/// The times of a task's kernels in the order in which they were made: best so far, PyTorch's two, and a mark for each
/// kernel. Those without a time stand along the lower edge, and so do attempts, whose times are no archived
/// ones: a diamond, with a line to each parent that is here.
class LineageCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit LineageCanvas(QWidget* parent = nullptr);

    void setData(LineageData data);
    [[nodiscard]] const LineageData& data() const { return m_data; }
    [[nodiscard]] const LineageEntry& entry(int mark) const { return m_data.entries[std::size_t(mark)]; }
    /// The kernels that were the fastest of those that stand as correct when they were made.
    [[nodiscard]] const std::vector<int>& records() const { return m_records; }

    [[nodiscard]] int kernelCount() const; ///< without attempts
    [[nodiscard]] int markCount() const override { return int(m_data.entries.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("0.001"); }

private:
    void drawHeader(QPainter& painter);
    void drawReference(QPainter& painter, double milliseconds, const QString& label, const QColor& colour);
    void drawBestLine(QPainter& painter);
    void drawEntry(QPainter& painter, int mark);
    void drawParents(QPainter& painter, int mark);
    void drawLabels(QPainter& painter);

    LineageData m_data;
    std::vector<int> m_records;
    LabelPlacer m_labels{QRectF()};
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LabelPlacer.h"
#include "ui/plots/Origin.h"
#include "ui/plots/PlotCanvas.h"

#include <QDateTime>
#include <limits>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// One timed attempt.
struct HistoryEntry {
    qint64 attempt = 0; ///< its number: unique, rising with time
    QDateTime when;
    QString label;
    double milliseconds = 0;
    double noise = std::numeric_limits<double>::quiet_NaN(); ///< relative; NaN where it is not known
    double lower = std::numeric_limits<double>::quiet_NaN(); ///< quartiles of the samples, milliseconds; NaN: not known
    double upper = std::numeric_limits<double>::quiet_NaN();
    Origin origin = Origin::measured;
    QString device;
    QString size;    ///< and how it was timed: "full", "full, hot"
    QString verdict; ///< "verified", "wrong", ...; empty where it was not verified
    QString note;

    [[nodiscard]] bool isUndecided() const; ///< no verdict, or one that says nothing of right or wrong
    [[nodiscard]] bool isRefuted() const;
};

/// A time to compare with: archived, PyTorch eager, torch.compile. Shown only beside attempts of its device and size;
/// an empty device or size is one that the caller says fits any.
struct ReferenceLine {
    QString label;
    double milliseconds = 0;
    Origin origin = Origin::archived;
    QString device;
    QString size;
};

/// What a history shows: entries and lines of one device and one size.
struct HistoryData {
    std::vector<HistoryEntry> entries; ///< by attempt
    std::vector<ReferenceLine> lines;
    bool byTime = false; ///< the x axis is the wall clock
    std::optional<qint64> selected;
};

class HistoryCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit HistoryCanvas(QWidget* parent = nullptr);

    void setData(HistoryData data);
    [[nodiscard]] const HistoryData& data() const { return m_data; }
    [[nodiscard]] const HistoryEntry& entry(int mark) const { return m_data.entries[std::size_t(mark)]; }
    /// The fastest verified attempt of that origin; -1 without one.
    [[nodiscard]] int best(Origin origin) const;

    [[nodiscard]] int markCount() const override { return int(m_data.entries.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("0.01"); }

private:
    [[nodiscard]] double xOf(const HistoryEntry& entry) const;
    void useAxis(bool byTime);
    void drawHeader(QPainter& painter);
    void drawReferences(QPainter& painter);
    void drawBestLine(QPainter& painter, Origin origin);
    void drawNoise(QPainter& painter, int mark);
    void drawEntry(QPainter& painter, int mark);
    void drawLabels(QPainter& painter);

    HistoryData m_data;
    LabelPlacer m_labels{QRectF()};
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/ReferencePoints.h"
#include "core/perf/Roofline.h"
#include "ui/plots/LabelPlacer.h"
#include "ui/plots/Origin.h"
#include "ui/plots/PlotCanvas.h"

#include <QHash>
#include <optional>
#include <set>

namespace kernelarium::ui {

/// One run of one kernel, in the whole of a call.
struct RooflinePoint {
    qint64 id = 0;
    QString label;
    double flops = 0;
    double bytes = 0; ///< between device memory and the chip, as `byteSource` has them
    double seconds = 0;
    Origin origin = Origin::archived;
    QString byteSource; ///< "compulsory", "emulator sectors", "profiler"
    QString size;
    QString device;
    QString note;
    perf::Precision precision = perf::Precision::fp32; ///< whose roof bounds it
};

/// What a roofline plot shows.
struct RooflineData {
    perf::Roofline roofline;          ///< of the data sheet
    perf::Roofline measured;          ///< of those that were measured
    QString measuredWhen;             ///< "12 Mar 2026, driver 580.65"; empty: nothing was measured
    QHash<QString, QString> distrust; ///< by a measured roof's key: why it is unreliable
    bool hasDevice = false;
    std::vector<RooflinePoint> points;
    std::vector<qint64> trail; ///< attempts of this session, in order
    std::optional<qint64> selected;
    std::set<perf::MemoryLevel> memory; ///< roofs that are shown
    std::set<perf::Precision> compute;
    bool references = true; ///< whether well-known work is marked on the roof
};

/// Draws the roofs of a device and the points under them. Points without a place (no FLOPs, no time) are counted in a
/// sentence instead.
class RooflineCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit RooflineCanvas(QWidget* parent = nullptr);

    void setData(RooflineData data);
    [[nodiscard]] const RooflineData& data() const { return m_data; }
    /// Points that have a place, as indices into data().points: mark i is this.
    [[nodiscard]] const std::vector<std::size_t>& drawn() const { return m_drawn; }
    [[nodiscard]] const RooflinePoint& point(int mark) const { return m_data.points[m_drawn[std::size_t(mark)]]; }
    /// The fastest point of the trail.
    [[nodiscard]] std::optional<qint64> best() const { return m_best; }
    /// Well-known work for elements of the strong roof's precision; empty where it is hidden or there is no device.
    [[nodiscard]] std::vector<perf::ReferencePoint> references() const;
    /// Where one stands: on the roof, as fast as the device lets work of its intensity be.
    [[nodiscard]] QPointF referencePosition(const perf::ReferencePoint& reference) const;
    /// Whose roof is drawn strong: the chosen point's precision, or float32.
    [[nodiscard]] const perf::ComputeRoof* mainRoof() const;

    [[nodiscard]] const LabelPlacer& labels() const { return m_labels; } ///< as they were drawn

    [[nodiscard]] int markCount() const override { return int(m_drawn.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("0000 G"); }

private:
    [[nodiscard]] std::vector<perf::MemoryRoof> shownMemory() const;
    [[nodiscard]] std::vector<perf::ComputeRoof> shownCompute() const;
    [[nodiscard]] std::optional<int> markOf(qint64 id) const;
    void drawRegions(QPainter& painter);
    /// Where a roof's figure comes from: the data sheet's are dashed, measured ones solid.
    enum class From { datasheet, measured };
    void drawMemoryRoof(QPainter& painter, const perf::MemoryRoof& roof, double top, From from);
    void drawComputeRoof(QPainter& painter, const perf::ComputeRoof& roof, double fastest, From from);
    [[nodiscard]] QLineF computeLine(const perf::ComputeRoof& roof, double fastest) const; ///< to the right edge
    [[nodiscard]] QString roofLabel(const QString& text, std::string_view key, From from) const;
    [[nodiscard]] QPen roofPen(const QColor& colour, bool strong, std::string_view key, From from) const;
    void drawRidges(QPainter& painter);
    void drawReferences(QPainter& painter);
    void drawReferenceLabels(QPainter& painter);
    void drawHeader(QPainter& painter);
    void drawTrail(QPainter& painter);
    void drawPoints(QPainter& painter);
    void drawPointLabels(QPainter& painter);
    void drawLine(QPainter& painter, QPointF from, QPointF to);

    RooflineData m_data;
    std::vector<std::size_t> m_drawn;
    std::optional<qint64> m_best;
    LabelPlacer m_labels{QRectF()};
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
// How RooflineCanvas draws.
#include "ui/plots/Marks.h"
#include "ui/plots/RooflineCanvas.h"
#include "ui/words/Quantities.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr double strongLine = 2.2;
constexpr double thinLine = 1.1;
constexpr double referenceRadius = 2.6;
constexpr double labelGap = 3; ///< between a line and the text on it

QString capitalised(std::string_view text) {
    QString word = QString::fromUtf8(text.data(), qsizetype(text.size()));
    return word.isEmpty() ? word : word.at(0).toUpper() + word.mid(1);
}

QString roofText(const perf::MemoryRoof& roof) {
    return capitalised(name(roof.level)) + QLatin1Char(' ') + siText(roof.bytesPerSecond, QStringLiteral("B/s"));
}

QString roofText(const perf::ComputeRoof& roof) {
    return capitalised(name(roof.precision)) + QLatin1Char(' ') + siText(roof.flopsPerSecond, QStringLiteral("FLOP/s"));
}

void drawDiamond(QPainter& painter, QPointF centre, double radius) {
    painter.drawPolygon(QPolygonF({centre + QPointF(0, -radius), centre + QPointF(radius, 0),
                                   centre + QPointF(0, radius), centre + QPointF(-radius, 0)}));
}

/// A label may be long; the plot is not.
QString shortened(const QString& text, const QFontMetricsF& metrics) {
    return metrics.elidedText(text, Qt::ElideMiddle, 160);
}

} // namespace

void RooflineCanvas::drawLine(QPainter& painter, QPointF from, QPointF to) {
    if (const auto line = clipped(QLineF(from, to), plotArea())) painter.drawLine(*line);
}

void RooflineCanvas::paintBelow(QPainter& painter) {
    m_labels = LabelPlacer(plotArea());
    for (int i = 0; i < markCount(); ++i)
        m_labels.occupy(QRectF(markPosition(i) - QPointF(6, 6), QSizeF(12, 12)));
    if (!m_data.hasDevice) return;
    drawRegions(painter);
    double top = 0, fastest = 0;
    const auto memory = shownMemory();
    const auto compute = shownCompute();
    for (const auto& roof : compute)
        top = std::max(top, roof.flopsPerSecond);
    for (const auto& roof : memory)
        fastest = std::max(fastest, roof.bytesPerSecond);
    for (const auto& roof : compute)
        m_labels.occupy(computeLine(roof, fastest));
    for (const auto& roof : m_data.measured.compute)
        if (m_data.compute.contains(roof.precision)) m_labels.occupy(computeLine(roof, fastest));
    // Measured ones first, whose labels matter more.
    for (const auto& roof : m_data.measured.memory)
        if (m_data.memory.contains(roof.level)) drawMemoryRoof(painter, roof, top, From::measured);
    for (const auto& roof : memory)
        drawMemoryRoof(painter, roof, top, From::datasheet);
    for (const auto& roof : m_data.measured.compute)
        for (const auto& shown : compute)
            if (shown.precision == roof.precision) drawComputeRoof(painter, roof, fastest, From::measured);
    // The strong one first: its label has the best place.
    for (const bool strong : {true, false})
        for (const auto& roof : compute)
            if (strong == (mainRoof() && mainRoof()->precision == roof.precision))
                drawComputeRoof(painter, roof, fastest, From::datasheet);
    drawRidges(painter);
    drawReferences(painter);
}

void RooflineCanvas::drawReferences(QPainter& painter) {
    painter.setPen(QPen(look().palette.muted, 1));
    painter.setBrush(look().palette.field);
    for (const perf::ReferencePoint& reference : references()) {
        const QPointF at = referencePosition(reference);
        if (!plotArea().contains(at)) continue;
        painter.drawEllipse(at, referenceRadius, referenceRadius);
        m_labels.occupy(QRectF(at - QPointF(4, 4), QSizeF(8, 8)));
    }
}

/// Last of all, where the kernels' own labels leave room.
void RooflineCanvas::drawReferenceLabels(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    painter.setPen(look().palette.muted);
    for (const perf::ReferencePoint& reference : references()) {
        const QPointF at = referencePosition(reference);
        if (!plotArea().contains(at)) continue;
        const QString text = QString::fromStdString(reference.label);
        const auto box = m_labels.beside(at, {metrics.horizontalAdvance(text), metrics.height()});
        if (!box) continue;
        drawLeader(painter, at, *box, look().palette.muted);
        painter.setPen(look().palette.muted);
        painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), text);
    }
}

void RooflineCanvas::drawRegions(QPainter& painter) {
    const perf::MemoryRoof* memory = m_data.roofline.find(perf::MemoryLevel::device);
    const perf::ComputeRoof* compute = mainRoof();
    if (!memory || !compute) return;
    const double intensity = perf::ridge(*memory, *compute);
    const QPointF top = pixelOf(intensity, compute->flopsPerSecond);
    const QRectF area = plotArea();
    painter.setPen(QPen(look().palette.muted, 1, Qt::DotLine));
    drawLine(painter, top, QPointF(top.x(), area.bottom()));
    m_labels.occupy(QLineF(top, QPointF(top.x(), area.bottom())));
    painter.setPen(look().palette.muted);
    const QFontMetricsF metrics(painter.font());
    const double x = std::clamp(top.x(), area.left(), area.right());
    const double base = area.bottom() - 6 - metrics.descent();
    const auto put = [&](const QString& text, double left, double baseline) {
        const QRectF box(left, baseline - metrics.ascent(), metrics.horizontalAdvance(text), metrics.height());
        if (!area.contains(box)) return;
        m_labels.occupy(box);
        painter.drawText(QPointF(left, baseline), text);
    };
    const QString left = tr("memory-bound");
    put(left, x - 8 - metrics.horizontalAdvance(left), base);
    put(tr("compute-bound"), x + 8, base);
    if (x == top.x()) put(tr("ridge at %1 FLOP/byte").arg(numberText(intensity)), x + 8, base - metrics.height() - 2);
}

QString RooflineCanvas::roofLabel(const QString& text, std::string_view key, From from) const {
    if (from == From::datasheet) return text;
    const bool trusted = !m_data.distrust.contains(QString::fromUtf8(key.data(), qsizetype(key.size())));
    return trusted ? tr("%1 measured").arg(text) : tr("%1 measured, unreliable").arg(text);
}

QPen RooflineCanvas::roofPen(const QColor& colour, bool strong, std::string_view key, From from) const {
    if (from == From::datasheet) return QPen(colour, strong ? strongLine : thinLine, Qt::DashLine, Qt::FlatCap);
    const bool trusted = !m_data.distrust.contains(QString::fromUtf8(key.data(), qsizetype(key.size())));
    return QPen(trusted ? colour : look().palette.warning, strong ? strongLine : thinLine, Qt::SolidLine, Qt::FlatCap);
}

void RooflineCanvas::drawMemoryRoof(QPainter& painter, const perf::MemoryRoof& roof, double top, From from) {
    const bool strong = roof.level == perf::MemoryLevel::device;
    const QRectF area = plotArea();
    const auto at = [&](double flops) { return pixelOf(flops / roof.bytesPerSecond, flops); };
    const double lowest = std::min(yAxis->range().lower, xAxis->range().lower * roof.bytesPerSecond);
    const auto line = clipped(QLineF(at(lowest), at(top)), area);
    if (!line) return;
    painter.setPen(roofPen(look().palette.series[0], strong, key(roof.level), from));
    painter.drawLine(*line);

    // Along the line: under the strong one, where nothing else is, above the others.
    const QString text = roofLabel(roofText(roof), key(roof.level), from);
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text);
    const bool below = strong && (from == From::measured || m_data.measuredWhen.isEmpty());
    const double side = below ? metrics.ascent() + labelGap : -metrics.descent() - labelGap;
    const auto start = m_labels.along(*line, width, below ? 1 : -1);
    m_labels.occupy(*line); // no other text across the line
    if (!start) return;
    painter.save();
    painter.translate(line->p1());
    painter.rotate(-line->angle());
    painter.setPen(strong ? look().palette.text : look().palette.muted);
    painter.drawText(QPointF(*start, side), text);
    painter.restore();
}

QLineF RooflineCanvas::computeLine(const perf::ComputeRoof& roof, double fastest) const {
    const double from = fastest > 0 ? roof.flopsPerSecond / fastest : xAxis->range().lower;
    const QPointF left = pixelOf(from, roof.flopsPerSecond);
    return {left, QPointF(std::max(left.x(), plotArea().right()), left.y())};
}

void RooflineCanvas::drawComputeRoof(QPainter& painter, const perf::ComputeRoof& roof, double fastest, From origin) {
    const bool strong = mainRoof() && mainRoof()->precision == roof.precision;
    const QRectF area = plotArea();
    const auto line = clipped(computeLine(roof, fastest), area);
    if (!line) return;
    painter.setPen(roofPen(look().palette.series[1], strong, key(roof.precision), origin));
    painter.drawLine(*line);
    const QString text = roofLabel(roofText(roof), key(roof.precision), origin);
    const QFontMetricsF metrics(painter.font());
    const QSizeF size(metrics.horizontalAdvance(text), metrics.height());
    const auto box = m_labels.onLine(line->y1() - 1, line->x1() + 4, area.right() - 6, size);
    if (!box) return;
    painter.setPen(strong ? look().palette.text : look().palette.muted);
    painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), text);
}

void RooflineCanvas::drawRidges(QPainter& painter) {
    const perf::MemoryRoof* memory = m_data.roofline.find(perf::MemoryLevel::device);
    if (!memory) return;
    painter.setPen(QPen(look().palette.text, 1.2));
    for (const auto& roof : shownCompute()) {
        const QPointF at = pixelOf(perf::ridge(*memory, roof), roof.flopsPerSecond);
        if (!plotArea().contains(at)) continue;
        const bool strong = mainRoof() && mainRoof()->precision == roof.precision;
        painter.setBrush(strong ? look().palette.text : look().palette.field);
        drawDiamond(painter, at, strong ? 4.5 : 3);
    }
}

void RooflineCanvas::paintAbove(QPainter& painter) {
    drawHeader(painter);
    drawTrail(painter);
    drawPoints(painter);
    drawPointLabels(painter);
    drawReferenceLabels(painter);
}

void RooflineCanvas::drawHeader(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const QRectF area = plotArea();
    const double middle = 8 + metrics.height() / 2;
    const double baseline = middle + (metrics.ascent() - metrics.descent()) / 2;
    QList<Origin> origins;
    for (const Origin origin : {Origin::archived, Origin::measured, Origin::modelled})
        if (std::any_of(m_drawn.begin(), m_drawn.end(),
                        [&](std::size_t i) { return m_data.points[i].origin == origin; }))
            origins << origin;
    const double keyWidth = legendWidth(painter, origins);
    drawLegend(painter, QPointF(area.right() - keyWidth, middle), origins, look().palette);

    QString text = m_data.hasDevice
                       ? tr("%1: peaks from its data sheet").arg(QString::fromStdString(m_data.roofline.device))
                       : tr("No device chosen");
    if (m_data.hasDevice && !m_data.measuredWhen.isEmpty())
        text = tr("%1: dashed from its data sheet, solid measured %2")
                   .arg(QString::fromStdString(m_data.roofline.device), m_data.measuredWhen);
    if (const std::size_t hidden = m_data.points.size() - m_drawn.size())
        text += hidden == 1 ? tr("; 1 record without FLOPs is not drawn")
                            : tr("; %1 records without FLOPs are not drawn").arg(hidden);
    painter.setPen(look().palette.muted);
    painter.drawText(QPointF(area.left(), baseline),
                     metrics.elidedText(text, Qt::ElideRight, area.width() - keyWidth - 16));
}

void RooflineCanvas::drawTrail(QPainter& painter) {
    std::optional<int> before;
    for (const qint64 id : m_data.trail) {
        const auto mark = markOf(id);
        if (!mark) continue;
        const QRectF area = plotArea().adjusted(-1, -1, 1, 1);
        if (before && area.contains(markPosition(*before)) && area.contains(markPosition(*mark)))
            drawArrow(painter, markPosition(*before), markPosition(*mark), look().palette.muted);
        before = mark;
    }
}

void RooflineCanvas::drawPoints(QPainter& painter) {
    for (int i = 0; i < markCount(); ++i) {
        const QPointF at = markPosition(i);
        if (!plotArea().adjusted(-1, -1, 1, 1).contains(at)) continue;
        if (m_data.selected == point(i).id) drawHalo(painter, at, look().palette);
        if (m_best == point(i).id) drawRing(painter, at, look().palette.ok);
        drawMark(painter, at, point(i).origin, look().palette, i == current() ? markRadius + 1.5 : markRadius);
    }
    if (hasFocus() && current() >= 0) {
        painter.setPen(QPen(look().palette.accent, 1.2, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(markPosition(current()), 13, 13);
    }
}

void RooflineCanvas::drawPointLabels(QPainter& painter) {
    const QFontMetricsF metrics(painter.font());
    const auto label = [&](int mark, const QString& text, const QColor& colour) {
        const QString shown = shortened(text, metrics);
        const auto box = m_labels.beside(markPosition(mark), {metrics.horizontalAdvance(shown), metrics.height()});
        if (!box) return;
        drawLeader(painter, markPosition(mark), *box, look().palette.muted);
        painter.setPen(colour);
        painter.drawText(QPointF(box->left(), box->bottom() - metrics.descent()), shown);
    };
    // The ones that matter first, so that they find room.
    const auto rank = [&](int i) {
        if (m_data.selected == point(i).id) return 0;
        if (m_best == point(i).id) return 1;
        return point(i).origin == Origin::archived ? 2 : 3;
    };
    std::vector<int> order;
    for (int i = 0; i < markCount(); ++i)
        order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return rank(a) < rank(b); });
    for (const int i : order) {
        const bool isBest = m_best == point(i).id;
        label(i, isBest ? tr("best: %1").arg(point(i).label) : point(i).label,
              rank(i) < 2 ? look().palette.text : look().palette.muted);
    }
}

} // namespace kernelarium::ui

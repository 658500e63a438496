// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/RooflineCanvas.h"

#include "ui/plots/LogTicker.h"
#include "ui/words/Quantities.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

RooflineCanvas::RooflineCanvas(QWidget* parent)
    : PlotCanvas(parent) {
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->setScaleType(QCPAxis::stLogarithmic);
    xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return numberText(v); })));
    yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new LogTicker([](double v) { return siText(v); })));
    xAxis->setLabel(tr("Arithmetic intensity (FLOP/byte)"));
    yAxis->setLabel(tr("Performance (FLOP/s)"));
    resetView();
}

void RooflineCanvas::setData(RooflineData data) {
    m_data = std::move(data);
    m_drawn.clear();
    const auto positive = [](double v) { return std::isfinite(v) && v > 0; };
    for (std::size_t i = 0; i < m_data.points.size(); ++i) {
        const RooflinePoint& p = m_data.points[i];
        if (positive(p.flops) && positive(p.bytes) && positive(p.seconds)) m_drawn.push_back(i);
    }
    m_best.reset();
    double least = INFINITY;
    for (const qint64 id : m_data.trail)
        if (const auto mark = markOf(id); mark && point(*mark).seconds < least) {
            least = point(*mark).seconds;
            m_best = id;
        }
    dataChanged();
}

std::optional<int> RooflineCanvas::markOf(qint64 id) const {
    for (int i = 0; i < markCount(); ++i)
        if (point(i).id == id) return i;
    return std::nullopt;
}

QPointF RooflineCanvas::markPosition(int mark) const {
    const RooflinePoint& p = point(mark);
    return pixelOf(p.flops / p.bytes, p.flops / p.seconds);
}

const perf::ComputeRoof* RooflineCanvas::mainRoof() const {
    if (m_data.selected)
        if (const auto mark = markOf(*m_data.selected))
            if (const auto* roof = m_data.roofline.find(point(*mark).precision)) return roof;
    return m_data.roofline.find(perf::Precision::fp32);
}

std::vector<perf::ReferencePoint> RooflineCanvas::references() const {
    const perf::ComputeRoof* roof = mainRoof();
    if (!m_data.references || !m_data.hasDevice || !roof || !m_data.roofline.find(perf::MemoryLevel::device)) return {};
    return perf::referencePoints(perf::elementBytes(roof->precision));
}

QPointF RooflineCanvas::referencePosition(const perf::ReferencePoint& reference) const {
    const double intensity = reference.amount.intensity();
    return pixelOf(intensity,
                   perf::attainable(*m_data.roofline.find(perf::MemoryLevel::device), *mainRoof(), intensity));
}

std::vector<perf::MemoryRoof> RooflineCanvas::shownMemory() const {
    std::vector<perf::MemoryRoof> roofs;
    for (const auto& roof : m_data.roofline.memory)
        if (m_data.memory.contains(roof.level)) roofs.push_back(roof);
    return roofs;
}

std::vector<perf::ComputeRoof> RooflineCanvas::shownCompute() const {
    const perf::ComputeRoof* strong = mainRoof();
    std::vector<perf::ComputeRoof> roofs;
    for (const auto& roof : m_data.roofline.compute)
        if (m_data.compute.contains(roof.precision) || (strong && strong->precision == roof.precision))
            roofs.push_back(roof);
    return roofs;
}

void RooflineCanvas::home(QCPRange& x, QCPRange& y) const {
    x = QCPRange(0.05, 500);
    y = QCPRange(1e9, 1e14);
    const perf::MemoryRoof* memory = m_data.roofline.find(perf::MemoryLevel::device);
    const perf::ComputeRoof* strong = mainRoof();
    if (m_data.hasDevice && memory && strong) {
        double top = strong->flopsPerSecond;
        for (const auto& roof : shownCompute())
            top = std::max(top, roof.flopsPerSecond);
        x.lower = perf::ridge(*memory, *strong) / 400;
        x.upper = top / memory->bytesPerSecond * 12;
        y.lower = memory->bytesPerSecond * x.lower / 2;
        y.upper = top * 3;
    }
    for (const std::size_t i : m_drawn) {
        const RooflinePoint& p = m_data.points[i];
        x.lower = std::min(x.lower, p.flops / p.bytes / 2.5);
        x.upper = std::max(x.upper, p.flops / p.bytes * 2.5);
        y.lower = std::min(y.lower, p.flops / p.seconds / 3);
        y.upper = std::max(y.upper, p.flops / p.seconds * 3);
    }
}

} // namespace kernelarium::ui

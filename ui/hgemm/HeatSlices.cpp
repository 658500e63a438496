// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HeatSlices.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace kernelarium::ui {

namespace {

const char* const sizeNames[] = {"M", "N", "K"};

std::int64_t part(const hgemm::Shape& shape, int which) {
    return which == 0 ? shape.m : which == 1 ? shape.n : shape.k;
}

void setPart(hgemm::Shape& shape, int which, std::int64_t value) {
    (which == 0 ? shape.m : which == 1 ? shape.n : shape.k) = value;
}

int placeIn(const std::vector<std::int64_t>& values, std::int64_t value) {
    const auto found = std::lower_bound(values.begin(), values.end(), value);
    return found == values.end() || *found != value ? -1 : int(found - values.begin());
}

QStringList written(const std::vector<std::int64_t>& values) {
    QStringList words;
    for (const auto value : values)
        words << QString::number(value);
    return words;
}

} // namespace

HeatSlices::HeatSlices(const hgemm::HgemmTable& table)
    : m_table(table) {
    std::array<std::set<std::int64_t>, 3> seen;
    for (std::size_t i = 0; i < table.shapes.size(); ++i) {
        m_rows.emplace(table.shapes[i], int(i));
        for (int which = 0; which < 3; ++which)
            seen[std::size_t(which)].insert(part(table.shapes[i], which));
    }
    for (std::size_t which = 0; which < 3; ++which)
        m_values[which].assign(seen[which].begin(), seen[which].end());
}

std::array<int, 3> HeatSlices::order(Plane plane) {
    switch (plane) {
    case Plane::mn: return {0, 1, 2};
    case Plane::mk: return {0, 2, 1};
    case Plane::nk: break;
    }
    return {1, 2, 0};
}

const std::vector<std::int64_t>& HeatSlices::third(Plane plane) const {
    return m_values[std::size_t(order(plane)[2])];
}
QString HeatSlices::thirdName(Plane plane) {
    return QString::fromLatin1(sizeNames[order(plane)[2]]);
}

HeatData HeatSlices::data(Plane plane, int baseline, int only) const {
    const auto [x, y, z] = order(plane);
    const auto &xs = m_values[std::size_t(x)], &ys = m_values[std::size_t(y)];
    HeatData data;
    data.name = QStringLiteral("HGEMM %1 over %2")
                    .arg(QString::fromStdString(m_table.title()),
                         QString::fromStdString(m_table.baselines[std::size_t(baseline)]));
    data.xTitle = QLatin1String(sizeNames[x]) + QStringLiteral(" (elements)");
    data.yTitle = QLatin1String(sizeNames[y]) + QStringLiteral(" (elements)");
    data.x = written(xs);
    data.y = written(ys);
    const auto& thirds = third(plane);
    for (std::size_t t = 0; t < thirds.size(); ++t) {
        if (only >= 0 && int(t) != only) continue;
        HeatData::Panel panel{QStringLiteral("%1 = %2").arg(QLatin1String(sizeNames[z])).arg(thirds[t]),
                              std::vector<double>(xs.size() * ys.size(), std::numeric_limits<double>::quiet_NaN())};
        for (std::size_t j = 0; j < ys.size(); ++j)
            for (std::size_t i = 0; i < xs.size(); ++i) {
                hgemm::Shape shape;
                setPart(shape, x, xs[i]);
                setPart(shape, y, ys[j]);
                setPart(shape, z, thirds[t]);
                if (const int row = rowOf(shape); row >= 0)
                    panel.values[j * xs.size() + i] = m_table.speedups[std::size_t(baseline)][std::size_t(row)];
            }
        data.panels.push_back(std::move(panel));
    }
    return data;
}

hgemm::Shape HeatSlices::shapeOf(Plane plane, int only, int mark) const {
    const auto [x, y, z] = order(plane);
    const auto &xs = m_values[std::size_t(x)], &ys = m_values[std::size_t(y)];
    const int size = int(xs.size() * ys.size()), place = mark % size;
    hgemm::Shape shape;
    setPart(shape, x, xs[std::size_t(place % int(xs.size()))]);
    setPart(shape, y, ys[std::size_t(place / int(xs.size()))]);
    setPart(shape, z, third(plane)[std::size_t(only >= 0 ? only : mark / size)]);
    return shape;
}

int HeatSlices::rowOf(const hgemm::Shape& shape) const {
    const auto found = m_rows.find(shape);
    return found == m_rows.end() ? -1 : found->second;
}

std::optional<int> HeatSlices::cellOf(Plane plane, int only, const hgemm::Shape& shape) const {
    const auto [x, y, z] = order(plane);
    const auto &xs = m_values[std::size_t(x)], &ys = m_values[std::size_t(y)];
    const int i = placeIn(xs, part(shape, x)), j = placeIn(ys, part(shape, y)),
              t = placeIn(third(plane), part(shape, z));
    if (i < 0 || j < 0 || t < 0 || (only >= 0 && t != only)) return std::nullopt;
    return (only >= 0 ? 0 : t) * int(xs.size() * ys.size()) + j * int(xs.size()) + i;
}

} // namespace kernelarium::ui

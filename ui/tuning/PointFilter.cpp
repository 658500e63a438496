// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/PointFilter.h"

#include "ui/tuning/PointModel.h"

#include <algorithm>

namespace kernelarium::ui {

PointFilter::PointFilter(PointModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model) {
    setSourceModel(&model);
    setDynamicSortFilter(true);
}

void PointFilter::setColumn(int column, const QString& typed) {
    if (column < 0) return;
    if (std::size_t(column) >= m_columns.size()) m_columns.resize(std::size_t(column) + 1);
    m_columns[std::size_t(column)] = ColumnFilter(typed);
    invalidateFilter();
}

void PointFilter::clearColumns() {
    m_columns.clear();
    invalidateFilter();
}

void PointFilter::setBrush(std::function<bool(const PointRow&)> brush) {
    m_brush = std::move(brush);
    invalidateFilter();
}

bool PointFilter::isNarrow() const {
    return m_brush || std::any_of(m_columns.begin(), m_columns.end(),
                                  [](const ColumnFilter& filter) { return !filter.isEmpty(); });
}

bool PointFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    for (std::size_t i = 0; i < m_columns.size(); ++i) {
        if (m_columns[i].isEmpty()) continue;
        const QModelIndex cell = m_model.index(row, int(i));
        const QVariant number = cell.data(PointModel::numberRole);
        if (!m_columns[i].takes(cell.data().toString(),
                                number.isValid() ? std::optional(number.toDouble()) : std::nullopt))
            return false;
    }
    return !m_brush || m_brush(m_model.rows()[std::size_t(row)]);
}

bool PointFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(PointModel::sortRole), b = right.data(PointModel::sortRole);
    if (a.isValid() != b.isValid()) return (sortOrder() == Qt::AscendingOrder) == a.isValid();
    if (a.isValid())
        if (const QPartialOrdering order = QVariant::compare(a, b); order != QPartialOrdering::Equivalent)
            return order == QPartialOrdering::Less;
    return (sortOrder() == Qt::AscendingOrder) == (left.row() < right.row()) && left.row() != right.row();
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tuning/ColumnFilter.h"
#include "ui/tuning/PointRow.h"

#include <QSortFilterProxyModel>
#include <functional>

namespace kernelarium::ui {

class PointModel;

/// The points that the columns' filters and the brush leave, sorted; cells without a value come last in either
/// direction.
class PointFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit PointFilter(PointModel& model, QObject* parent = nullptr);

    void setColumn(int column, const QString& typed);
    void clearColumns();
    /// Narrows further; null: it does not.
    void setBrush(std::function<bool(const PointRow&)> brush);
    [[nodiscard]] bool isNarrow() const;
    /// Whether a row of the model is shown.
    [[nodiscard]] bool shows(int modelRow) const { return filterAcceptsRow(modelRow, {}); }

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    PointModel& m_model;
    std::vector<ColumnFilter> m_columns;
    std::function<bool(const PointRow&)> m_brush;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/FigureTable.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace kernelarium::ui {

/// A FigureTable for a view. It neither filters nor sorts.
class FigureModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Role {
        sortRole = Qt::UserRole,
        speedupRole, ///< a double; NaN where there is none
        barRole,     ///< likewise, 0 to 1
        linkRole,    ///< true: the cell leads to kernels
    };

    explicit FigureModel(const Theme& theme, QObject* parent = nullptr);

    void setTable(FigureTable table);
    [[nodiscard]] const FigureTable& table() const { return m_table; }
    [[nodiscard]] const FigureRow& row(int row) const { return m_table.rows[std::size_t(row)]; }
    [[nodiscard]] DrillPointer drill(const QModelIndex& index) const; ///< null: the cell leads nowhere

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] const FigureCell* cell(const QModelIndex& index) const;
    [[nodiscard]] QVariant colour(const FigureRow& row, const FigureCell& cell) const;

    const Theme& m_theme;
    FigureTable m_table;
};

/// A model's rows, sorted: missing values last, equal ones as they stand, and a second row always below its first.
class FigureOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit FigureOrder(FigureModel& model, QObject* parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    FigureModel& m_model;
};

} // namespace kernelarium::ui

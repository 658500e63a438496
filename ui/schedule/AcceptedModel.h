// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/ScheduleResult.h"

#include <QAbstractTableModel>

namespace kernelarium::ui {

/// The moves that lead from the original to the best schedule, in their order.
class AcceptedModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { step, move, energy, fate, columnCount_ };
    using QAbstractTableModel::QAbstractTableModel;

    void show(ScheduleResultPointer result);
    void setUndone(std::optional<std::uint64_t> step);
    [[nodiscard]] const schedule::Step* stepOf(int row) const; ///< null: none
    [[nodiscard]] int rowOf(std::uint64_t step) const;         ///< -1: it is none of them
    [[nodiscard]] bool isUndone(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    ScheduleResultPointer m_result;
    std::optional<std::uint64_t> m_undone;
};

} // namespace kernelarium::ui

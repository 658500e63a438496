// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/CountersBeside.h"

#include <QAbstractTableModel>

namespace kernelarium::ui {

/// Counters of the original and of a schedule, a row each.
class BesideModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { counter, original, best, change, meaning, columnCount_ };

    using QAbstractTableModel::QAbstractTableModel;

    void show(schedule::CountersBeside beside);
    [[nodiscard]] const schedule::CountersBeside& beside() const { return m_beside; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;

private:
    schedule::CountersBeside m_beside;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/compare/CounterPairs.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// Figures of two kernels, one beside the other.
class CounterPairModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { figure, first, second, ratio, columnCount_ };
    enum Role {
        sortRole = Qt::UserRole, ///< a number; of the ratio how far it is from 1, either way
    };
    using QAbstractTableModel::QAbstractTableModel;

    void setPairs(std::vector<CounterPair> pairs);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<CounterPair> m_pairs;
};

} // namespace kernelarium::ui

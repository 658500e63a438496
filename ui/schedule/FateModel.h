// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Step.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// What became of moves: those that came to a step, by fate, and draws that came to nothing, by reason.
class FateModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { what, count, share, meaning, columnCount_ };
    using QAbstractTableModel::QAbstractTableModel;

    void show(const std::vector<schedule::Step>& steps);
    [[nodiscard]] int steps() const { return m_stepCount; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        QString what, meaning;
        std::int64_t count = 0;
    };
    std::vector<Row> m_rows;
    std::int64_t m_all = 0; ///< draws and steps
    int m_stepCount = 0;
};

} // namespace kernelarium::ui

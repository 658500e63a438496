// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stepper/StepWalk.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// What the step reads and writes in memory: a row for each access of each lane.
class AccessModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { lane, what, where, value, columnCount_ };
    explicit AccessModel(StepWalk& walk, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// "32 lanes read 4 bytes each of shared memory: 8 bank passes (1 needed)"; empty: no access.
    [[nodiscard]] QString summary() const;

private:
    struct Row {
        std::size_t access = 0;
        int lane = 0;
        std::size_t place = 0; ///< among the access's lanes
        int known = -1;        ///< among those with values
    };
    void refresh();
    void refreshValues();
    [[nodiscard]] QString valueText(const Row& row) const;

    StepWalk& m_walk;
    std::vector<Row> m_rows;
};

} // namespace kernelarium::ui

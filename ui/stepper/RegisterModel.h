// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stepper/StepWalk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// The registers that the warp has written in the function that it is in: those of this step stand out.
class RegisterModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, type, value, lanes, columnCount_ };
    RegisterModel(StepWalk& walk, const Theme& theme, QObject* parent = nullptr);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// The first row that this step wrote; -1: none.
    [[nodiscard]] int changedRow() const;

private:
    void refresh();
    void refreshValues();
    [[nodiscard]] const recording::RegisterChange* changeOf(int row) const;
    [[nodiscard]] QString valueText(int row) const;
    [[nodiscard]] QString tip(int row) const;

    StepWalk& m_walk;
    const Theme& m_theme;
    std::vector<std::uint32_t> m_registers;
};

} // namespace kernelarium::ui

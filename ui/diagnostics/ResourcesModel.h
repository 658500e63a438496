// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/CompileMessages.h"

#include <QAbstractTableModel>
#include <memory>

namespace kernelarium::ui {

/// What ptxas says about each kernel of a unit.
class ResourcesModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { kernel, registers, spills, shared, stack, constants, columnCount_ };

    using QAbstractTableModel::QAbstractTableModel;
    void show(std::shared_ptr<const compile::CompiledUnit> unit);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::shared_ptr<const compile::CompiledUnit> m_unit;
};

} // namespace kernelarium::ui

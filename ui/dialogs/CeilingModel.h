// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/MeasuredCeilings.h"

#include <QAbstractTableModel>
#include <optional>

namespace kernelarium::ui {

/// What a device was seen to reach, beside its data sheet: a row for each ceiling.
class CeilingModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, measured, datasheet, ratio, clock, method, doubt, columns };
    using QAbstractTableModel::QAbstractTableModel;

    void setCeilings(std::optional<perf::MeasuredCeilings> ceilings);
    [[nodiscard]] const std::optional<perf::MeasuredCeilings>& ceilings() const { return m_ceilings; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation,
                                      int role = Qt::DisplayRole) const override;
    [[nodiscard]] QString text() const; ///< cells separated by tabs

private:
    [[nodiscard]] QString cell(const perf::Ceiling& ceiling, int column) const;

    std::optional<perf::MeasuredCeilings> m_ceilings;
    const perf::DeviceSpec* m_spec = nullptr; ///< null: no data sheet is known
};

} // namespace kernelarium::ui

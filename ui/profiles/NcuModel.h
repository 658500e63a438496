// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/profiles/NcuGroups.h"
#include "ui/theme/Theme.h"

#include <QAbstractItemModel>

namespace kernelarium::ui {

/// Nsight Compute's figures in groups: archived, measured here and counted by the emulator side by side. Two levels.
class NcuModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { name, archived, measured, emulator, unit, about, columnCount_ };

    explicit NcuModel(const Theme& theme, QObject* parent = nullptr);
    void show(std::vector<NcuGroup> groups);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QVariant groupData(const NcuGroup& group, int column, int role) const;

    const Theme& m_theme;
    std::vector<NcuGroup> m_groups;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Verdict.h"
#include "ui/theme/Theme.h"
#include "ui/verdict/EvidenceGroup.h"

#include <QAbstractItemModel>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// A verdict's evidence in groups: figures, checks, faults, launches, notes. Two levels.
class VerdictModel : public QAbstractItemModel {
    Q_OBJECT
public:
    enum Column { item, result, detail, columnCount_ };
    enum Role {
        lineRole = Qt::UserRole, ///< a source line to go to; 0: none
        aboutRole,               ///< what the row is about, for a reader who has not met it
        faultRole
    }; ///< number of the fault that the row tells; -1: none

    explicit VerdictModel(const Theme& theme, QObject* parent = nullptr);
    void show(std::shared_ptr<const verify::Verdict> verdict);

    [[nodiscard]] QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    [[nodiscard]] QModelIndex parent(const QModelIndex& index) const override;
    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    using Row = EvidenceRow;
    using Group = EvidenceGroup;
    void showGroups(std::vector<Group> groups);

private:
    const Theme& m_theme;
    std::vector<Group> m_groups;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/ResourcesModel.h"

namespace kernelarium::ui {

void ResourcesModel::show(std::shared_ptr<const compile::CompiledUnit> unit) {
    beginResetModel();
    m_unit = std::move(unit);
    endResetModel();
}

int ResourcesModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_unit ? 0 : int(m_unit->kernels.size());
}

int ResourcesModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant ResourcesModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& k = m_unit->kernels[std::size_t(index.row())];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((index.column() == kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    if (role == Qt::ToolTipRole && index.column() == kernel) return QString::fromStdString(k.name);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case kernel: return QString::fromStdString(k.name);
    case registers: return k.registers;
    case spills: return k.spillStoreBytes + k.spillLoadBytes;
    case shared: return k.staticSharedBytes;
    case stack: return k.stackBytes;
    case constants: return k.constantBytes;
    default: return {};
    }
}

QVariant ResourcesModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const QString names[] = {tr("Kernel"),     tr("Registers"), tr("Spills (B)"),
                             tr("Shared (B)"), tr("Stack (B)"), tr("Constants (B)")};
    const QString tips[] = {tr("The kernel's name with its template arguments"),
                            tr("Registers per thread, as assigned by ptxas"),
                            tr("Bytes stored to and loaded from local memory because registers ran out"),
                            tr("Static shared memory of each block"),
                            tr("Local memory of each thread"),
                            tr("Constant memory: parameters and the kernel's own constants")};
    if (section < 0 || section >= columnCount_) return {};
    if (role == Qt::DisplayRole) return names[section];
    if (role == Qt::ToolTipRole) return tips[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section == kernel ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    return {};
}

} // namespace kernelarium::ui

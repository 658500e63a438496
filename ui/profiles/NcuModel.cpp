// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/NcuModel.h"

namespace kernelarium::ui {

namespace {

QString cellOf(const NcuRow& row, int column) {
    switch (column) {
    case NcuModel::name: return row.name;
    case NcuModel::archived: return row.archived;
    case NcuModel::measured: return row.measured;
    case NcuModel::emulator: return row.emulator;
    case NcuModel::unit: return row.unit;
    default: return row.about;
    }
}

bool isFigure(int column) {
    return column == NcuModel::archived || column == NcuModel::measured || column == NcuModel::emulator;
}

} // namespace

NcuModel::NcuModel(const Theme& theme, QObject* parent)
    : QAbstractItemModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        for (int group = 0; group < rowCount(); ++group) {
            const QModelIndex head = index(group, 0);
            Q_EMIT dataChanged(index(0, 0, head), index(rowCount(head) - 1, columnCount_ - 1, head));
        }
    });
}

void NcuModel::show(std::vector<NcuGroup> groups) {
    beginResetModel();
    m_groups = std::move(groups);
    endResetModel();
}

QModelIndex NcuModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    // A group has number 0, its rows the group's number plus one.
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex NcuModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(int(index.internalId()) - 1, 0, quintptr(0));
}

int NcuModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(m_groups.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return int(m_groups[std::size_t(parent.row())].rows.size());
}

int NcuModel::columnCount(const QModelIndex&) const {
    return columnCount_;
}

QVariant NcuModel::groupData(const NcuGroup& group, int column, int role) const {
    if (role == Qt::DisplayRole) return column == name ? group.title : column == about ? group.summary : QString();
    if (role == Qt::FontRole && column == name) return m_theme.headingFont();
    if (role == Qt::ForegroundRole && column != name) return m_theme.colours().muted;
    return {};
}

QVariant NcuModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (index.internalId() == 0) return groupData(m_groups[std::size_t(index.row())], index.column(), role);
    const NcuRow& row = m_groups[index.internalId() - 1].rows[std::size_t(index.row())];
    const Palette& colours = m_theme.colours();
    switch (role) {
    case Qt::DisplayRole: return cellOf(row, index.column()).simplified();
    case Qt::ToolTipRole: return row.about.isEmpty() ? row.name : row.about;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isFigure(index.column()) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (index.column() == archived) return colours.archived;
        if (index.column() == measured) return colours.measured;
        if (index.column() == emulator) return colours.modelled;
        return index.column() == name ? QVariant() : QVariant(colours.muted);
    default: return {};
    }
}

QVariant NcuModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isFigure(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case name: return tr("Metric");
    case archived: return tr("○ Archived");
    case measured: return tr("● Measured");
    case emulator: return tr("◌ Emulator");
    case unit: return tr("Unit");
    default: return tr("What it means");
    }
}

} // namespace kernelarium::ui

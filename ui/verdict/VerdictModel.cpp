// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/VerdictModel.h"

#include "ui/verdict/VerdictGroups.h"

namespace kernelarium::ui {

VerdictModel::VerdictModel(const Theme& theme, QObject* parent)
    : QAbstractItemModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        for (int group = 0; group < rowCount(); ++group) {
            const QModelIndex head = index(group, 0);
            if (rowCount(head) > 0)
                Q_EMIT dataChanged(index(0, 0, head), index(rowCount(head) - 1, columnCount_ - 1, head));
        }
    });
}

void VerdictModel::show(std::shared_ptr<const verify::Verdict> verdict) {
    beginResetModel();
    m_groups = verdict ? verdictGroups(*verdict) : std::vector<Group>();
    endResetModel();
}

void VerdictModel::showGroups(std::vector<Group> groups) {
    beginResetModel();
    m_groups = std::move(groups);
    endResetModel();
}

QModelIndex VerdictModel::index(int row, int column, const QModelIndex& parent) const {
    if (!hasIndex(row, column, parent)) return {};
    // A group has number 0, its rows the group's number plus one.
    return createIndex(row, column, parent.isValid() ? quintptr(parent.row() + 1) : quintptr(0));
}

QModelIndex VerdictModel::parent(const QModelIndex& index) const {
    if (!index.isValid() || index.internalId() == 0) return {};
    return createIndex(int(index.internalId()) - 1, 0, quintptr(0));
}

int VerdictModel::rowCount(const QModelIndex& parent) const {
    if (!parent.isValid()) return int(m_groups.size());
    if (parent.internalId() != 0 || parent.column() != 0) return 0;
    return int(m_groups[std::size_t(parent.row())].rows.size());
}

int VerdictModel::columnCount(const QModelIndex&) const {
    return columnCount_;
}

QVariant VerdictModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    if (role == faultRole && index.internalId() == 0) return -1;
    if (index.internalId() == 0) {
        const Group& group = m_groups[std::size_t(index.row())];
        if (role == Qt::DisplayRole)
            return index.column() == item ? group.title : index.column() == detail ? group.summary : QString();
        if (role == Qt::FontRole && index.column() == item) return m_theme.headingFont();
        if (role == Qt::ForegroundRole && index.column() != item) return m_theme.colours().muted;
        return {};
    }
    const Row& row = m_groups[index.internalId() - 1].rows[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return index.column() == item ? row.item : index.column() == result ? row.result : row.detail.simplified();
    case Qt::ToolTipRole: {
        const QString text = index.column() == detail ? row.detail : row.about.isEmpty() ? row.item : row.about;
        return row.line > 0 ? text + tr("\n(Enter or a click goes to line %1)").arg(row.line) : text;
    }
    case Qt::DecorationRole:
        if (index.column() != item || row.icon.isEmpty()) return {};
        return row.colour ? m_theme.icon(row.icon, m_theme.colours().*row.colour) : m_theme.icon(row.icon);
    case Qt::ForegroundRole:
        return index.column() == result && row.colour ? QVariant(m_theme.colours().*row.colour) : QVariant();
    case lineRole: return row.line;
    case aboutRole: return row.about;
    case faultRole: return row.fault;
    default: return {};
    }
}

QVariant VerdictModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == item ? tr("Evidence") : section == result ? tr("Result") : tr("Detail");
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/BesideModel.h"

#include "ui/words/Quantities.h"

namespace kernelarium::ui {

namespace {

QString besideFigure(const std::optional<double>& value) {
    return value ? numberText(*value, 5) : QStringLiteral("–");
}

QString besideChange(const schedule::CountersBeside::Row& row) {
    const std::string change = row.change();
    return change.empty() ? QStringLiteral("–") : QString::fromStdString(change);
}

} // namespace

void BesideModel::show(schedule::CountersBeside beside) {
    beginResetModel();
    m_beside = std::move(beside);
    endResetModel();
}

int BesideModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_beside.rows.size());
}
int BesideModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant BesideModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const schedule::CountersBeside::Row& row = m_beside.rows[std::size_t(index.row())];
    const bool isNumber = index.column() == original || index.column() == best || index.column() == change;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return QString::fromStdString(row.meaning);
    if (role != Qt::DisplayRole) return {};
    const QString unit = QString::fromStdString(row.unit);
    switch (index.column()) {
    case counter:
        return unit.isEmpty() ? QString::fromStdString(row.name)
                              : tr("%1, %2").arg(QString::fromStdString(row.name), unit);
    case original: return besideFigure(row.original);
    case best: return besideFigure(row.best);
    case change: return besideChange(row);
    default: return QString::fromStdString(row.meaning);
    }
}

QVariant BesideModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool isNumber = section == original || section == best || section == change;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) switch (section) {
        case counter: return tr("What is counted, and in what");
        case original: return tr("Of the code as it was compiled");
        case best: return tr("Of the schedule that is looked at");
        case change: return tr("Of the schedule beside the original");
        default: return tr("What it means");
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case counter: return tr("Counter");
    case original: return tr("Original");
    case best: return tr("Schedule");
    case change: return tr("Change");
    default: return tr("Meaning");
    }
}

} // namespace kernelarium::ui

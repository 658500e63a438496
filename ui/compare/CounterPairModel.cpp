// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/CounterPairModel.h"

#include "ui/words/Quantities.h"

#include <cmath>

namespace kernelarium::ui {

void CounterPairModel::setPairs(std::vector<CounterPair> pairs) {
    beginResetModel();
    m_pairs = std::move(pairs);
    endResetModel();
}

int CounterPairModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_pairs.size());
}

int CounterPairModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant CounterPairModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount_) return {};
    const CounterPair& pair = m_pairs[std::size_t(index.row())];
    const int column = index.column();
    const std::optional<double> value = column == first ? pair.a : column == second ? pair.b : pair.ratio();
    switch (role) {
    case Qt::DisplayRole:
        if (column == figure) return QString::fromStdString(pair.title);
        if (!value) return QStringLiteral("–");
        return column == ratio ? numberText(*value) : numberText(*value, 4);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") +
               data(index, Qt::DisplayRole).toString();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column == figure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case sortRole:
        if (column == figure) return index.row(); // as they belong together
        if (!value) return -1.0;
        return column == ratio ? std::abs(std::log(std::max(*value, 1e-12))) : *value;
    default: return {};
    }
}

QVariant CounterPairModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
    const QString names[] = {tr("Figure"), tr("A"), tr("B"), tr("B / A")};
    const QString tips[] = {tr("Of all launches together, counted by the emulator at the published size"),
                            tr("The kernel at the left"), tr("The kernel at the right"),
                            tr("Sorted by how far the two are apart, either way")};
    if (role == Qt::DisplayRole) return names[section];
    if (role == Qt::ToolTipRole) return tips[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((section == figure ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    return {};
}

} // namespace kernelarium::ui

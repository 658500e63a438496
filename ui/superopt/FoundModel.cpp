// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/FoundModel.h"

#include "ui/words/Quantities.h"

namespace kernelarium::ui {

using FoundVerdict = superopt::FoundCandidate::Verdict;

QString checkedWord(FoundVerdict verdict) {
    switch (verdict) {
    case FoundVerdict::right: return FoundModel::tr("✓ right");
    case FoundVerdict::undecided: return FoundModel::tr("? undecided");
    case FoundVerdict::refused: return FoundModel::tr("✗ refused");
    case FoundVerdict::failed: break;
    }
    return FoundModel::tr("failed");
}

FoundModel::FoundModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    });
}

void FoundModel::show(std::vector<superopt::FoundCandidate> found) {
    beginResetModel();
    m_found = std::move(found);
    endResetModel();
}

const superopt::FoundCandidate* FoundModel::candidate(int row) const {
    return row >= 0 && row < rowCount() ? &m_found[std::size_t(row)] : nullptr;
}

int FoundModel::rowOf(const std::string& graph) const {
    for (std::size_t row = 0; row < m_found.size(); ++row)
        if (m_found[row].hash == graph) return int(row);
    return -1;
}

int FoundModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_found.size());
}
int FoundModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString FoundModel::cell(const superopt::FoundCandidate& found, int column) const {
    switch (column) {
    case hash: return QString::fromStdString(found.hash);
    case bound: return secondsText(found.bound);
    case checked: return found.fault.empty() ? checkedWord(found.verdict) : tr("✗ rungs disagree");
    case rung:
        return found.rung > 0 && found.rung <= found.rungs.size()
                   ? QString::fromStdString(found.rungs[found.rung - 1].name)
                   : tr("none");
    default:
        if (!found.at) return tr("a unit that is open");
        if (found.at->ofAll > 0) return tr("state %1").arg(wholeText(std::int64_t(found.at->ofAll)));
        return tr("unit %1, state %2")
            .arg(wholeText(std::int64_t(found.at->unit)), wholeText(std::int64_t(found.at->state)));
    }
}

QVariant FoundModel::data(const QModelIndex& index, int role) const {
    const superopt::FoundCandidate* found = candidate(index.row());
    if (!found) return {};
    const Palette& p = m_theme.colours();
    switch (role) {
    case Qt::DisplayRole: return cell(*found, index.column());
    case Qt::TextAlignmentRole:
        return index.column() == bound ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (index.column() == bound) return p.modelled;
        return {};
    case Qt::ToolTipRole:
        if (index.column() == bound) return tr("Modelled: no kernel of this graph takes less. Nothing was run");
        if (index.column() == checked && !found->fault.empty()) return QString::fromStdString(found->fault);
        return cell(*found, index.column());
    default: return {};
    }
}

QVariant FoundModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case hash: return tr("Graph");
    case bound: return tr("At least");
    case checked: return tr("Checked");
    case rung: return tr("Rung");
    default: return tr("Found at");
    }
}

} // namespace kernelarium::ui

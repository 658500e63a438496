// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/AcceptedModel.h"

#include "ui/words/Quantities.h"

#include <QFont>

namespace kernelarium::ui {

void AcceptedModel::show(ScheduleResultPointer result) {
    beginResetModel();
    m_result = std::move(result);
    m_undone.reset();
    endResetModel();
}

void AcceptedModel::setUndone(std::optional<std::uint64_t> step_) {
    if (m_undone == step_) return;
    m_undone = step_;
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const schedule::Step* AcceptedModel::stepOf(int row) const {
    if (!m_result || row < 0 || row >= rowCount()) return nullptr;
    const std::uint64_t number = m_result->history.bestPath[std::size_t(row)];
    return number < m_result->history.steps.size() ? &m_result->history.steps[number] : nullptr;
}

int AcceptedModel::rowOf(std::uint64_t number) const {
    for (int row = 0; row < rowCount(); ++row)
        if (m_result->history.bestPath[std::size_t(row)] == number) return row;
    return -1;
}

bool AcceptedModel::isUndone(int row) const {
    const schedule::Step* one = stepOf(row);
    return one && m_undone == one->number;
}

int AcceptedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_result ? 0 : int(m_result->history.bestPath.size());
}
int AcceptedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant AcceptedModel::data(const QModelIndex& index, int role) const {
    const schedule::Step* one = index.isValid() ? stepOf(index.row()) : nullptr;
    if (!one) return {};
    const bool isNumber = index.column() == step || index.column() == energy;
    switch (role) {
    case Qt::TextAlignmentRole: return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::FontRole:
        if (isUndone(index.row())) {
            QFont font;
            font.setStrikeOut(true);
            return font;
        }
        return {};
    case Qt::DisplayRole:
    case Qt::ToolTipRole: break;
    default: return {};
    }
    switch (index.column()) {
    case step: return QString::number(one->number);
    case move: return QString::fromStdString(one->text);
    case energy: return one->energy ? QStringLiteral("%1%").arg(numberText(*one->energy, 5)) : QString();
    default: return isUndone(index.row()) ? tr("undone") : one->isBest ? tr("a new best") : tr("accepted");
    }
}

QVariant AcceptedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool isNumber = section == step || section == energy;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) switch (section) {
        case step: return tr("Number of the step that accepted it");
        case move: return tr("What was moved or changed; places are those of the code as it was compiled");
        case energy:
            return m_result && m_result->history.settings.mode == schedule::Mode::measured
                       ? tr("Time after it, in percent of the original's, measured")
                       : tr("Time after it, in percent of the original's, modelled");
        default: return tr("Whether it was the least time so far, and whether it is undone");
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case step: return tr("Step");
    case move: return tr("Move");
    case energy: return tr("Time");
    default: return tr("Fate");
    }
}

} // namespace kernelarium::ui

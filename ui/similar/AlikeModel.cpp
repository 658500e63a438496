// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/similar/AlikeModel.h"

#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

using similar::Alike;
using similar::Measure;

QString joined(const similar::Operators& operators) {
    QStringList names;
    for (const std::string& name : operators)
        names << QString::fromStdString(name);
    return names.join(QStringLiteral(", "));
}

double orBelowAll(double value) {
    return std::isnan(value) ? -1 : value;
}

} // namespace

AlikeModel::AlikeModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&m_theme, &Theme::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    });
}

void AlikeModel::setAnswer(LikeAnswerPointer answer) {
    beginResetModel();
    m_answer = std::move(answer);
    endResetModel();
}

void AlikeModel::setVerdicts(archive::OwnVerdictsPointer verdicts) {
    m_verdicts = std::move(verdicts);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, verdict), index(rowCount() - 1, verdict));
}

int AlikeModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_answer ? 0 : int(m_answer->result.found.size());
}

int AlikeModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

bool AlikeModel::isRight(int column) {
    return column != kernel && column != verdict && column != claim && column != task;
}

const archive::OwnVerdict* AlikeModel::verdictOn(const Alike& alike) const {
    return m_verdicts ? m_verdicts->of(*m_answer->table, alike.row) : nullptr;
}

QString AlikeModel::text(const Alike& alike, int row, int column) const {
    const archive::KernelTable& table = *m_answer->table;
    const std::size_t at = alike.row;
    switch (column) {
    case rank: return QString::number(row + 1);
    case kernel: return QString::fromStdString(table.name[at]);
    case task:
        return QStringLiteral("%1/%2 %3")
            .arg(table.level[at])
            .arg(table.task[at])
            .arg(operatorText(QString::fromStdString(table.opName[at])));
    case code: return percentText(alike.code);
    case operators: return percentText(alike.operators);
    case verdict: {
        const auto* own = verdictOn(alike);
        return own ? verdictWord(QString::fromStdString(own->verdict), own->stale, own->smallOnly) : QString();
    }
    case claim: return claimText(table.correct[at], table.errorKind[at]);
    case time: return millisecondsText(table.runtime[at]);
    case speedup: return speedupText(table.speedupNative[at]);
    case against: return alike.measure == Measure::ownSpeedup ? QString() : speedupText(alike.gain);
    default: return {};
    }
}

QString AlikeModel::toolTip(const Alike& alike, int row, int column) const {
    switch (column) {
    case kernel:
        return alike.same.empty() ? text(alike, row, kernel)
                                  : tr("%1\nand %2 more of its task with the same code")
                                        .arg(text(alike, row, kernel), wholeText(std::int64_t(alike.same.size())));
    case code:
        return std::isnan(alike.code)
                   ? tr("Code was not compared")
                   : tr("%1 of all pieces of the two codes are in both; names, numbers and layout do not count")
                         .arg(percentText(alike.code));
    case operators:
        return std::isnan(alike.operators) ? tr("The operators of one of the two tasks are not known")
               : alike.shared.empty()      ? tr("The two tasks share no operator")
                                           : tr("Both tasks have %1").arg(joined(alike.shared));
    case verdict: {
        const auto* own = verdictOn(alike);
        return own ? verdictExplanation(QString::fromStdString(own->verdict)) : tr("Not verified here");
    }
    case against:
        switch (alike.measure) {
        case Measure::none: return tr("One of the two has no archived time");
        case Measure::time: return tr("The same task: archived time by archived time");
        case Measure::speedup: return tr("Another task: how far each is ahead of PyTorch on its own");
        case Measure::ownSpeedup:
            return tr("The kernel has no archived time: those furthest ahead of PyTorch come first");
        }
        return {};
    default: return text(alike, row, column);
    }
}

QVariant AlikeModel::sortValue(const Alike& alike, int row, int column) const {
    const archive::KernelTable& table = *m_answer->table;
    switch (column) {
    case rank: return row;
    case code: return orBelowAll(alike.code);
    case operators: return orBelowAll(alike.operators);
    case verdict: return int(alike.standing);
    case time: return std::isnan(table.runtime[alike.row]) ? 1e300 : table.runtime[alike.row];
    case speedup: return orBelowAll(table.speedupNative[alike.row]);
    case against: return orBelowAll(alike.gain);
    case task: return table.level[alike.row] * 100000 + table.task[alike.row];
    default: return text(alike, row, column);
    }
}

QVariant AlikeModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
    const Alike& alike = m_answer->result.found[std::size_t(index.row())];
    const int column = index.column();
    const Palette& colours = m_theme.colours();
    switch (role) {
    case Qt::DisplayRole: return text(alike, index.row(), column);
    case Qt::ToolTipRole: return toolTip(alike, index.row(), column);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") +
               text(alike, index.row(), column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isRight(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (column == verdict)
            if (const auto* own = verdictOn(alike))
                return own->stale ? colours.muted : verdictColour(colours, QString::fromStdString(own->verdict));
        return column == rank ? QVariant(colours.muted) : QVariant();
    case idRole: return QVariant::fromValue(qint64(m_answer->table->id[alike.row]));
    case sortRole: return sortValue(alike, index.row(), column);
    default: return {};
    }
}

QVariant AlikeModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
    const QString names[] = {
        tr("#"),       tr("Kernel"),      tr("Against it"),     tr("Code"),         tr("Operators"),
        tr("Verdict"), tr("Archived as"), tr("○ archived, ms"), tr("Over PyTorch"), tr("Task")};
    const QString tips[] = {
        tr("Verified ones first, then those that the archive calls correct, the faster before the slower"),
        tr("Its name in the archive"),
        tr("How much faster than the kernel asked about, as archived: by time on the same task, by the lead over PyTorch "
           "on another"),
        tr("How much of the two codes is in both, however names are chosen and lines laid out"),
        tr("How many operators the two tasks share"),
        tr("Our own verdict on the archived text"),
        tr("What the archive says of it"),
        tr("Its archived time, on its own task"),
        tr("How much faster than PyTorch it is on its own task, as archived"),
        tr("What it computes")};
    if (role == Qt::DisplayRole) return names[section];
    if (role == Qt::ToolTipRole) return tips[section];
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isRight(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    return {};
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/FateModel.h"

#include "ui/words/Quantities.h"

#include <map>

namespace kernelarium::ui {

namespace {

using schedule::Fate;

QString fateMeaning(Fate fate) {
    switch (fate) {
    case Fate::start: return FateModel::tr("The schedule that the search began with");
    case Fate::control: return FateModel::tr("The original against itself: how much of a difference is noise");
    case Fate::accepted: return FateModel::tr("The walk goes on from it");
    case Fate::refused: return FateModel::tr("Slower by more than the temperature allows: the walk stays where it was");
    case Fate::faulted: return FateModel::tr("Proved, and yet it faulted or gave other bits: please report it");
    case Fate::unproved: return FateModel::tr("The mover thought it legal, the proof did not: the proof counts");
    case Fate::failed: return FateModel::tr("Nothing is known of it");
    }
    return {};
}

QString drawnMeaning(const std::string& reason) {
    if (reason == "order")
        return FateModel::tr("A fence, or instructions that depend on one another, would change places");
    if (reason == "stall") return FateModel::tr("A stall would not fit its four bits, or nothing can stall there");
    if (reason == "pair") return FateModel::tr("A stall of 1 cannot yield, and one over 11 must");
    if (reason == "reuse") return FateModel::tr("The operand was not kept, or who it was kept for no longer follows");
    if (reason == "outdone") return FateModel::tr("Of several moves the model of one warp found another one better");
    if (reason == "worse") return FateModel::tr("The model of one warp finds it worse: not looked at further");
    return {};
}

} // namespace

void FateModel::show(const std::vector<schedule::Step>& steps) {
    std::map<Fate, std::int64_t> fates;
    std::map<std::string, std::int64_t> drawn;
    for (const schedule::Step& step : steps) {
        ++fates[step.fate];
        for (const auto& [reason, times] : step.drawn)
            drawn[reason] += times;
    }
    beginResetModel();
    m_rows.clear();
    m_all = 0;
    m_stepCount = int(steps.size());
    for (const auto& [fate, times] : fates) {
        const std::string_view word = schedule::name(fate);
        m_rows.push_back({QString::fromUtf8(word.data(), qsizetype(word.size())), fateMeaning(fate), times});
        m_all += times;
    }
    for (const auto& [reason, times] : drawn) {
        m_rows.push_back({tr("not tried: %1").arg(QString::fromStdString(reason)), drawnMeaning(reason), times});
        m_all += times;
    }
    endResetModel();
}

int FateModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}
int FateModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant FateModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid()) return {};
    const Row& row = m_rows[std::size_t(index.row())];
    const bool isNumber = index.column() == count || index.column() == share;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) return row.meaning.isEmpty() ? row.what : row.meaning;
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case what: return row.what;
    case count: return wholeText(row.count);
    case share: return percentText(m_all > 0 ? double(row.count) / double(m_all) : 0);
    default: return row.meaning;
    }
}

QVariant FateModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    const bool isNumber = section == count || section == share;
    if (role == Qt::TextAlignmentRole) return int((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) switch (section) {
        case what: return tr("What became of a move that was drawn");
        case count: return tr("How many moves");
        case share: return tr("Of all that were drawn");
        default: return tr("What it means");
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case what: return tr("Fate");
    case count: return tr("Moves");
    case share: return tr("Share");
    default: return tr("Meaning");
    }
}

} // namespace kernelarium::ui

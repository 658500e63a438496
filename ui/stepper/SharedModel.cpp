// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/SharedModel.h"

#include "ui/editor/CodeStyle.h"

#include <algorithm>

namespace kernelarium::ui {

SharedModel::SharedModel(StepWalk& walk, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_walk(walk)
    , m_theme(theme) {
    connect(&walk, &StepWalk::recordingChanged, this, &SharedModel::reset);
    connect(&walk, &StepWalk::moved, this, &SharedModel::refresh);
    connect(&walk, &StepWalk::laneChanged, this, &SharedModel::refresh);
    connect(&theme, &Theme::changed, this, &SharedModel::refresh);
    reset();
}

void SharedModel::reset() {
    beginResetModel();
    m_marks.assign(m_walk.isEmpty() ? 0 : m_walk.cursor().shared().size(), none);
    note();
    endResetModel();
}

void SharedModel::refresh() {
    if (m_marks.empty()) return;
    note();
    Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, banks - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, 0, banks - 1);
}

/// What the step does to which words.
void SharedModel::note() {
    std::fill(m_marks.begin(), m_marks.end(), std::uint8_t(none));
    m_wanted.fill(0);
    if (m_walk.isEmpty() || m_marks.empty()) return;
    for (const recording::SharedChange& c : m_walk.step().shared)
        m_marks[c.word] |= changed;
    for (const recording::Access& a : m_walk.step().accesses) {
        if (a.space != recording::Space::shared) continue;
        for (const std::uint64_t address : a.addresses)
            for (std::uint64_t word = address / 4; word < (address + a.bytes + 3) / 4 && word < m_marks.size();
                 ++word) {
                std::uint8_t& mark = m_marks[word];
                if (!(mark & (read | written))) ++m_wanted[word % banks];
                mark = std::uint8_t(mark | (a.reads ? read : none) | (a.writes ? written : none));
            }
    }
}

int SharedModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int((m_marks.size() + banks - 1) / banks);
}
int SharedModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : banks;
}

int SharedModel::marksOf(int word) const {
    return word >= 0 && std::size_t(word) < m_marks.size() ? m_marks[std::size_t(word)] : 0;
}

QModelIndex SharedModel::firstMarked() const {
    const auto found =
        std::find_if(m_marks.begin(), m_marks.end(), [](std::uint8_t mark) { return mark & (read | written); });
    if (found == m_marks.end()) return {};
    const int word = int(found - m_marks.begin());
    return index(word / banks, word % banks);
}

QString SharedModel::tip(std::size_t word) const {
    QStringList parts{tr("byte %1, bank %2").arg(word * 4).arg(word % banks)};
    if (m_marks[word] & read) parts << tr("read by this step");
    if (m_marks[word] & written)
        parts << tr("written by this step");
    else if (m_marks[word] & changed)
        parts << tr("changed since the step before");
    if (!m_walk.cursor().sharedWritten()[word]) parts << tr("never written: undefined");
    return parts.join(QStringLiteral("\n"));
}

QVariant SharedModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_walk.isEmpty()) return {};
    const auto word = std::size_t(index.row()) * banks + std::size_t(index.column());
    if (word >= m_marks.size()) return {};
    const Palette& p = m_theme.colours();
    const bool isWritten = m_walk.cursor().sharedWritten()[word] != 0;
    switch (role) {
    case Qt::DisplayRole: {
        if (!isWritten) return QStringLiteral("·");
        const std::uint64_t bits = m_walk.cursor().shared()[word];
        const QString text = QString::fromStdString(recording::valueText(std::span(&bits, 1), "b32", m_walk.format()));
        // The mark says without colour what the background says.
        const int mark = m_marks[word];
        return text + (mark & written ? QStringLiteral(" ←") : mark & read ? QStringLiteral(" →") : QString());
    }
    case Qt::ToolTipRole: return tip(word);
    case Qt::TextAlignmentRole: return int(Qt::AlignRight | Qt::AlignVCenter);
    case Qt::BackgroundRole:
        if (m_marks[word] & written) return mixed(p.field, p.warning, 0.3);
        if (m_marks[word] & read) return mixed(p.field, p.accent, 0.25);
        if (m_marks[word] & changed) return mixed(p.field, p.warning, 0.12);
        return {};
    case Qt::ForegroundRole: return isWritten ? QVariant() : QVariant(p.muted);
    default: return {};
    }
}

QVariant SharedModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation == Qt::Vertical) return role == Qt::DisplayRole ? QVariant(section * banks * 4) : QVariant();
    if (section < 0 || section >= banks) return {};
    const int words = m_wanted[std::size_t(section)];
    if (role == Qt::DisplayRole) return words > 1 ? tr("%1 ×%2").arg(section).arg(words) : QString::number(section);
    if (role == Qt::ForegroundRole && words > 1) return m_theme.colours().wrong;
    if (role == Qt::ToolTipRole)
        return words > 1 ? tr("Bank %1: the step wants %2 different words of it").arg(section).arg(words)
                         : tr("Bank %1").arg(section);
    return {};
}

} // namespace kernelarium::ui

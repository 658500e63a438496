// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/AccessModel.h"

#include <bit>
#include <cstring>

namespace kernelarium::ui {

namespace {

using recording::Access;

QString verbOf(const Access& a) {
    if (a.reads && a.writes) return AccessModel::tr("updates");
    return a.writes ? AccessModel::tr("writes") : AccessModel::tr("reads");
}

/// The type to show a piece of the access in: that of the register which it fills, or its width alone.
std::string pieceType(const recording::Recording& r, const recording::Step& s, std::uint32_t piece) {
    const std::string bits = "b" + std::to_string(8 * piece);
    if (s.registers.empty()) return bits;
    const std::string& type = r.registers[s.registers.front().reg].type;
    const auto digits = type.find_first_of("0123456789");
    return digits != std::string::npos && type.substr(digits) == std::to_string(8 * piece) ? type : bits;
}

} // namespace

AccessModel::AccessModel(StepWalk& walk, QObject* parent)
    : QAbstractTableModel(parent)
    , m_walk(walk) {
    connect(&walk, &StepWalk::moved, this, &AccessModel::refresh);
    connect(&walk, &StepWalk::laneChanged, this, &AccessModel::refreshValues);
    refresh();
}

void AccessModel::refresh() {
    beginResetModel();
    m_rows.clear();
    if (!m_walk.isEmpty()) {
        const std::vector<Access>& all = m_walk.step().accesses;
        for (std::size_t k = 0; k < all.size(); ++k) {
            std::size_t place = 0;
            int known = 0;
            for (std::uint32_t m = all[k].lanes; m; m &= m - 1) {
                const int at = std::countr_zero(m);
                const bool has = all[k].known >> at & 1;
                m_rows.push_back({k, at, place++, has ? known : -1});
                known += has;
            }
        }
    }
    endResetModel();
}

void AccessModel::refreshValues() {
    if (!m_rows.empty()) Q_EMIT dataChanged(index(0, value), index(rowCount() - 1, value));
}

int AccessModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}
int AccessModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString AccessModel::valueText(const Row& row) const {
    if (row.known < 0) return tr("no memory");
    const Access& a = m_walk.step().accesses[row.access];
    const std::uint8_t* bytes = a.values.data() + std::size_t(row.known) * a.bytes;
    const std::uint32_t registers = std::uint32_t(std::max<std::size_t>(1, m_walk.step().registers.size()));
    // A vector's elements, as many as it fills registers; else words of 4 bytes.
    std::uint32_t piece = a.bytes <= 8 ? a.bytes : 4;
    if (a.reads && a.bytes % registers == 0 && a.bytes / registers <= 8) piece = a.bytes / registers;
    const std::string type = piece ? pieceType(m_walk.recording(), m_walk.step(), piece) : std::string();
    QStringList texts;
    for (std::uint32_t at = 0; piece && at + piece <= a.bytes; at += piece) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, bytes + at, piece);
        texts << QString::fromStdString(recording::valueText(std::span(&bits, 1), type, m_walk.format()));
    }
    return texts.join(QStringLiteral(", "));
}

QVariant AccessModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || std::size_t(index.row()) >= m_rows.size()) return {};
    const Row& row = m_rows[std::size_t(index.row())];
    const Access& a = m_walk.step().accesses[row.access];
    if (role == Qt::TextAlignmentRole)
        return int((index.column() == lane ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role != Qt::DisplayRole) return {};
    switch (index.column()) {
    case lane: return row.lane;
    case what: return tr("%1 %2 bytes").arg(verbOf(a)).arg(a.bytes);
    case where:
        return QString::fromStdString(recording::addressText(m_walk.recording(), a.space, a.addresses[row.place]));
    default: return valueText(row);
    }
}

QVariant AccessModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    const QString titles[] = {tr("Lane"), tr("Access"), tr("Address"), tr("Value")};
    return section >= 0 && section < columnCount_ ? titles[section] : QVariant();
}

QString AccessModel::summary() const {
    if (m_walk.isEmpty()) return {};
    QStringList parts;
    for (const Access& a : m_walk.step().accesses) {
        const std::string_view space = recording::name(a.space);
        QString text = tr("%1 lanes: %2 %3 bytes of %4 memory")
                           .arg(std::popcount(a.lanes))
                           .arg(verbOf(a))
                           .arg(a.bytes)
                           .arg(QString::fromUtf8(space.data(), qsizetype(space.size())));
        if (a.wavefronts > a.idealWavefronts)
            text += tr(", %1 bank passes (%2 needed)").arg(a.wavefronts).arg(a.idealWavefronts);
        parts << text;
        if (parts.size() == 3) break;
    }
    if (m_walk.step().accesses.size() > 3) parts << tr("and %1 more").arg(m_walk.step().accesses.size() - 3);
    return parts.join(QStringLiteral("; "));
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/RegisterModel.h"

#include "ui/editor/CodeStyle.h"

#include <bit>

namespace kernelarium::ui {

namespace {
using recording::Cursor;
QString registerText(const std::string& text) {
    return QString::fromStdString(text);
}
} // namespace

RegisterModel::RegisterModel(StepWalk& walk, const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_walk(walk)
    , m_theme(theme) {
    connect(&walk, &StepWalk::moved, this, &RegisterModel::refresh);
    connect(&walk, &StepWalk::laneChanged, this, &RegisterModel::refreshValues);
    connect(&theme, &Theme::changed, this, &RegisterModel::refreshValues);
    refresh();
}

void RegisterModel::refresh() {
    std::vector<std::uint32_t> now;
    if (!m_walk.isEmpty()) now = m_walk.cursor().registersOf(m_walk.step().warp, m_walk.step().frame);
    if (now == m_registers) {
        refreshValues();
        return;
    }
    beginResetModel();
    m_registers = std::move(now);
    endResetModel();
    Q_EMIT headerDataChanged(Qt::Horizontal, value, value);
}

void RegisterModel::refreshValues() {
    if (!m_registers.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    Q_EMIT headerDataChanged(Qt::Horizontal, value, value);
}

int RegisterModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_registers.size());
}
int RegisterModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

const recording::RegisterChange* RegisterModel::changeOf(int row) const {
    for (const recording::RegisterChange& c : m_walk.step().registers)
        if (c.reg == m_registers[std::size_t(row)]) return &c;
    return nullptr;
}

int RegisterModel::changedRow() const {
    if (m_walk.isEmpty()) return -1;
    for (int row = 0; row < rowCount(); ++row)
        if (changeOf(row)) return row;
    return -1;
}

QString RegisterModel::valueText(int row) const {
    const std::uint32_t reg = m_registers[std::size_t(row)];
    const recording::Register& r = m_walk.recording().registers[reg];
    const Cursor::Values* v = m_walk.cursor().valuesOf(m_walk.step().warp, m_walk.step().frame, reg);
    const auto lane = std::size_t(m_walk.lane());
    if (!v || !(v->written >> lane & 1)) return QStringLiteral("–");
    return registerText(
        recording::valueText(std::span(v->values).subspan(lane * r.words, r.words), r.type, m_walk.format()));
}

/// What it was before this step, in the chosen lane.
QString RegisterModel::tip(int row) const {
    const recording::RegisterChange* c = changeOf(row);
    const auto lane = unsigned(m_walk.lane());
    if (!c || !(c->lanes >> lane & 1)) return {};
    if (c->fresh >> lane & 1) return tr("Written for the first time by this step");
    const recording::Register& r = m_walk.recording().registers[c->reg];
    const auto place = std::size_t(std::popcount(c->lanes & ((1u << lane) - 1))) * r.words;
    return tr("Before this step: %1")
        .arg(registerText(recording::valueText(std::span(c->before).subspan(place, r.words), r.type, m_walk.format())));
}

QVariant RegisterModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || m_walk.isEmpty() || index.row() >= rowCount()) return {};
    const std::uint32_t reg = m_registers[std::size_t(index.row())];
    const recording::Register& r = m_walk.recording().registers[reg];
    switch (role) {
    case Qt::DisplayRole: {
        if (index.column() == name)
            return (changeOf(index.row()) ? QStringLiteral("• ") : QString()) + registerText(r.name);
        if (index.column() == type) return registerText(r.type);
        if (index.column() == value) return valueText(index.row());
        const Cursor::Values* v = m_walk.cursor().valuesOf(m_walk.step().warp, m_walk.step().frame, reg);
        return v ? registerText(recording::summaryText(v->values, r.words, v->written, r.type, m_walk.format()))
                 : QString();
    }
    case Qt::ToolTipRole: return tip(index.row());
    case Qt::TextAlignmentRole:
        return index.column() == value ? int(Qt::AlignRight | Qt::AlignVCenter) : int(Qt::AlignLeft | Qt::AlignVCenter);
    case Qt::BackgroundRole:
        return changeOf(index.row()) ? QVariant(mixed(m_theme.colours().field, m_theme.colours().accent, 0.18))
                                     : QVariant();
    case Qt::ForegroundRole: return index.column() == type ? QVariant(m_theme.colours().muted) : QVariant();
    default: return {};
    }
}

QVariant RegisterModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case name: return tr("Register");
    case type: return tr("Type");
    case value: return tr("Lane %1").arg(m_walk.lane());
    default: return tr("All lanes");
    }
}

} // namespace kernelarium::ui

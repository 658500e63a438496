// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/FigureModel.h"

#include <QLocale>

namespace kernelarium::ui {

QString tabSeparated(const FigureTable& table) {
    QStringList lines, cells;
    for (const FigureColumn& column : table.columns)
        cells << column.title;
    lines << cells.join(QLatin1Char('\t'));
    for (const FigureRow& row : table.rows) {
        cells.clear();
        for (std::size_t i = 0; i < row.cells.size(); ++i) {
            const QVariant& value = row.cells[i].sort;
            const bool number = table.columns[i].isNumber && value.isValid() && value.typeId() != QMetaType::QString;
            cells << (number ? QLocale::c().toString(value.toDouble(), 'g', QLocale::FloatingPointShortest)
                             : row.cells[i].text.trimmed());
        }
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

FigureModel::FigureModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    });
}

void FigureModel::setTable(FigureTable table) {
    beginResetModel();
    m_table = std::move(table);
    endResetModel();
}

int FigureModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_table.rows.size());
}
int FigureModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_table.columns.size());
}

const FigureCell* FigureModel::cell(const QModelIndex& index) const {
    if (!index.isValid() || index.row() >= rowCount()) return nullptr;
    const auto& cells = row(index.row()).cells;
    return std::size_t(index.column()) < cells.size() ? &cells[std::size_t(index.column())] : nullptr;
}

DrillPointer FigureModel::drill(const QModelIndex& index) const {
    const FigureCell* found = cell(index);
    return found ? found->drill : nullptr;
}

QVariant FigureModel::colour(const FigureRow& row, const FigureCell& cell) const {
    const Palette& p = m_theme.colours();
    switch (cell.tone) {
    case Tone::muted: return p.muted;
    case Tone::ok: return p.ok;
    case Tone::wrong: return p.wrong;
    case Tone::plain: break;
    }
    return row.isSecond ? QVariant(p.muted) : QVariant();
}

QVariant FigureModel::data(const QModelIndex& index, int role) const {
    const FigureCell* found = cell(index);
    if (!found) return {};
    const FigureColumn& column = m_table.columns[std::size_t(index.column())];
    constexpr double none = std::numeric_limits<double>::quiet_NaN();
    switch (role) {
    case Qt::DisplayRole: return found->text;
    case Qt::ToolTipRole: {
        QString text = found->toolTip.isEmpty() ? found->text : found->toolTip;
        if (found->drill) text += QLatin1Char('\n') + tr("Click or Return: the kernels behind it");
        return text;
    }
    case Qt::AccessibleTextRole: return column.title + QStringLiteral(": ") + found->text;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole: return colour(row(index.row()), *found);
    case sortRole: return found->sort;
    case speedupRole: return column.isSpeedup && found->sort.isValid() ? found->sort.toDouble() : none;
    case barRole: return found->bar;
    case linkRole: return found->drill != nullptr;
    default: return {};
    }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    const FigureColumn& column = m_table.columns[std::size_t(section)];
    switch (role) {
    case Qt::DisplayRole: return column.title;
    case Qt::ToolTipRole: return column.toolTip.isEmpty() ? column.title : column.toolTip;
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((column.isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default: return {};
    }
}

FigureOrder::FigureOrder(FigureModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model) {
    setSourceModel(&model);
}

bool FigureOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool descending = sortOrder() == Qt::DescendingOrder;
    // A pair is sorted by its first row, which comes first whichever way.
    const auto firstOf = [this](int row) { return m_model.row(row).isSecond && row > 0 ? row - 1 : row; };
    const int a = firstOf(left.row()), b = firstOf(right.row());
    const auto standing = [&](int x, int y) { return descending ? x > y : x < y; };
    if (a == b) return standing(left.row(), right.row());
    const QVariant va = m_model.index(a, left.column()).data(FigureModel::sortRole);
    const QVariant vb = m_model.index(b, right.column()).data(FigureModel::sortRole);
    if (va.isValid() != vb.isValid()) return descending ? vb.isValid() : va.isValid();
    if (!va.isValid()) return standing(a, b);
    if (va.typeId() == QMetaType::QString) {
        const int order = QString::localeAwareCompare(va.toString(), vb.toString());
        return order != 0 ? order < 0 : standing(a, b);
    }
    const double x = va.toDouble(), y = vb.toDouble();
    return x != y ? x < y : standing(a, b);
}

} // namespace kernelarium::ui

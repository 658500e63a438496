// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/CeilingModel.h"

#include "ui/words/Quantities.h"

namespace kernelarium::ui {

namespace {

QString viewText(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

void CeilingModel::setCeilings(std::optional<perf::MeasuredCeilings> ceilings) {
    beginResetModel();
    m_ceilings = std::move(ceilings);
    m_spec = m_ceilings ? perf::findDeviceSpec(m_ceilings->device) : nullptr;
    endResetModel();
}

int CeilingModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_ceilings ? 0 : int(m_ceilings->ceilings.size());
}
int CeilingModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columns;
}

QString CeilingModel::cell(const perf::Ceiling& c, int column) const {
    const QString unit = viewText(perf::ceilingUnit(c.key));
    const double published = m_spec ? perf::datasheetRate(*m_spec, c.key) : 0;
    switch (column) {
    case name: return viewText(perf::ceilingName(c.key));
    case measured: return c.rate > 0 ? siText(c.rate, unit) : QStringLiteral("–");
    case datasheet: return published > 0 ? siText(published, unit) : QStringLiteral("–");
    case ratio: return published > 0 ? percentText(c.rate / published) : QStringLiteral("–");
    case clock: return c.clockMHz > 0 ? tr("%1 MHz").arg(c.clockMHz, 0, 'f', 0) : QStringLiteral("–");
    case method: return QString::fromStdString(c.method);
    case doubt: return m_spec ? QString::fromStdString(perf::whyNotTrusted(c, *m_spec)) : QString();
    default: return {};
    }
}

QVariant CeilingModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const perf::Ceiling& c = m_ceilings->ceilings[std::size_t(index.row())];
    if (role == Qt::DisplayRole) return cell(c, index.column());
    if (role == Qt::ToolTipRole) {
        const QString why = cell(c, doubt);
        return why.isEmpty() ? QVariant() : tr("Unreliable: %1").arg(why);
    }
    if (role == Qt::TextAlignmentRole && index.column() >= measured && index.column() <= clock)
        return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
}

QVariant CeilingModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (role != Qt::DisplayRole || orientation != Qt::Horizontal) return {};
    switch (section) {
    case name: return tr("Ceiling");
    case measured: return tr("Measured");
    case datasheet: return tr("Data sheet");
    case ratio: return tr("Ratio");
    case clock: return tr("Clock");
    case method: return tr("Method");
    case doubt: return tr("Unreliable because");
    default: return {};
    }
}

QString CeilingModel::text() const {
    QString lines;
    for (int row = -1; row < rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < columns; ++column)
            cells << (row < 0 ? headerData(column, Qt::Horizontal).toString() : index(row, column).data().toString());
        lines += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return lines;
}

} // namespace kernelarium::ui

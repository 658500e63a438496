// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/KernelTableModel.h"

#include "ui/archive/Words.h"

#include <cmath>
#include <limits>

namespace kernelarium::ui {

using archive::KernelTable;

KernelTableModel::KernelTableModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
    , m_found(std::make_shared<ArchiveDesk::Found>()) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    });
}

void KernelTableModel::show(std::shared_ptr<const KernelTable> table,
                            std::shared_ptr<const ArchiveDesk::Found> found) {
    beginResetModel();
    m_table = std::move(table);
    m_found = m_table && found ? std::move(found) : std::make_shared<const ArchiveDesk::Found>();
    endResetModel();
}

void KernelTableModel::setVerdicts(QHash<QString, QString> verdicts, QSet<QString> stale) {
    m_verdicts = std::move(verdicts);
    m_stale = std::move(stale);
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, verdict), index(rowCount() - 1, verdict));
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_found->rows.size());
}

int KernelTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

archive::SortColumn KernelTableModel::sortColumn(int column) {
    switch (column) {
    case task: return archive::SortColumn::task;
    case name: return archive::SortColumn::name;
    case speedup: return archive::SortColumn::speedupNative;
    case runtime: return archive::SortColumn::runtime;
    case speedupCompile: return archive::SortColumn::speedupCompile;
    case claim: return archive::SortColumn::errorKind;
    case operatorName: return archive::SortColumn::op;
    default: return archive::SortColumn::id;
    }
}

int KernelTableModel::rowOfLabel(const QString& wanted) const {
    for (int row = 0; row < rowCount(); ++row)
        if (label(row) == wanted) return row;
    return -1;
}

QString KernelTableModel::label(int row) const {
    return QString::fromStdString(m_table->label(tableRow(row)));
}

const archive::SearchHit* KernelTableModel::hit(int row) const {
    const auto found = m_found->hits.find(m_table->id[tableRow(row)]);
    return found == m_found->hits.end() ? nullptr : &found->second;
}

double KernelTableModel::number(std::size_t row, int column) const {
    switch (column) {
    case speedup: return m_table->speedupNative[row];
    case speedupCompile: return m_table->speedupCompile[row];
    case runtime: return m_table->runtime[row];
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

QString KernelTableModel::text(std::size_t row, int column) const {
    const KernelTable& t = *m_table;
    switch (column) {
    case task: return QStringLiteral("%1/%2").arg(t.level[row]).arg(t.task[row]);
    case name: return QString::fromStdString(t.name[row]);
    case speedup:
    case speedupCompile: return speedupText(number(row, column));
    case runtime: return millisecondsText(t.runtime[row]);
    case claim: return claimText(t.correct[row], t.errorKind[row]);
    case verdict: {
        const QString of = QString::fromStdString(t.label(row));
        return verdictWord(m_verdicts.value(of), m_stale.contains(of));
    }
    case operatorName: return operatorText(QString::fromStdString(t.opName[row]));
    default: return {};
    }
}

QString KernelTableModel::toolTip(int row, int column) const {
    const std::size_t at = tableRow(row);
    switch (column) {
    case name: {
        QString tip = label(row);
        if (const auto* found = hit(row))
            tip += tr("\nLine %1: %2").arg(found->line).arg(QString::fromStdString(found->lineText));
        return tip;
    }
    case speedup:
        return tr("Archived: PyTorch native %1 ms, this kernel %2 ms")
            .arg(millisecondsText(m_table->nativeRuntime[at]), millisecondsText(m_table->runtime[at]));
    case speedupCompile:
        return tr("Archived: torch.compile %1 ms, this kernel %2 ms")
            .arg(millisecondsText(m_table->compileRuntime[at]), millisecondsText(m_table->runtime[at]));
    case runtime: return tr("Archived: the runtime that was published with the kernel");
    case claim: return tr("What the archive says of this kernel");
    case verdict: {
        const QString word = m_verdicts.value(label(row));
        if (word.isEmpty()) return tr("Not verified here yet (Ctrl+Enter)");
        return m_stale.contains(label(row)) ? verdictExplanation(word) + QLatin1Char('\n') + staleExplanation() : verdictExplanation(word);
    }
    default: return text(at, column);
    }
}

QVariant KernelTableModel::colour(std::size_t row, int column) const {
    const Palette& p = m_theme.colours();
    switch (column) {
    case claim:
        if (m_table->correct[row] == KernelTable::Correct::yes) return {};
        return m_table->correct[row] == KernelTable::Correct::no ? p.wrong : p.muted;
    case verdict: return verdictColour(p, m_verdicts.value(QString::fromStdString(m_table->label(row))));
    case operatorName: return p.muted;
    default: return {};
    }
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
    const std::size_t row = tableRow(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(index.row(), column);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") + text(row, column);
    case Qt::TextAlignmentRole: {
        const bool isNumber = column == speedup || column == speedupCompile || column == runtime || column == task;
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    case Qt::ForegroundRole: return colour(row, column);
    case idRole: return qint64(m_table->id[row]);
    case labelRole: return label(index.row());
    case numberRole: return number(row, column);
    case verdictRole: return m_verdicts.value(label(index.row()));
    case claimRole: return int(m_table->correct[row]);
    default: return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isNumber = section == speedup || section == speedupCompile || section == runtime || section == task;
        return QVariant::fromValue(Qt::Alignment((isNumber ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    }
    static const char* const names[] = {QT_TR_NOOP("Task"),       QT_TR_NOOP("Kernel"),     QT_TR_NOOP("Speed-up"),
                                        QT_TR_NOOP("Time (ms)"),  QT_TR_NOOP("vs compile"), QT_TR_NOOP("Archive says"),
                                        QT_TR_NOOP("Verified"),   QT_TR_NOOP("Operator")};
    static const char* const tips[] = {QT_TR_NOOP("KernelBench level and task"),
                                       QT_TR_NOOP("The kernel's name in the archive"),
                                       QT_TR_NOOP("Archived: PyTorch native time over this kernel's; the bar is logarithmic, centred at 1x"),
                                       QT_TR_NOOP("Archived: runtime in milliseconds"),
                                       QT_TR_NOOP("Archived: torch.compile time over this kernel's"),
                                       QT_TR_NOOP("Correct or not, as published, and where it failed"),
                                       QT_TR_NOOP("Our own latest verdict on the archived text"),
                                       QT_TR_NOOP("The operator that the task asks for")};
    if (section < 0 || section >= columnCount_) return {};
    if (role == Qt::DisplayRole) return tr(names[section]);
    if (role == Qt::ToolTipRole) return tr(tips[section]);
    return {};
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/KernelTableModel.h"

#include "core/archive/search/SearchFields.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <QDateTime>
#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::ui {

using archive::KernelTable;

namespace {

ArchiveDesk::Answer nothingFound() {
    auto none = std::make_shared<ArchiveDesk::Found>();
    none->table = std::make_shared<const KernelTable>();
    return none;
}

char lowerAscii(char c) {
    return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
}

bool beginsWith(const std::string& name, const std::string& lowered) {
    return name.size() >= lowered.size() &&
           std::equal(lowered.begin(), lowered.end(), name.begin(), [](char a, char b) { return a == lowerAscii(b); });
}

} // namespace

KernelTableModel::KernelTableModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
    , m_found(nothingFound()) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    });
}

void KernelTableModel::show(ArchiveDesk::Answer found) {
    if (!found) found = nothingFound();
    const auto& before = m_found->rows;
    const bool goesOn = !m_found->complete && found->table == m_found->table && m_unfolded.isEmpty() &&
                        found->rows.size() >= before.size() &&
                        std::equal(before.begin(), before.end(), found->rows.begin());
    if (!goesOn) {
        beginResetModel();
        m_found = std::move(found);
        m_unfolded.clear();
        m_rows.clear();
        m_rows.reserve(m_found->rows.size());
        for (const auto row : m_found->rows)
            m_rows.push_back({row, false});
        endResetModel();
        return;
    }
    const int known = int(before.size());
    const bool more = found->rows.size() > before.size();
    if (more) beginInsertRows({}, known, int(found->rows.size()) - 1);
    m_found = std::move(found);
    for (std::size_t i = std::size_t(known); i < m_found->rows.size(); ++i)
        m_rows.push_back({m_found->rows[i], false});
    if (more) endInsertRows();
    if (known > 0 && m_found->foldedCount > 0)
        Q_EMIT dataChanged(index(0, name), index(known - 1, name)); // more under them
}

void KernelTableModel::setVerdicts(archive::OwnVerdictsPointer verdicts) {
    if (verdicts == m_verdicts) return;
    m_verdicts = std::move(verdicts);
    if (rowCount() == 0) return;
    Q_EMIT dataChanged(index(0, verdict), index(rowCount() - 1, verdict));
    Q_EMIT dataChanged(index(0, verdictReasons), index(rowCount() - 1, verdictTime));
}

const archive::OwnVerdict* KernelTableModel::verdictOn(std::size_t row) const {
    return m_verdicts ? m_verdicts->of(table(), row) : nullptr;
}

int KernelTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
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
    case nativeTime: return archive::SortColumn::nativeRuntime;
    case compileTime: return archive::SortColumn::compileRuntime;
    case maxDiff: return archive::SortColumn::maxDiff;
    case codeSize: return archive::SortColumn::codeBytes;
    case publishedIndex: return archive::SortColumn::originalIndex;
    case verdict: return archive::SortColumn::verdict;
    case verdictReasons: return archive::SortColumn::reason;
    case verdictRemarks: return archive::SortColumn::remark;
    case verdictChecks: return archive::SortColumn::checks;
    case verdictTime: return archive::SortColumn::verdictTime;
    default: return archive::SortColumn::id;
    }
}

QString KernelTableModel::searchField(int column) {
    switch (column) {
    case task: return QStringLiteral("task:");
    case name: return QStringLiteral("name:");
    case speedup: return QStringLiteral("speedup>");
    case runtime: return QStringLiteral("runtime<");
    case speedupCompile: return QStringLiteral("compile>");
    case claim: return QStringLiteral("error:");
    case verdict: return QStringLiteral("verdict:");
    case operatorName: return QStringLiteral("op:");
    case nativeTime: return QStringLiteral("native-time<");
    case compileTime: return QStringLiteral("compile-time<");
    case maxDiff: return QStringLiteral("max-diff>");
    case codeSize: return QStringLiteral("bytes>");
    case publishedIndex: return QStringLiteral("index:");
    case verdictReasons: return QStringLiteral("reason:");
    case verdictRemarks: return QStringLiteral("remark:");
    case verdictChecks: return QStringLiteral("checks<");
    case verdictTime: return QStringLiteral("when>");
    default: return {};
    }
}

QString KernelTableModel::searchTerm(int shown, int column) const {
    const std::size_t row = tableRow(shown);
    const KernelTable& t = table();
    const archive::OwnVerdict* found = verdictOn(row);
    const auto term = [column](const std::string& value) {
        return searchField(column) + QString::fromStdString(archive::quotedSearchValue(value));
    };
    switch (column) {
    case task: return text(shown, task).prepend(QLatin1String("task:"));
    case claim:
        if (t.correct[row] == KernelTable::Correct::yes) return QStringLiteral("correct:yes");
        if (t.errorKind[row] != archive::ErrorKind::none) return term(std::string(errorKindWord(t.errorKind[row])));
        return t.correct[row] == KernelTable::Correct::no ? QStringLiteral("correct:no") : QString();
    case operatorName: return term(t.opName[row]);
    case verdict: return term(found ? found->verdict : "none");
    case verdictReasons: return found && !found->reasons.empty() ? term(found->reasons.front()) : QString();
    case verdictRemarks: return found && !found->remarks.empty() ? term(found->remarks.front()) : QString();
    default: return {};
    }
}

int KernelTableModel::columnOf(archive::SortColumn sort) {
    for (int column = 0; column < columnCount_; ++column)
        if (sortColumn(column) == sort) return column;
    return -1;
}

bool KernelTableModel::isNumber(int column) {
    return column != name && column != claim && column != verdict && column != operatorName &&
           column != verdictReasons && column != verdictRemarks && column != verdictTime;
}

int KernelTableModel::rowOfLabel(const QString& wanted) const {
    for (int row = 0; row < rowCount(); ++row)
        if (label(row) == wanted) return row;
    return -1;
}

int KernelTableModel::rowOfTableRow(std::uint32_t wanted) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [wanted](const Row& row) { return row.row == wanted; });
    return found == m_rows.end() ? -1 : int(found - m_rows.begin());
}

int KernelTableModel::rowBeginningWith(const QString& text, int from) const {
    std::string lowered = text.toStdString();
    std::transform(lowered.begin(), lowered.end(), lowered.begin(), lowerAscii);
    const int count = rowCount();
    for (int i = 0; i < count; ++i)
        if (const int row = (std::max(from, 0) + i) % count; beginsWith(table().name[tableRow(row)], lowered))
            return row;
    return -1;
}

QString KernelTableModel::label(int row) const {
    return QString::fromStdString(table().label(tableRow(row)));
}

const archive::SearchPlace* KernelTableModel::place(int row) const {
    const auto found = m_found->places.find(std::uint32_t(tableRow(row)));
    return found == m_found->places.end() ? nullptr : &found->second;
}

int KernelTableModel::foldedUnder(int row) const {
    if (m_rows[std::size_t(row)].beneath) return 0;
    const auto found = m_found->folded.find(std::uint32_t(tableRow(row)));
    return found == m_found->folded.end() ? 0 : int(found->second.size());
}

bool KernelTableModel::isUnfolded(int row) const {
    return !isBeneath(row) && m_unfolded.contains(std::uint32_t(tableRow(row)));
}

bool KernelTableModel::isBeneath(int row) const {
    return m_rows[std::size_t(row)].beneath;
}

void KernelTableModel::unfold(int row) {
    const int count = foldedUnder(row);
    if (count == 0 || isUnfolded(row)) return;
    const auto of = std::uint32_t(tableRow(row));
    std::vector<Row> beneath;
    for (const auto other : m_found->folded.at(of))
        beneath.push_back({other, true});
    beginInsertRows({}, row + 1, row + count);
    m_unfolded.insert(of);
    m_rows.insert(m_rows.begin() + row + 1, beneath.begin(), beneath.end());
    endInsertRows();
    Q_EMIT dataChanged(index(row, name), index(row, name));
}

void KernelTableModel::foldAgain(int row) {
    while (row > 0 && isBeneath(row))
        --row;
    if (!isUnfolded(row)) return;
    int end = row + 1;
    while (end < rowCount() && isBeneath(end))
        ++end;
    beginRemoveRows({}, row + 1, end - 1);
    m_unfolded.remove(std::uint32_t(tableRow(row)));
    m_rows.erase(m_rows.begin() + row + 1, m_rows.begin() + end);
    endRemoveRows();
    Q_EMIT dataChanged(index(row, name), index(row, name));
}

double KernelTableModel::number(std::size_t row, int column) const {
    switch (column) {
    case speedup: return table().speedupNative[row];
    case speedupCompile: return table().speedupCompile[row];
    case runtime: return table().runtime[row];
    case nativeTime: return table().nativeRuntime[row];
    case compileTime: return table().compileRuntime[row];
    case maxDiff: return table().maxDiff[row];
    case codeSize: return table().codeBytes[row];
    default: return std::numeric_limits<double>::quiet_NaN();
    }
}

QString KernelTableModel::text(int shown, int column) const {
    const std::size_t row = tableRow(shown);
    const KernelTable& t = table();
    switch (column) {
    case task: return QStringLiteral("%1/%2").arg(t.level[row]).arg(t.task[row]);
    case name: {
        const QString own = QString::fromStdString(t.name[row]);
        if (isBeneath(shown)) return QStringLiteral("    ") + own;
        const int folded = foldedUnder(shown);
        if (folded == 0) return own;
        return QStringLiteral("%1 %2  +%3")
            .arg(isUnfolded(shown) ? QStringLiteral("▾") : QStringLiteral("▸"), own)
            .arg(folded);
    }
    case speedup:
    case speedupCompile: return speedupText(number(row, column));
    case runtime:
    case nativeTime:
    case compileTime: return millisecondsText(number(row, column));
    case maxDiff: return std::isnan(t.maxDiff[row]) ? QString() : numberText(t.maxDiff[row]);
    case codeSize: return bytesText(t.codeBytes[row]);
    case publishedIndex:
        return t.originalIndex[row] == KernelTable::missingIndex ? QString() : QString::number(t.originalIndex[row]);
    case claim: return claimText(t.correct[row], t.errorKind[row]);
    case operatorName: return operatorText(QString::fromStdString(t.opName[row]));
    default: return verdictText(verdictOn(row), column);
    }
}

QString KernelTableModel::verdictText(const archive::OwnVerdict* found, int column) const {
    if (!found) return {};
    switch (column) {
    case verdict: return verdictWord(QString::fromStdString(found->verdict), found->stale, found->smallOnly);
    case verdictReasons: return QString::fromStdString(found->reasonText()).replace(QLatin1Char('_'), QLatin1Char(' '));
    case verdictRemarks: return QString::fromStdString(found->remarkText()).replace(QLatin1Char('_'), QLatin1Char(' '));
    case verdictChecks: return QString::number(found->checks);
    case verdictTime: return QDateTime::fromMSecsSinceEpoch(found->timeMs).toString(QStringLiteral("yyyy-MM-dd hh:mm"));
    default: return {};
    }
}

QString KernelTableModel::toolTip(int row, int column) const {
    const std::size_t at = tableRow(row);
    switch (column) {
    case name: {
        QString tip = label(row);
        if (const auto* found = place(row))
            tip += tr("\nLine %1: %2").arg(found->line).arg(QString::fromStdString(found->lineText));
        if (const int folded = foldedUnder(row))
            tip += tr("\n%1 more with the same code except for comments and white space (Right unfolds, Left folds)")
                       .arg(folded);
        return tip;
    }
    case speedup:
        return tr("Archived: PyTorch native %1 ms, this kernel %2 ms")
            .arg(millisecondsText(table().nativeRuntime[at]), millisecondsText(table().runtime[at]));
    case speedupCompile:
        return tr("Archived: torch.compile %1 ms, this kernel %2 ms")
            .arg(millisecondsText(table().compileRuntime[at]), millisecondsText(table().runtime[at]));
    case task:
        return tr("Level %1, task %2: %3")
            .arg(table().level[at])
            .arg(table().task[at])
            .arg(operatorText(QString::fromStdString(table().opName[at])));
    case runtime: return tr("Archived: the runtime that was published with the kernel");
    case claim: return tr("What the archive says about this kernel");
    case verdict: {
        const archive::OwnVerdict* found = verdictOn(at);
        if (!found) return tr("Not verified here yet (Ctrl+Return)");
        QString tip = verdictExplanation(QString::fromStdString(found->verdict));
        for (const int more : {verdictReasons, verdictRemarks})
            if (const QString words = verdictText(found, more); !words.isEmpty())
                tip += (more == verdictReasons ? tr("\nReasons: %1") : tr("\nRemarks: %1")).arg(words);
        return found->stale ? tip + QLatin1Char('\n') + staleExplanation() : tip;
    }
    default: return text(row, column);
    }
}

QVariant KernelTableModel::colour(std::size_t row, int column) const {
    const Palette& p = m_theme.colours();
    switch (column) {
    case claim:
        if (table().correct[row] == KernelTable::Correct::yes) return {};
        return table().correct[row] == KernelTable::Correct::no ? p.wrong : p.muted;
    case verdict: {
        const archive::OwnVerdict* found = verdictOn(row);
        return verdictColour(p, found ? QString::fromStdString(found->verdict) : QString());
    }
    case operatorName: return p.muted;
    default: return {};
    }
}

QVariant KernelTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
    const std::size_t row = tableRow(index.row());
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(index.row(), column);
    case Qt::ToolTipRole: return toolTip(index.row(), column);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") +
               text(index.row(), column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole: return colour(row, column);
    case idRole: return qint64(table().id[row]);
    case labelRole: return label(index.row());
    case numberRole: return number(row, column);
    case verdictRole: {
        const archive::OwnVerdict* found = verdictOn(row);
        return found ? QString::fromStdString(found->verdict) : QString();
    }
    case claimRole: return int(table().correct[row]);
    default: return {};
    }
}

QVariant KernelTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    static const struct {
        QString name;
        QString tip;
    } columns[columnCount_] = {
        {tr("Task"), tr("KernelBench level and task")},
        {tr("Kernel"), tr("The kernel's name in the archive")},
        {tr("Speed-up"), tr("Archived: PyTorch native time over this kernel's; the bar is logarithmic, centred at 1x")},
        {tr("Time (ms)"), tr("Archived: runtime in milliseconds")},
        {tr("vs compile"), tr("Archived: torch.compile time over this kernel's")},
        {tr("Archive says"), tr("Correct or not, as published, and where it failed")},
        {tr("Verified"), tr("Our own latest verdict on the archived text")},
        {tr("Operator"), tr("The operator that the task asks for")},
        {tr("Native (ms)"), tr("Archived: PyTorch native's time in milliseconds")},
        {tr("Compile (ms)"), tr("Archived: torch.compile's time in milliseconds")},
        {tr("Difference"), tr("Archived: largest difference from PyTorch's result")},
        {tr("Code"), tr("Size of the CUDA code")},
        {tr("Index"), tr("The row's number in the published archive")},
        {tr("Reasons"), tr("Why our verdict is what it is")},
        {tr("Remarks"), tr("What else our checks noticed")},
        {tr("Checks"), tr("The version of the checks behind our verdict")},
        {tr("When"), tr("When our verdict was found")}};
    if (section < 0 || section >= columnCount_) return {};
    if (role == Qt::DisplayRole) return columns[section].name;
    if (role == Qt::ToolTipRole) return columns[section].tip;
    return {};
}

} // namespace kernelarium::ui

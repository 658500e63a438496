// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/CandidateModel.h"

#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

namespace kernelarium::ui {

namespace {

QString proofWord(proof::Verdict verdict) {
    switch (verdict) {
    case proof::Verdict::equal: return CandidateModel::tr("✓ equal");
    case proof::Verdict::different: return CandidateModel::tr("✗ different");
    case proof::Verdict::notDecided: break;
    }
    return CandidateModel::tr("? not decided");
}

} // namespace

CandidateModel::CandidateModel(const Theme& theme, const CandidateDesk& desk, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme)
    , m_desk(desk) {
    connect(&theme, &Theme::changed, this, &CandidateModel::refreshFindings);
}

void CandidateModel::show(CandidateListPointer list) {
    beginResetModel();
    m_list = std::move(list);
    endResetModel();
}

void CandidateModel::refreshFindings() {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
}

const superopt::Candidate* CandidateModel::candidate(int row) const {
    if (!m_list || row < 0 || row >= int(m_list->candidates.all.size())) return nullptr;
    return &m_list->candidates.all[std::size_t(row)];
}

const superopt::Refused* CandidateModel::refused(int row) const {
    if (!m_list || candidate(row) || row < 0 || row >= rowCount()) return nullptr;
    return &m_list->candidates.refused[std::size_t(row) - m_list->candidates.all.size()];
}

int CandidateModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid() || !m_list) return 0;
    return int(m_list->candidates.all.size() + m_list->candidates.refused.size());
}
int CandidateModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString CandidateModel::cell(const superopt::Candidate& c, int column) const {
    const CandidateFindings found = m_desk.findings(c.name);
    switch (column) {
    case name: return QString::fromStdString(c.name);
    case launches: return wholeText(std::int64_t(c.launches));
    case bytes: return bytesText(c.bytes);
    case flops: return siText(c.flops, QStringLiteral("FLOP"));
    case modelled: return secondsText(c.seconds());
    case overBound: return c.overBound > 0 ? numberText(c.overBound) + QStringLiteral("×") : QString();
    case proof:
        if (m_desk.isProving() && m_desk.proving() == c.name) return tr("proving…");
        if (found.proof) return proofWord(found.proof->verdict);
        return found.noProof.code.empty() ? QString() : tr("none");
    case verified: return verdictWord(QString::fromStdString(found.verdict));
    default: return found.measuredSeconds > 0 ? secondsText(found.measuredSeconds) : QString();
    }
}

QVariant CandidateModel::sortKey(const superopt::Candidate& c, int column) const {
    switch (column) {
    case launches: return qulonglong(c.launches);
    case bytes: return c.bytes;
    case flops: return c.flops;
    case modelled: return c.seconds();
    case overBound: return c.overBound > 0 ? QVariant(c.overBound) : QVariant();
    case measured: {
        const double seconds = m_desk.findings(c.name).measuredSeconds;
        return seconds > 0 ? QVariant(seconds) : QVariant();
    }
    default: {
        const QString text = cell(c, column);
        return text.isEmpty() ? QVariant() : QVariant(text);
    }
    }
}

QString CandidateModel::tip(const superopt::Candidate& c, int column) const {
    const CandidateFindings found = m_desk.findings(c.name);
    switch (column) {
    case name: return QString::fromStdString(c.file.why);
    case modelled: return tr("Modelled from what the file's launches would count; nothing was run");
    case proof:
        if (found.proof) return QString::fromStdString(found.proof->summary());
        return found.noProof.code.empty() ? tr("Prove it: Alt+P") : QString::fromStdString(found.noProof.text());
    case verified: {
        const QString verdict = QString::fromStdString(found.verdict);
        return verdict.isEmpty() ? tr("Put it on the bench (Return) and verify it (Ctrl+Return)")
                                 : verdictExplanation(verdict);
    }
    case measured:
        return found.measuredSeconds > 0
                   ? tr("The best time that was measured of this text, at this size on this device")
                   : tr("Put it on the bench (Return) and time it on a GPU (Ctrl+Shift+Return)");
    default: return cell(c, column);
    }
}

QVariant CandidateModel::colour(const superopt::Candidate& c, int column) const {
    const Palette& p = m_theme.colours();
    const CandidateFindings found = m_desk.findings(c.name);
    if (column == modelled || column == overBound) return p.modelled;
    if (column == measured) return p.measured;
    if (column == verified && !found.verdict.empty()) return verdictColour(p, QString::fromStdString(found.verdict));
    if (column == proof && found.proof)
        return found.proof->verdict == proof::Verdict::equal       ? p.ok
               : found.proof->verdict == proof::Verdict::different ? p.wrong
                                                                   : p.suspicious;
    return {};
}

QVariant CandidateModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (role == refusedRole) return refused(index.row()) != nullptr;
    if (role == Qt::TextAlignmentRole) {
        const bool isText = index.column() == name || index.column() >= proof || refused(index.row());
        return int((isText && index.column() != measured ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (const superopt::Refused* none = refused(index.row())) {
        const QString reason = QString::fromStdString(none->reason.text());
        switch (role) {
        case Qt::DisplayRole:
            if (index.column() == name) return QString::fromStdString(none->name);
            return index.column() == launches ? tr("refused: %1").arg(reason) : QString();
        case Qt::ToolTipRole: return reason;
        case Qt::ForegroundRole: return m_theme.colours().muted;
        case sortRole: return index.column() == name ? QVariant(QString::fromStdString(none->name)) : QVariant();
        default: return {};
        }
    }
    const superopt::Candidate& c = *candidate(index.row());
    switch (role) {
    case Qt::DisplayRole: return cell(c, index.column());
    case Qt::ToolTipRole: return tip(c, index.column());
    case Qt::ForegroundRole: return colour(c, index.column());
    case sortRole: return sortKey(c, index.column());
    default: return {};
    }
}

QVariant CandidateModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) {
        const bool isText = section == name || section == proof || section == verified;
        return int((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    if (role == Qt::ToolTipRole) switch (section) {
        case name: return tr("Who writes the file, and after how many rewrites");
        case launches: return tr("Kernel launches of one call");
        case bytes: return tr("Bytes of device memory that the launches move, modelled");
        case flops: return tr("Floating-point operations of the launches, from the formulas");
        case modelled: return tr("Time by the model, from counters that follow from formulas; nothing was run");
        case overBound: return tr("The modelled time over the task's bound on this device");
        case proof: return tr("What the ladder of proof says of the formulas that the file was written from");
        case verified: return tr("What the verifier said of the file: of the newest attempt with this text");
        default: return tr("The best time that was measured of this text at this size on this device");
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case name: return tr("Candidate");
    case launches: return tr("Launches");
    case bytes: return tr("Bytes");
    case flops: return tr("FLOPs");
    case modelled: return tr("Modelled");
    case overBound: return tr("× bound");
    case proof: return tr("Proof");
    case verified: return tr("Verified");
    default: return tr("Measured");
    }
}

CandidateOrder::CandidateOrder(CandidateModel& model, QObject* parent)
    : QSortFilterProxyModel(parent) {
    setSortRole(CandidateModel::sortRole);
    setSourceModel(&model);
    setDynamicSortFilter(true);
}

bool CandidateOrder::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const bool forth = sortOrder() == Qt::AscendingOrder;
    const bool leftLast = left.data(CandidateModel::refusedRole).toBool();
    const bool rightLast = right.data(CandidateModel::refusedRole).toBool();
    if (leftLast != rightLast) return leftLast != forth;
    if (leftLast) return forth ? left.row() < right.row() : right.row() < left.row();
    const QVariant a = left.data(sortRole()), b = right.data(sortRole());
    if (a.isValid() != b.isValid()) return a.isValid() == forth;
    return QSortFilterProxyModel::lessThan(left, right);
}

} // namespace kernelarium::ui

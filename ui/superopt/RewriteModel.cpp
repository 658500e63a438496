// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/RewriteModel.h"

#include "ui/words/Quantities.h"

#include <QStringList>

namespace kernelarium::ui {

namespace {

constexpr std::size_t mostPlaces = 100; ///< where one rewrite was applied, as lines

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString changeText(const QString& before, const QString& after) {
    return before == after ? before : QStringLiteral("%1 → %2").arg(before, after);
}

} // namespace

RewriteModel::RewriteModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
    });
}

void RewriteModel::show(TaskExplanationPointer answer) {
    beginResetModel();
    m_answer = std::move(answer);
    endResetModel();
}

const algebra::Explanation* RewriteModel::explanation() const {
    return m_answer && m_answer->explanation ? &*m_answer->explanation : nullptr;
}

const algebra::Rewrite* RewriteModel::step(int row) const {
    const algebra::Explanation* e = explanation();
    return e && row > 0 && row < rowCount() ? &e->derivation.steps[std::size_t(row - 1)] : nullptr;
}

const algebra::Graph& RewriteModel::before(int row) const {
    const algebra::Rewrite* s = step(row);
    return s ? *s->from : explanation()->derivation.original;
}

const algebra::Graph& RewriteModel::after(int row) const {
    const algebra::Rewrite* s = step(row);
    return s ? *s->to : explanation()->derivation.rewritten;
}

int RewriteModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !explanation() ? 0 : int(explanation()->derivation.steps.size()) + 1;
}

int RewriteModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString RewriteModel::title(int row) const {
    if (const algebra::Rewrite* s = step(row)) {
        const QString name = tr("%1. %2").arg(row).arg(fromView(s->rule->title));
        return s->details.size() > 1 ? tr("%1, %2 times").arg(name, wholeText(std::int64_t(s->details.size()))) : name;
    }
    return rowCount() > 1 ? tr("All together") : tr("No rewrite applies");
}

bool RewriteModel::isChanged(int row, int column) const {
    const algebra::Derivation& d = explanation()->derivation;
    const algebra::Rewrite* s = step(row);
    const algebra::Work &a = s ? s->before : d.before, &b = s ? s->after : d.after;
    const perf::DeviceSpec& device = *explanation()->device;
    switch (column) {
    case flops: return a.flops != b.flops;
    case bytes: return a.bytes() != b.bytes();
    case bound: return algebra::boundOf(a, device).seconds != algebra::boundOf(b, device).seconds;
    default: return true;
    }
}

QString RewriteModel::cell(int row, int column) const {
    const algebra::Explanation& e = *explanation();
    const algebra::Rewrite* s = step(row);
    const algebra::Work &a = s ? s->before : e.derivation.before, &b = s ? s->after : e.derivation.after;
    if (column == rewrite) return title(row);
    if (column == exactness) return s ? fromView(algebra::name(s->rule->exactness)) : QString();
    if (s && !isChanged(row, column)) return tr("the same");
    if (column == flops)
        return changeText(siText(a.flops, QStringLiteral("FLOP")), siText(b.flops, QStringLiteral("FLOP")));
    if (column == bytes) return changeText(bytesText(a.bytes()), bytesText(b.bytes()));
    return changeText(secondsText(algebra::boundOf(a, *e.device).seconds),
                      secondsText(algebra::boundOf(b, *e.device).seconds));
}

QString RewriteModel::words(int row) const {
    QStringList lines;
    if (!explanation()) return {};
    if (const algebra::Rewrite* s = step(row)) {
        lines << fromView(s->rule->statement) << tr("Why: %1").arg(fromView(s->rule->reason))
              << tr("The rule %1 is %2.").arg(fromView(s->rule->name), fromView(algebra::name(s->rule->exactness)));
        std::size_t shown = 0, named = 0;
        for (const std::string& detail : s->details) {
            if (detail.empty()) continue;
            if (++named <= mostPlaces) lines << tr("Here: %1").arg(QString::fromStdString(detail)), ++shown;
        }
        if (named > shown) lines << tr("and %1 more").arg(wholeText(std::int64_t(named - shown)));
        return lines.join(QLatin1Char('\n'));
    }
    for (const std::string& remark : algebra::remarks(*explanation()))
        lines << QString::fromStdString(remark);
    return lines.join(QLatin1Char('\n'));
}

QVariant RewriteModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !explanation()) return {};
    switch (role) {
    case Qt::DisplayRole: return cell(index.row(), index.column());
    case Qt::ToolTipRole:
        if (index.column() == rewrite && step(index.row())) return fromView(step(index.row())->rule->statement);
        return cell(index.row(), index.column());
    case Qt::ForegroundRole:
        if (step(index.row()) && !isChanged(index.row(), index.column())) return m_theme.colours().muted;
        return {};
    case Qt::FontRole: return index.row() == 0 ? m_theme.headingFont() : QVariant();
    default: return {};
    }
}

QVariant RewriteModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
    if (role == Qt::ToolTipRole) switch (section) {
        case rewrite: return tr("What was done to the task's formulas, in order");
        case flops: return tr("Floating-point operations of the formulas, before and after");
        case bytes: return tr("Inputs read once and outputs written once, before and after");
        case bound: return tr("The least time of this algorithm on the device, before and after");
        default: return tr("In what sense both sides are equal");
        }
    if (role != Qt::DisplayRole) return {};
    switch (section) {
    case rewrite: return tr("Rewrite");
    case flops: return tr("FLOPs");
    case bytes: return tr("Bytes");
    case bound: return tr("Bound");
    default: return tr("Exactness");
    }
}

} // namespace kernelarium::ui

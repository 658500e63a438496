// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleModel.h"

#include "core/sass/instruction/InstructionText.h"
#include "ui/editor/CodeStyle.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

QString boardText(int board) {
    return board == sass::noScoreboard ? QString() : QString::number(board);
}

QString waitsText(unsigned waits) {
    QStringList boards;
    for (int board = 0; board < sass::scoreboardCount; ++board)
        if (waits >> board & 1) boards << QString::number(board);
    return boards.join(QLatin1Char(' '));
}

QString reuseText(unsigned reuse) {
    QString slots_;
    for (int slot = 0; slot < 3; ++slot)
        if (reuse >> slot & 1) slots_ += QLatin1Char(char('A' + slot));
    return slots_;
}

} // namespace

ScheduleModel::ScheduleModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, &ScheduleModel::repaint);
}

void ScheduleModel::show(NativeCodePointer code, int kernel) {
    beginResetModel();
    m_code = std::move(code);
    m_kernel = m_code && kernel >= 0 && kernel < int(m_code->kernels.size()) ? kernel : -1;
    m_loop = -1;
    m_steps.clear();
    m_marked.clear();
    m_former.reset();
    endResetModel();
    const sass::Explanation* e = explanation();
    const sass::ExplainedLoop* hot = e ? e->hotLoop() : nullptr;
    if (hot) setLoop(int(hot - e->loops.data()));
}

void ScheduleModel::setLoop(int loop) {
    const sass::Explanation* e = explanation();
    m_loop = e && loop >= 0 && loop < int(e->loops.size()) ? loop : -1;
    m_steps.assign(std::size_t(rowCount()), nullptr);
    if (m_loop >= 0)
        for (const sass::PathStep& step : e->loops[std::size_t(m_loop)].path.steps)
            m_steps[std::size_t(step.instruction)] = &step;
    repaint();
}

void ScheduleModel::setSourceLine(int line) {
    if (m_sourceLine == line) return;
    m_sourceLine = line;
    repaint();
}

void ScheduleModel::setMarked(std::set<int> rows) {
    if (m_marked == rows) return;
    m_marked = std::move(rows);
    repaint();
}

void ScheduleModel::setFormer(NativeCodePointer code, int kernel, std::vector<int> cameFrom) {
    m_former = std::move(code);
    m_formerKernel = kernel;
    m_cameFrom = std::move(cameFrom);
    repaint();
}

QString ScheduleModel::fieldText(const sass::Control& control, int column) const {
    switch (column) {
    case stall: return QString::number(control.stall);
    case yield: return control.yields ? QStringLiteral("Y") : QString();
    case waits: return waitsText(control.waits);
    case reads: return boardText(control.readBarrier);
    case writes: return boardText(control.writeBarrier);
    case reuse: return reuseText(control.reuse);
    default: return {};
    }
}

std::optional<QString> ScheduleModel::formerText(int row, int column) const {
    if (!m_former || column < stall || column > reuse || row >= int(m_cameFrom.size())) return std::nullopt;
    const std::vector<sass::Instruction>& code = m_former->kernels[std::size_t(m_formerKernel)].code;
    const int from = m_cameFrom[std::size_t(row)];
    if (from < 0 || from >= int(code.size())) return std::nullopt;
    const QString was = fieldText(code[std::size_t(from)].control, column);
    if (was == fieldText(explanation()->code[std::size_t(row)].control, column)) return std::nullopt;
    return was;
}

void ScheduleModel::repaint() {
    if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

const sass::Explanation* ScheduleModel::explanation() const {
    return m_kernel < 0 ? nullptr : &m_code->kernels[std::size_t(m_kernel)];
}

const sass::ExplainedLoop* ScheduleModel::loop() const {
    return m_loop < 0 ? nullptr : &explanation()->loops[std::size_t(m_loop)];
}

const sass::PathStep* ScheduleModel::step(int row) const {
    return row >= 0 && row < int(m_steps.size()) ? m_steps[std::size_t(row)] : nullptr;
}

const sass::ModelledIssue* ScheduleModel::issue(int row) const {
    const sass::ExplainedLoop* l = loop();
    const int at = l ? l->model.indexOf(row) : -1;
    return at < 0 ? nullptr : &l->model.issues[std::size_t(at)];
}

int ScheduleModel::firstRowOf(int sourceLine) const {
    const sass::Explanation* e = explanation();
    if (!e || sourceLine <= 0) return -1;
    const auto found = std::find(e->lines.begin(), e->lines.end(), sourceLine);
    return found == e->lines.end() ? -1 : int(found - e->lines.begin());
}

int ScheduleModel::rowAt(std::int64_t place) const {
    const sass::Explanation* e = explanation();
    if (!e) return -1;
    const auto found = std::find_if(e->code.begin(), e->code.end(),
                                    [place](const sass::Instruction& one) { return one.place == place; });
    return found == e->code.end() ? -1 : int(found - e->code.begin());
}

int ScheduleModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() || !explanation() ? 0 : int(explanation()->code.size());
}

int ScheduleModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString ScheduleModel::cell(int row, int column) const {
    const sass::Explanation& e = *explanation();
    const sass::Instruction& one = e.code[std::size_t(row)];
    switch (column) {
    case place: return QStringLiteral("0x%1").arg(one.place, 4, 16, QLatin1Char('0'));
    case line: return e.lines[std::size_t(row)] > 0 ? QString::number(e.lines[std::size_t(row)]) : QString();
    case instruction: return QString::fromStdString(sass::text(one));
    case stall:
    case yield:
    case waits:
    case reads:
    case writes:
    case reuse: return fieldText(one.control, column);
    case slack: {
        const sass::InstructionWaits& w = e.waits[std::size_t(row)];
        if (w.stallBefore <= 1 || w.distances.empty()) return {};
        const std::optional<int> cycles = w.slack();
        return cycles ? QString::number(*cycles) : QStringLiteral("?");
    }
    case cycle: {
        const sass::ModelledIssue* at = issue(row);
        if (!at) return {};
        return at->waited > 0 ? QStringLiteral("%1 +%2").arg(at->time - at->waited).arg(at->waited)
                              : QString::number(at->time);
    }
    case path: return step(row) ? QStringLiteral("●") : QString();
    default: return {};
    }
}

QString ScheduleModel::tip(int row, int column) const {
    const sass::Explanation& e = *explanation();
    const sass::Instruction& one = e.code[std::size_t(row)];
    switch (column) {
    case stall:
        return one.control.stall == 1
                   ? tr("The warp's next instruction may be issued 1 cycle later")
                   : tr("The warp's next instruction may be issued %1 cycles later").arg(one.control.stall);
    case yield: return one.control.yields ? tr("Another warp should go first") : tr("This warp may go on");
    case waits:
        return one.control.waits ? tr("Issued when these scoreboards are free: %1").arg(cell(row, column))
                                 : tr("Waits for no scoreboard");
    case reads:
        return one.control.readBarrier == sass::noScoreboard
                   ? tr("Holds no scoreboard while its operands are read")
                   : tr("Holds scoreboard %1 until its operands have been read").arg(one.control.readBarrier);
    case writes:
        return one.control.writeBarrier == sass::noScoreboard
                   ? tr("Holds no scoreboard for its result")
                   : tr("Holds scoreboard %1 until its result is written").arg(one.control.writeBarrier);
    case reuse:
        return one.control.reuse ? tr("These operands stay in the operand cache: %1").arg(cell(row, column))
                                 : tr("No operand stays in the operand cache");
    case slack:
        if (cell(row, column) == QLatin1String("?"))
            return tr("It depends on a pair of instructions too seldom met to tell how many cycles it needs");
        return cell(row, column).isEmpty()
                   ? tr("No stall in front of it that it needs")
                   : tr("The stall in front could be lower by %1 cycles").arg(cell(row, column));
    case cycle:
    case path: {
        const sass::ModelledIssue* at = issue(row);
        if (!at) return m_loop < 0 ? tr("The kernel has no loop") : tr("Not in the chosen loop");
        QString text = tr("Modelled: issued at cycle %1 of a turn").arg(at->time);
        if (at->waited > 0)
            text += tr(", having waited %1 cycles for scoreboard %2").arg(at->waited).arg(at->scoreboard);
        return text + (step(row) ? tr("; on the critical path") : QString());
    }
    default: break;
    }
    if (one.fence == sass::Fence::unknown) return tr("Not in our table: a fence that nothing is moved across");
    if (one.fence != sass::Fence::none)
        return tr("%1 (keeps its place: %2)")
            .arg(QString::fromStdString(sass::text(one)),
                 QString::fromUtf8(sass::name(one.fence).data(), qsizetype(sass::name(one.fence).size())));
    return QString::fromStdString(sass::text(one));
}

QVariant ScheduleModel::background(int row) const {
    const Palette& p = m_theme.colours();
    if (m_marked.count(row)) return mixed(p.field, p.suspicious, p.dark ? 0.24 : 0.14);
    if (m_sourceLine > 0 && explanation()->lines[std::size_t(row)] == m_sourceLine)
        return mixed(p.field, p.accent, p.dark ? 0.28 : 0.16);
    return {};
}

QVariant ScheduleModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !explanation()) return {};
    const int row = index.row(), column = index.column();
    const sass::Instruction& one = explanation()->code[std::size_t(row)];
    switch (role) {
    case Qt::DisplayRole:
        // A field that was cleared would not be seen.
        if (const auto was = formerText(row, column); was && cell(row, column).isEmpty()) return QStringLiteral("–");
        return cell(row, column);
    case Qt::ToolTipRole:
        if (const auto was = formerText(row, column))
            return tr("%1\nBefore: %2").arg(tip(row, column), was->isEmpty() ? tr("none") : *was);
        return tip(row, column);
    case Qt::BackgroundRole: return background(row);
    case Qt::FontRole: {
        QFont font = m_theme.codeFont();
        font.setBold(formerText(row, column).has_value());
        return font;
    }
    case Qt::TextAlignmentRole:
        if (column == line || column == stall || column == slack || column == cycle)
            return int(Qt::AlignRight | Qt::AlignVCenter);
        if (column == instruction || column == place || column == waits || column == reuse)
            return int(Qt::AlignLeft | Qt::AlignVCenter);
        return int(Qt::AlignCenter);
    case Qt::ForegroundRole:
        if (one.fence == sass::Fence::unknown) return m_theme.colours().warning;
        if (formerText(row, column)) return m_theme.colours().suspicious;
        if (column == cycle) return m_theme.colours().modelled;
        if (column == path) return m_theme.colours().accent;
        if (column == place || column == line || (m_loop >= 0 && !issue(row))) return m_theme.colours().muted;
        return {};
    default: return {};
    }
}

QVariant ScheduleModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal) return {};
    struct Heading {
        QString name, about;
    };
    const auto heading = [section]() -> Heading {
        switch (section) {
        case place: return {tr("Place"), tr("Byte offset of the instruction in the kernel's code")};
        case line: return {tr("Line"), tr("Line of the source that it comes from")};
        case instruction: return {tr("Instruction"), tr("What it does")};
        case stall: return {tr("Stall"), tr("Cycles from its issue to that of the warp's next instruction, at least")};
        case yield: return {tr("Yield"), tr("Y: another warp should go first")};
        case waits: return {tr("Waits"), tr("Scoreboards (0 to 5) that have to be free before it is issued")};
        case reads: return {tr("Read"), tr("Scoreboard that it holds until its operands have been read")};
        case writes: return {tr("Write"), tr("Scoreboard that it holds until its result is written")};
        case reuse: return {tr("Reuse"), tr("Operands (A, B, C) that stay in the operand cache for a later read")};
        case slack:
            return {tr("Slack"),
                    tr("Cycles by which the stall in front could be lower; ?: not known. What is needed is "
                       "the least that ptxas keeps between two such instructions")};
        case cycle:
            return {tr("Cycle"), tr("Modelled, for one warp alone: cycle of a turn of the chosen loop in which it is "
                                    "issued, and + the cycles that it waits for a scoreboard. Loads are found in L1")};
        case path: return {tr("Path"), tr("●: on the critical path of a turn of the chosen loop (modelled)")};
        default: return {};
        }
    }();
    switch (role) {
    case Qt::DisplayRole: return heading.name;
    case Qt::ToolTipRole: return heading.about;
    case Qt::TextAlignmentRole:
        return section == line || section == stall || section == slack || section == cycle
                   ? int(Qt::AlignRight | Qt::AlignVCenter)
                   : int(Qt::AlignLeft | Qt::AlignVCenter);
    default: return {};
    }
}

} // namespace kernelarium::ui

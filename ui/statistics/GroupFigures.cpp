// SPDX-License-Identifier: GPL-3.0-or-later
// Groups of kernels and their shares, as archived and without those that fail our checks.
#include "ui/statistics/Figures.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

using archive::Figure;
using archive::GroupStatistics;

namespace {

QString groupTitle(const FigureSource& source, const GroupStatistics& group) {
    if (group.operatorClass) return QString::fromUtf8(archive::operatorClassWord(*group.operatorClass).data());
    if (group.task != 0) return QStringLiteral("%1/%2").arg(group.level).arg(group.task);
    if (group.level != 0) return Words::tr("Level %1").arg(group.level);
    return source.wholeArchive ? Words::tr("All kernels") : Words::tr("What the Archive panel shows");
}

QString groupSearch(const GroupStatistics& group) {
    if (group.operatorClass)
        return QStringLiteral("class:%1").arg(QLatin1String(archive::operatorClassWord(*group.operatorClass).data()));
    if (group.task != 0) return QStringLiteral("task:%1/%2").arg(group.level).arg(group.task);
    return group.level != 0 ? QStringLiteral("level:%1").arg(group.level) : QString();
}

/// The cells of one group, of all rows or of those that stand.
class GroupCells {
public:
    GroupCells(const FigureSource& source, const GroupStatistics& group, std::int64_t failing, bool second)
        : m_source(source)
        , m_group(group)
        , m_failing(failing)
        , m_second(second)
        , m_title(groupTitle(source, group)) {}

    FigureRow row() {
        FigureRow row;
        row.isSecond = m_second;
        row.level = int(m_group.task != 0 ? m_group.level : 0);
        row.task = int(m_group.task);
        FigureCell name = textCell(m_second ? QStringLiteral("    ") +
                                                  Words::tr("without %1 that fail here").arg(wholeText(m_failing))
                                            : m_title);
        if (m_group.task != 0 && !m_second) name.sort = double(m_group.level * 1000000 + m_group.task);
        name.toolTip = m_second ? Words::tr("%1 without the kernels that fail our checks").arg(m_title) : m_title;
        row.cells.push_back(name);
        const std::int64_t decided = m_group.correct + m_group.incorrect;
        row.cells.push_back(countCell(m_group.rows, drill(Words::tr("kernels"), QString(), Figure::rows)));
        share(row, Words::tr("correct"), m_group.correct, decided, QStringLiteral("correct:yes"), Figure::correct);
        row.cells.push_back(tasks());
        const std::int64_t native = m_group.speedupsNative, compile = m_group.speedupsCompile;
        speedShare(row, Words::tr("faster than native"), m_group.shareFasterThanNative, native,
                   QStringLiteral("correct:yes speedup>1"), Figure::fasterThanNative);
        speedShare(row, Words::tr("faster than torch.compile"), m_group.shareFasterThanCompile, compile,
                   QStringLiteral("correct:yes compile>1"), Figure::fasterThanCompile);
        speedShare(row, Words::tr("over 2× native"), m_group.shareOverTwiceNative, native,
                   QStringLiteral("correct:yes speedup>2"), Figure::overTwiceNative);
        speedShare(row, Words::tr("over 2× torch.compile"), m_group.shareOverTwiceCompile, compile,
                   QStringLiteral("correct:yes compile>2"), Figure::overTwiceCompile);
        row.cells.push_back(speedupCell(m_group.medianSpeedupNative, population(statistics::Baseline::native)));
        row.cells.push_back(speedupCell(m_group.medianSpeedupCompile, population(statistics::Baseline::compile)));
        row.cells.push_back(speedupCell(m_group.bestSpeedupNative, best()));
        return row;
    }

private:
    [[nodiscard]] const statistics::Description& of(const statistics::Findings& findings) const {
        return m_second ? findings.standing : findings.archived;
    }
    [[nodiscard]] QString whole(const QString& what) const {
        return m_second ? Words::tr("%1, without those that fail here: %2").arg(m_title, what)
                        : QStringLiteral("%1: %2").arg(m_title, what);
    }
    DrillPointer lead(
        const QString& what, const std::optional<QString>& words,
        std::function<std::vector<std::uint32_t>(const archive::KernelTable&, statistics::Rows, const GroupStatistics&)>
            rows) {
        std::optional<QString> search;
        if (words && !m_second) search = (groupSearch(m_group) + QLatin1Char(' ') + *words).trimmed();
        return drillTo(m_source, whole(what), search,
                       [table = m_source.table, findings = m_source.findings, group = m_group, second = m_second,
                        rows = std::move(rows)] {
                           return rows(*table, second ? findings->standing.rows : findings->archived.rows, group);
                       });
    }
    DrillPointer drill(const QString& what, const QString& words, Figure figure) {
        return lead(what, words, [figure](const auto& table, auto rows, const auto& group) {
            return archive::rowsBehind(table, rows, group, figure);
        });
    }
    void share(FigureRow& row, const QString& what, std::int64_t part, std::int64_t of, const QString& words,
               Figure figure) {
        const double value = of > 0 ? double(part) / double(of) : std::numeric_limits<double>::quiet_NaN();
        FigureCell cell = textCell(percentText(value));
        cell.sort = of > 0 ? QVariant(value) : QVariant();
        cell.toolTip = Words::tr("%1 of %2").arg(wholeText(part), wholeText(of)) + QLatin1Char(' ') + what;
        if (of > 0) cell.drill = drill(what, words, figure);
        row.cells.push_back(std::move(cell));
    }
    void speedShare(FigureRow& row, const QString& what, double value, std::int64_t of, const QString& words,
                    Figure figure) {
        share(row, what, of > 0 ? std::int64_t(std::llround(value * double(of))) : 0, of, words, figure);
    }
    FigureCell tasks() {
        // Where no kernel is said to be correct or not, nobody knows of a task whether it is solved.
        const bool isKnown = m_group.tasksClaimed > 0;
        const double value = isKnown ? double(m_group.tasksWithCorrect) / double(m_group.tasksClaimed)
                                     : std::numeric_limits<double>::quiet_NaN();
        FigureCell cell =
            textCell(m_group.task != 0 && isKnown ? (m_group.tasksWithCorrect > 0 ? Words::tr("yes") : Words::tr("no"))
                                                  : percentText(value));
        cell.sort = isKnown ? QVariant(value) : QVariant();
        if (!isKnown) {
            cell.toolTip = Words::tr("The archive does not say of these kernels whether they are correct");
            return cell;
        }
        cell.toolTip = Words::tr("%1 of %2 tasks have a correct kernel; %3 have one that is faster than native")
                           .arg(wholeText(m_group.tasksWithCorrect), wholeText(m_group.tasksClaimed),
                                wholeText(m_group.tasksFasterThanNative));
        if (const auto unclaimed = m_group.tasks - m_group.tasksClaimed; unclaimed > 0)
            cell.toolTip += Words::tr("; %1 more are not counted, because the archive does not say of any of their "
                                      "kernels whether it is correct")
                                .arg(wholeText(unclaimed));
        cell.drill = lead(
            Words::tr("the best correct kernel of each task"), {}, [](const auto& table, auto rows, const auto& group) {
                return statistics::taskRowsBehind(table, rows, group, statistics::TaskFigure::withCorrect);
            });
        return cell;
    }
    DrillPointer population(statistics::Baseline baseline) {
        const bool native = baseline == statistics::Baseline::native;
        return lead(native ? Words::tr("correct, with a speed-up over native")
                           : Words::tr("correct, with a speed-up over torch.compile"),
                    native ? QStringLiteral("correct:yes speedup>=0") : QStringLiteral("correct:yes compile>=0"),
                    [baseline](const auto& table, auto rows, const auto& group) {
                        auto found = archive::rowsBehind(table, rows, group, Figure::correct);
                        std::erase_if(found, [&](std::uint32_t row) {
                            return std::isnan(statistics::speedupOver(table, row, baseline));
                        });
                        return found;
                    });
    }
    DrillPointer best() {
        return lead(Words::tr("the fastest correct kernels over native"), {},
                    [](const auto& table, auto rows, const auto& group) {
                        auto found = archive::rowsBehind(table, rows, group, Figure::correct);
                        std::erase_if(found, [&](std::uint32_t row) {
                            return table.speedupNative[row] != group.bestSpeedupNative;
                        });
                        return found;
                    });
    }

    const FigureSource& m_source;
    const GroupStatistics& m_group;
    std::int64_t m_failing; ///< kernels of the group that do
    bool m_second;
    QString m_title;
};

std::vector<FigureColumn> groupColumns(const QString& first, bool ofTask) {
    return {{first, {}, ofTask ? 176 : 120, false, false},
            {Words::tr("Kernels"), Words::tr("Kernels of the group"), 60},
            {Words::tr("Correct"), Words::tr("Share archived as correct, of those archived as correct or not"), 60},
            {Words::tr("Solved"),
             ofTask ? Words::tr("Whether the task has a correct kernel")
                    : Words::tr("Conversion rate: share of tasks with a correct kernel, of those whose kernels the "
                                "archive calls correct or not"),
             62},
            {Words::tr("> native"),
             Words::tr("Share faster than PyTorch native, of correct kernels with a speed-up over it"), 62},
            {Words::tr("> comp."),
             Words::tr("Share faster than torch.compile, of correct kernels with a speed-up over it"), 62},
            {Words::tr("2× native"), Words::tr("Share over twice as fast as PyTorch native"), 62},
            {Words::tr("2× comp."), Words::tr("Share over twice as fast as torch.compile"), 62},
            {Words::tr("Med. native"), Words::tr("Median speed-up over PyTorch native of correct kernels (archived)"),
             78, true, true},
            {Words::tr("Med. comp."), Words::tr("Median speed-up over torch.compile of correct kernels (archived)"), 82,
             true, true},
            {Words::tr("Best"), Words::tr("Largest speed-up over PyTorch native of a correct kernel (archived)"), 72,
             true, true}};
}

bool sameGroup(const GroupStatistics& a, const GroupStatistics& b) {
    return a.level == b.level && a.task == b.task && a.operatorClass == b.operatorClass;
}

/// A group, and below it what stands of it where that is less; a group of which nothing stands has a second row of
/// nothing.
void addGroup(FigureTable& figures, const FigureSource& source, const GroupStatistics& group,
              const std::vector<GroupStatistics>& standing) {
    figures.rows.push_back(GroupCells(source, group, 0, false).row());
    const auto found = std::find_if(standing.begin(), standing.end(),
                                    [&](const GroupStatistics& other) { return sameGroup(group, other); });
    GroupStatistics rest;
    rest.level = group.level;
    rest.task = group.task;
    rest.operatorClass = group.operatorClass;
    if (found != standing.end()) rest = *found;
    if (rest.rows < group.rows) figures.rows.push_back(GroupCells(source, rest, group.rows - rest.rows, true).row());
}

} // namespace

FigureCell textCell(const QString& text) {
    return {text, text, {}, {}, Tone::plain};
}

FigureCell countCell(std::int64_t count, DrillPointer drill) {
    return {wholeText(count), double(count), {}, count > 0 ? std::move(drill) : nullptr, Tone::plain};
}

FigureCell speedupCell(double ratio, DrillPointer drill) {
    if (std::isnan(ratio)) return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
    return {speedupText(ratio), ratio, {}, std::move(drill), Tone::plain};
}

DrillPointer drillTo(const FigureSource& source, const QString& title, std::optional<QString> search,
                     std::function<std::vector<std::uint32_t>()> rows) {
    if (!source.wholeArchive) search.reset();
    return std::make_shared<const Drill>(Drill{title, std::move(search), std::move(rows)});
}

FigureTable groupFigures(const FigureSource& source) {
    const auto& archived = source.findings->archived.groups;
    const auto& standing = source.findings->standing.groups;
    FigureTable figures{Words::tr("Groups"), groupColumns(Words::tr("Group"), false), {}};
    addGroup(figures, source, archived.all, {standing.all});
    for (const auto& level : archived.levels)
        addGroup(figures, source, level, standing.levels);
    for (const auto& group : archived.classes)
        addGroup(figures, source, group, standing.classes);
    return figures;
}

FigureTable taskFigures(const FigureSource& source) {
    FigureTable figures{Words::tr("Tasks"), groupColumns(Words::tr("Task"), true), {}};
    for (const auto& task : source.findings->archived.groups.tasks)
        addGroup(figures, source, task, source.findings->standing.groups.tasks);
    // The operator's name beside the number, from any kernel of the task.
    QHash<int, QString> names;
    for (const auto row : source.findings->archived.rows) {
        const int key = source.table->level[row] * 100000 + source.table->task[row];
        if (!names.contains(key)) names.insert(key, operatorText(QString::fromStdString(source.table->opName[row])));
    }
    for (FigureRow& row : figures.rows)
        if (!row.isSecond) {
            const QString name = names.value(row.level * 100000 + row.task);
            row.cells.front().text += QStringLiteral("  ") + name;
            row.cells.front().toolTip = row.cells.front().text;
        }
    return figures;
}

} // namespace kernelarium::ui

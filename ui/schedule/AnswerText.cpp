// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/AnswerText.h"

#include "core/sass/instruction/InstructionText.h"
#include "ui/words/Words.h"

#include <QRegularExpression>
#include <QStringList>

namespace kernelarium::ui {

namespace {

constexpr int mostWaiters = 6;

QString fromView(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString paragraph(const QString& html) {
    return QStringLiteral("<p>%1</p>").arg(html);
}

QString listed(const QStringList& items) {
    QString html;
    for (const QString& item : items)
        html += QStringLiteral("<li>%1</li>").arg(item);
    return html.isEmpty() ? html : QStringLiteral("<ul>%1</ul>").arg(html);
}

/// "line 33, load and store, reads R2, writes R4".
QString factsHtml(const sass::Explanation& e, int row) {
    const sass::Instruction& one = e.code[std::size_t(row)];
    QStringList facts;
    if (const int line = e.lines[std::size_t(row)]; line > 0)
        facts << QStringLiteral("<a href=\"line:%1\">%2</a>").arg(line).arg(Words::tr("line %1").arg(line));
    facts << fromView(sass::name(sass::issuePipe(one)));
    if (const std::string reads = sass::text(one.reads); !reads.empty())
        facts << Words::tr("reads %1").arg(QString::fromStdString(reads));
    if (const std::string writes = sass::text(one.writes); !writes.empty())
        facts << Words::tr("writes %1").arg(QString::fromStdString(writes));
    if (one.fence != sass::Fence::none) facts << Words::tr("keeps its place: %1").arg(fromView(sass::name(one.fence)));
    return facts.join(QStringLiteral(" · "));
}

/// Whoever waits for the row's instruction through a scoreboard, or with no cycle to spare.
QStringList waiters(const sass::Explanation& e, int row) {
    QStringList out;
    for (const sass::InstructionWaits& waits : e.waits) {
        if (waits.instruction < 0) continue;
        QString how;
        for (const sass::ScoreboardWait& wait : waits.scoreboards)
            if (wait.producer == row && !wait.isFree) how = Words::tr("through scoreboard %1").arg(wait.scoreboard);
        if (how.isEmpty())
            for (const sass::DistanceNeed& need : waits.distances)
                if (need.met.producer == row && need.met.kind != sass::Dependence::samePipe &&
                    need.met.kind != sass::Dependence::scoreboardAge && need.slack() == 0 && waits.stallBefore > 1)
                    how = Words::tr("%1 cycles, none to spare").arg(need.met.distance);
        if (how.isEmpty()) continue;
        if (out.size() == mostWaiters) {
            out << Words::tr("and more");
            break;
        }
        out << linkedHtml(QStringLiteral("%1 at %2, %3")
                              .arg(QString::fromStdString(sass::text(e.code[std::size_t(waits.instruction)])),
                                   QString::fromStdString(sass::placeText(e, waits.instruction)), how));
    }
    return out;
}

QString turnHtml(const ScheduleModel& model, int row) {
    const sass::ModelledIssue* issue = model.issue(row);
    if (!issue) return {};
    QString text = Words::tr("In a turn of the loop it is issued at cycle %1 (modelled)").arg(issue->time);
    if (issue->waited > 0)
        text += Words::tr(", %1 of them waiting for scoreboard %2").arg(issue->waited).arg(issue->scoreboard);
    if (const sass::PathStep* step = model.step(row)) {
        const std::string cause = sass::stepText(*model.explanation(), *step);
        text += cause.empty() ? Words::tr(". On the critical path: it follows the instruction in front of it")
                              : Words::tr(". On the critical path: %1").arg(QString::fromStdString(cause));
    } else {
        text += Words::tr(". Not on the critical path");
    }
    return linkedHtml(text + QLatin1Char('.'));
}

} // namespace

QString linkedHtml(const QString& line) {
    static const QRegularExpression place(
        QStringLiteral("(?<=\\bat |\\bto |Loop |, )(0x[0-9a-f]{4,})( \\((line (\\d+))\\))?(?=[ ,:.)]|$)"));
    QString html;
    qsizetype done = 0;
    auto found = place.globalMatch(line);
    while (found.hasNext()) {
        const QRegularExpressionMatch one = found.next();
        // "0x1000" after a comma is an operand unless a line or a colon says that it is a place.
        if (one.captured(2).isEmpty() && one.capturedStart() >= 2 &&
            line.mid(one.capturedStart() - 2, 2) == QLatin1String(", "))
            continue;
        html += line.mid(done, one.capturedStart() - done).toHtmlEscaped();
        html += QStringLiteral("<a href=\"place:%1\">%1</a>").arg(one.captured(1));
        if (!one.captured(3).isEmpty())
            html += QStringLiteral(" (<a href=\"line:%1\">%2</a>)").arg(one.captured(4), one.captured(3));
        done = one.capturedEnd();
    }
    return html + line.mid(done).toHtmlEscaped();
}

QString answerHtml(const ScheduleModel& model, int row) {
    const sass::Explanation* e = model.explanation();
    if (!e || row < 0 || row >= int(e->code.size())) return {};
    const sass::Instruction& one = e->code[std::size_t(row)];
    QString html = QStringLiteral("<p><b>%1</b> <code>%2</code><br/><span class=\"muted\">%3</span></p>")
                       .arg(QStringLiteral("0x%1").arg(one.place, 4, 16, QLatin1Char('0')),
                            QString::fromStdString(sass::text(one)).toHtmlEscaped(), factsHtml(*e, row));
    QStringList lines;
    for (const std::string& line : sass::waitLines(*e, row))
        lines << linkedHtml(QString::fromStdString(line));
    html += lines.isEmpty() ? paragraph(Words::tr("It waits for nothing but the instruction in front of it."))
                            : listed(lines);
    if (const QString turn = turnHtml(model, row); !turn.isEmpty()) html += paragraph(turn);
    if (const QStringList after = waiters(*e, row); !after.isEmpty())
        html += paragraph(Words::tr("Waited for by:")) + listed(after);
    return html;
}

QString loopHtml(const ScheduleModel& model, int warps) {
    const sass::Explanation* e = model.explanation();
    if (!e || !model.loop())
        return paragraph(e ? Words::tr("The kernel has no loop: every instruction is issued once.") : QString());
    QString html;
    QStringList steps;
    for (const std::string& line : sass::loopLines(*e, *model.loop(), warps)) {
        const QString text = QString::fromStdString(line);
        if (text.startsWith(QLatin1String("  ")))
            steps << linkedHtml(text.trimmed());
        else
            html += paragraph(linkedHtml(text) + (text.endsWith(QLatin1Char('.')) ? QString() : QStringLiteral(".")));
    }
    return html + listed(steps);
}

int producerOf(const ScheduleModel& model, int row) {
    const sass::Explanation* e = model.explanation();
    if (!e || row < 0 || row >= int(e->waits.size())) return -1;
    const sass::InstructionWaits& waits = e->waits[std::size_t(row)];
    for (const sass::ScoreboardWait& wait : waits.scoreboards)
        if (!wait.isFree) return wait.producer;
    if (!waits.distances.empty()) return waits.distances.front().met.producer;
    return waits.scoreboards.empty() ? -1 : waits.scoreboards.front().producer;
}

} // namespace kernelarium::ui

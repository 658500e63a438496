// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TuneFigures.h"

#include "core/tuning/search/Summary.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/ScatterPlot.h"
#include "ui/tuning/TuneDesk.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace kernelarium::ui {

ChartData bestCurve(const PointModel& model, const std::vector<tuning::Judged>& all) {
    ChartData chart;
    chart.name = Words::tr("Best so far");
    chart.xTitle = Words::tr("Points looked at");
    chart.xWhole = true;
    chart.yTitle = Words::tr("Time");
    chart.yColumn = Words::tr("Time (s), %1").arg(model.valueWords());
    chart.yText = [](double seconds, int digits) { return secondsText(seconds, digits); };
    chart.note = model.valueWords();
    const std::vector<tuning::BestStep> steps = tuning::bestSoFar(all);
    if (steps.empty()) return chart;
    double looks = 0;
    for (const tuning::Judged& judged : all)
        if (judged.looked()) looks += judged.candidate.effort;
    ChartSeries best{Words::tr("best so far"), 0, false, ChartSeries::Form::line, {}};
    const auto add = [&](double x, const tuning::BestStep& step) {
        Record record;
        record.title = QString::fromStdString(step.key);
        record.rows << qMakePair(Words::tr("Time"), secondsText(step.value) + QStringLiteral(", ") + model.valueWords())
                    << qMakePair(Words::tr("Found after"), Words::tr("%1 points").arg(numberText(step.looks, 6)));
        best.points.push_back({x, step.value, x, {}, record, nullptr});
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        if (i > 0) add(steps[i].looks, steps[i - 1]);
        add(steps[i].looks, steps[i]);
    }
    add(std::max(looks, steps.back().looks), steps.back());
    chart.series.push_back(std::move(best));
    const double start = model.startMilliseconds() / 1e3;
    constexpr double wide = 10; // of which a linear axis shows the upper part only
    const double slowest = std::isnan(start) ? steps.front().value : std::max(start, steps.front().value);
    chart.yLog = steps.back().value > 0 && slowest > wide * steps.back().value;
    if (std::isnan(start)) return chart;
    ChartSeries own{Words::tr("the text as it stood"), 1, true, ChartSeries::Form::line, {}};
    for (const double x : {0.0, std::max(looks, steps.back().looks)})
        own.points.push_back({x, start, x, {}, recordOfPoint(model, model.start()), nullptr});
    chart.series.push_back(std::move(own));
    return chart;
}

FigureTable sizesTable(const std::vector<protocol::SizeBest>& bests) {
    FigureTable table;
    table.name = Words::tr("Best for each size");
    table.columns = {
        {Words::tr("Best for"), Words::tr("A size of the task"), 140, false, false},
        {Words::tr("As it was"), Words::tr("The time of the text as it stood, at this size"), 100, true, false},
        {Words::tr("Time"), Words::tr("The best one's, at this size"), 100, true, false},
        {Words::tr("Faster"), Words::tr("The time of the text as it stood, divided by the best one's"), 110, true,
         true},
        {Words::tr("Verified at"), Words::tr("The size at which its results were looked at"), 110, false, false},
        {Words::tr("Point"), Words::tr("Return opens its text on the bench"), 420, false, false}};
    for (std::size_t i = 0; i < bests.size(); ++i) {
        const protocol::SizeBest& best = bests[i];
        const bool found = best.judged != nullptr;
        const auto time = [](std::optional<double> seconds) {
            return FigureCell{seconds ? secondsText(*seconds) : QString(),
                              seconds ? QVariant(*seconds) : QVariant(),
                              {},
                              nullptr,
                              Tone::plain};
        };
        const auto words = [](const QString& text, Tone tone) { return FigureCell{text, text, {}, nullptr, tone}; };
        const double ratio = found && best.startSeconds ? *best.startSeconds / best.time.seconds : std::nan("");
        FigureRow row;
        row.key = found ? qint64(i + 1) : 0;
        row.cells = {words(QString::fromStdString(best.size), Tone::plain),
                     time(best.startSeconds),
                     time(found ? std::optional(best.time.seconds) : std::nullopt),
                     {speedupText(ratio), std::isnan(ratio) ? QVariant() : QVariant(ratio), {}, nullptr, Tone::plain},
                     words(found ? QString::fromStdString(best.time.verifiedAt) : QString(), Tone::plain),
                     found ? words(QString::fromStdString(best.judged->candidate.key), Tone::plain)
                           : words(Words::tr("none is right"), Tone::muted)};
        table.rows.push_back(std::move(row));
    }
    return table;
}

FigureTable importanceTable(const tuning::Space& space, const tuning::Importance& importance) {
    FigureTable table;
    table.name = Words::tr("Importance of parameters");
    table.columns = {
        {Words::tr("Parameter"), Words::tr("What the space sets"), 160, false, false},
        {Words::tr("Share"), Words::tr("How much the time depends on it: all add up to 100%"), 240, true, false},
        {Words::tr("Values"), Words::tr("How many it may have"), 80, true, false}};
    std::vector<std::size_t> order(space.parameters().size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return importance.shares[a] > importance.shares[b]; });
    for (const std::size_t i : order) {
        const tuning::Parameter& parameter = space.parameters()[i];
        const QString name = QString::fromStdString(parameter.name);
        const double share = importance.shares[i];
        FigureRow row;
        row.cells.push_back({name, name, {}, nullptr, Tone::plain});
        row.cells.push_back({percentText(share), share, {}, nullptr, Tone::plain, share});
        row.cells.push_back({wholeText(std::int64_t(parameter.values.size())),
                             qlonglong(parameter.values.size()),
                             {},
                             nullptr,
                             Tone::muted});
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString importanceSentence(const std::optional<tuning::Importance>& importance, std::size_t points) {
    if (!importance)
        return points == 0 ? Words::tr("How much the time depends on each parameter, from 10 points on.")
                           : Words::tr("How much the time depends on each parameter is calculated from 10 points that "
                                       "have one.");
    QString text =
        Words::tr("From %1 points: how much worse a random forest guesses the time when a parameter's values "
                  "are dealt anew. On points that it has not seen it explains %2 of the variance")
            .arg(wholeText(std::int64_t(importance->points)), percentText(std::max(0.0, importance->explained)));
    text += importance->explained < 0.5 ? Words::tr(": too little for the shares to say much.") : QStringLiteral(".");
    return text;
}

PointCounts countsOf(const PointModel& model) {
    PointCounts counts;
    using Kind = tuning::Outcome::Kind;
    for (const PointRow& row : model.rows())
        switch (row.kind) {
        case Kind::valued:
            ++counts.timed;
            if (!row.verdict.isEmpty()) ++counts.right;
            break;
        case Kind::refused: ++(row.filtered ? counts.filtered : counts.refused); break;
        case Kind::wrong: ++counts.wrong; break;
        case Kind::failed: ++counts.failed; break;
        }
    return counts;
}

QString spaceSentence(const TuneSubject& subject) {
    const QString label = QString::fromStdString(subject.request->label);
    const auto whole = [](std::uint64_t count) {
        return count > std::uint64_t(INT64_MAX) ? siText(double(count)) : wholeText(std::int64_t(count));
    };
    if (!subject.allowed)
        return Words::tr("%1: %2 points, and more than can be counted are allowed").arg(label, whole(subject.size));
    if (*subject.allowed == subject.size) return Words::tr("%1: %2 points").arg(label, whole(subject.size));
    return Words::tr("%1: %2 points, %3 of them allowed").arg(label, whole(subject.size), whole(*subject.allowed));
}

QString bestSentence(const PointModel& model) {
    if (model.best() < 0) return {};
    const PointRow& best = model.rows()[std::size_t(model.best())];
    const double start = model.startMilliseconds();
    const QString time = secondsText(best.milliseconds / 1e3), key = QString::fromStdString(best.key);
    if (std::isnan(start)) return Words::tr("best %1 at %2; the text as it stood has no time yet").arg(time, key);
    if (model.best() == model.start()) return Words::tr("best %1: the text as it stood").arg(time);
    return Words::tr("best %1 at %2, %3 the start's %4")
        .arg(time, key, speedupText(start / best.milliseconds), secondsText(start / 1e3));
}

QString confirmationSentence(const protocol::Confirmation& confirmation, bool ofSize) {
    const QString size = QString::fromStdString(confirmation.size);
    QString said;
    if (!confirmation.timed()) {
        said = Words::tr("not confirmed in a fresh process: %1").arg(QString::fromStdString(confirmation.reason));
    } else {
        const QString figures = Words::tr("%1 (%2 to %3), %4 pairs")
                                    .arg(speedupText(confirmation.ratio), numberText(confirmation.low),
                                         numberText(confirmation.high), wholeText(std::int64_t(confirmation.pairs)));
        said = confirmation.holds() ? Words::tr("confirmed in a fresh process: %1").arg(figures)
               : confirmation.high < 1
                   ? Words::tr("not confirmed: in a fresh process the start is faster, %1").arg(figures)
                   : Words::tr("not confirmed: no difference in a fresh process, %1").arg(figures);
    }
    return ofSize ? Words::tr("%1: %2").arg(size, said) : said;
}

namespace {

/// The word for the end, and the array's own words behind it.
QString arraySentence(const TuneState& state, std::size_t points) {
    const ArrayState& array = *state.array;
    const QString how = array.progress ? QString::fromStdString(cluster::textOf(*array.progress)) : QString();
    const QString said = array.said.isEmpty() ? QString() : QStringLiteral(" · ") + array.said;
    if (isBusy(state.stage)) {
        if (array.cancelling) return Words::tr("Cancelling: %1").arg(how) + said;
        return (how.isEmpty() ? Words::tr("Being submitted") : how) + said;
    }
    if (state.stage == Stage::cancelled)
        return array.end == cluster::ArrayEnd::cancelled
                   ? Words::tr("Cancelled, what was found is kept: %1").arg(how)
                   : Words::tr("Not watched: its tasks go on; Watch looks at them again");
    if (array.end != cluster::ArrayEnd::incomplete) return Words::tr("Finished: %1").arg(how);
    QString text = points > 0 ? Words::tr("Incomplete, Resume does the rest: %1").arg(how)
                              : Words::tr("Nothing was found, Start tries again: %1").arg(how);
    for (const cluster::TaskLine& line : array.progress->tasks)
        if (line.state == cluster::TaskLine::State::givenUp) {
            text += Words::tr(" · task %1 was given up: %2").arg(line.task).arg(QString::fromStdString(line.why));
            break; // the others' reasons are rarely other ones
        }
    return text;
}

} // namespace

QString sweepSentence(const TuneState& state, const PointCounts& counts, std::size_t points, const QString& rest) {
    if (state.stage == Stage::failed) return QString::fromStdString(state.error.text());
    QStringList facts;
    const tuning::Progress& progress = state.progress;
    if (state.array && state.stage != Stage::idle) {
        facts << arraySentence(state, points);
        if (!rest.isEmpty() && !isBusy(state.stage)) facts << rest;
    } else if (isBusy(state.stage)) {
        QString how = progress.total
                          ? Words::tr("%1 of %2 points")
                                .arg(wholeText(std::int64_t(points)), wholeText(std::int64_t(*progress.total)))
                          : Words::tr("%1 points").arg(wholeText(std::int64_t(points)));
        if (progress.perSecond > 0) how += Words::tr(", %1 points/s").arg(numberText(progress.perSecond));
        if (state.paused)
            how = Words::tr("Paused: %1").arg(how);
        else if (progress.secondsLeft)
            how += Words::tr(", time left: %1").arg(timeLeftText(*progress.secondsLeft));
        facts << how;
    } else if (!rest.isEmpty()) {
        facts << Words::tr("Finished: %1").arg(rest);
    } else if (state.stage == Stage::finished) {
        facts << (state.answer.why == tuning::Ended::Why::usedUp
                      ? Words::tr("Finished: the strategy has no more points; Resume goes on with the chosen one")
                      : Words::tr("Finished: the budget is spent; Resume goes on"));
    } else if (state.stage == Stage::cancelled) {
        facts << Words::tr("Stopped: Resume goes on");
    }
    if (points > 0)
        facts << Words::tr("%1 right, %2 not verified").arg(counts.right).arg(counts.timed - counts.right)
              << Words::tr("%1 refused").arg(counts.refused) << Words::tr("%1 wrong").arg(counts.wrong)
              << Words::tr("%1 failed").arg(counts.failed);
    if (counts.filtered > 0) facts << Words::tr("%1 left out before they were compiled").arg(counts.filtered);
    return facts.join(QStringLiteral(" · "));
}

} // namespace kernelarium::ui

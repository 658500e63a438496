// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/RunWords.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <QStringList>
#include <algorithm>

namespace kernelarium::ui {

namespace {

QString figure(double value) {
    return numberText(value, 4);
}

QString outputSentence(const protocol::TensorSummary& output) {
    QStringList sizes;
    for (const auto size : output.shape)
        sizes << QString::number(size);
    QString text = Words::tr("%1[%2] from %3 to %4, mean %5")
                       .arg(QString::fromStdString(output.dtype), sizes.join(QLatin1Char(',')), figure(output.smallest),
                            figure(output.largest), figure(output.mean));
    if (output.nans) text += Words::tr(", %1 NaN").arg(output.nans);
    if (output.infinities) text += Words::tr(", %1 infinite").arg(output.infinities);
    return text;
}

} // namespace

bool isProblem(const protocol::RunSummary& summary) {
    return summary.end != "finished" || !summary.faults.empty() ||
           std::any_of(summary.outputs.begin(), summary.outputs.end(),
                       [](const auto& output) { return output.nans > 0; });
}

QString runSentence(const protocol::RunSummary& summary) {
    if (summary.end != "finished") {
        const std::string& why = !summary.reason.empty()   ? summary.reason
                                 : !summary.faults.empty() ? summary.faults.front().message
                                                           : summary.end;
        return Words::tr("The run did not finish: %1")
            .arg(QString::fromStdString(why).section(QLatin1Char('\n'), 0, 0));
    }
    QStringList parts;
    if (summary.exitCode) parts << Words::tr("exit code %1").arg(*summary.exitCode);
    for (const auto& output : summary.outputs)
        parts << outputSentence(output);
    QString text = Words::tr("It ran in %1: %2.")
                       .arg(secondsText(summary.seconds),
                            parts.isEmpty() ? Words::tr("no output") : parts.join(QStringLiteral("; ")));
    if (!summary.faults.empty())
        text += QLatin1Char(' ') + Words::tr("A fault: %1").arg(QString::fromStdString(summary.faults.front().message));
    return text;
}

QString pairSentence(const protocol::PairedSummary& pairs, const QString& first) {
    const perf::PairedTimes& times = pairs.times;
    const QString second = QString::fromStdString(pairs.name);
    if (times.pairs == 0 || times.ratio <= 0) return Words::tr("%1 and %2 were not timed in pairs.").arg(first, second);
    const bool faster = times.ratio <= 1;
    const double probability = faster ? times.firstIsFaster : times.secondIsFaster;
    return Words::tr("%1 is %2 times as fast as %3: it is the faster one with a probability of %4 (%5 of %6 pairs).")
        .arg(faster ? first : second, figure(faster ? 1 / times.ratio : times.ratio), faster ? second : first,
             probability > 0.99995 ? Words::tr("more than 0.9999") : numberText(probability, 4))
        .arg(faster ? times.firstWins : times.secondWins)
        .arg(times.pairs);
}

QString timeSentence(const protocol::TimeSummary& s) {
    QString text =
        Words::tr("%1 on %2 (%3, %4 size), noise %5, %6 samples.")
            .arg(secondsText(s.summary.median, 4), QString::fromStdString(s.device), QString::fromStdString(s.mode),
                 QString::fromStdString(s.size), percentText(s.summary.relativeNoise))
            .arg(s.summary.count);
    if (s.against) text += QLatin1Char(' ') + pairSentence(*s.against, Words::tr("The text in the editor"));
    if (s.differingElements > 0)
        text +=
            QLatin1Char(' ') + Words::tr("%1 output elements of a queued call differ from those of a fresh one with "
                                         "the same inputs: it does not compute them again.")
                                   .arg(s.differingElements);
    for (const std::string& remark : s.remarks)
        text += QLatin1Char(' ') + QString::fromStdString(remark);
    return text;
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/Comparison.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

/// A difference that a median of pairs shows with less certainty is not called one.
constexpr double sureFrom = 0.95;

QString fasterBy(double ratio) {
    return ratio < 1 ? Words::tr("A takes %1 of B's time").arg(percentText(ratio))
                     : Words::tr("B takes %1 of A's time").arg(percentText(1 / ratio));
}

QString pairSentence(const protocol::PairedSummary& pairs) {
    const perf::PairedTimes& times = pairs.times;
    const perf::RatioInterval range = perf::ratioInterval(pairs.pairs);
    const double surer = std::max(times.firstIsFaster, times.secondIsFaster);
    const QString who = times.firstIsFaster > times.secondIsFaster ? QStringLiteral("A") : QStringLiteral("B");
    const QString figures =
        Words::tr("A/B %1 (%2 to %3, %4 confidence), %5 pairs, A won %6, B %7, ties %8")
            .arg(numberText(times.ratio), numberText(range.low), numberText(range.high), percentText(range.coverage))
            .arg(times.pairs)
            .arg(times.firstWins)
            .arg(times.secondWins)
            .arg(times.ties);
    return surer >= sureFrom
               ? Words::tr("Measured: %1 is faster (probability %2). %3.").arg(who, percentText(surer), figures)
               : Words::tr("Measured: no significant difference (the surer side has %1). %2.")
                     .arg(percentText(surer), figures);
}

} // namespace

QStringList timeSentences(const Comparison& comparison) {
    QStringList sentences;
    const ComparedSide &a = comparison.a, &b = comparison.b;
    if (a.archivedMs && b.archivedMs && *a.archivedMs > 0 && *b.archivedMs > 0)
        sentences << Words::tr("Archived: A %1 ms, B %2 ms, %3. One published number each: whether that is more than "
                               "noise, nobody said.")
                         .arg(millisecondsText(*a.archivedMs), millisecondsText(*b.archivedMs),
                              fasterBy(*a.archivedMs / *b.archivedMs));
    const auto finished = [](const ComparedSide& side) {
        return side.profile && side.profile->end == "finished" && side.profile->time.seconds > 0;
    };
    if (finished(a) && finished(b))
        sentences << Words::tr(
                         "Modelled on %1: A %2, B %3, %4. A model has no noise; it ranks kernels, and differences "
                         "of a few per cent are below what it knows.")
                         .arg(comparison.device, secondsText(a.profile->time.seconds),
                              secondsText(b.profile->time.seconds),
                              fasterBy(a.profile->time.seconds / b.profile->time.seconds));
    if (comparison.pairs) sentences << pairSentence(*comparison.pairs);
    if (!comparison.pairsProblem.isEmpty())
        sentences << Words::tr("Not measured in pairs: %1").arg(comparison.pairsProblem);
    const std::pair<QString, const ComparedSide*> sides[] = {{QStringLiteral("A"), &a}, {QStringLiteral("B"), &b}};
    for (const auto& [name, side] : sides)
        if (!side->problem.isEmpty()) sentences << QStringLiteral("%1: %2").arg(name, side->problem);
    return sentences;
}

} // namespace kernelarium::ui

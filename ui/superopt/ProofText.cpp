// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/ProofText.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <QStringList>

namespace kernelarium::ui {

namespace {

QString rungName(proof::Rung rung) {
    const std::string_view word = proof::name(rung);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

QString outcomeWords(proof::Outcome outcome) {
    switch (outcome) {
    case proof::Outcome::passed: return Words::tr("✓ passed");
    case proof::Outcome::failed: return Words::tr("✗ failed");
    case proof::Outcome::doesNotApply: break;
    }
    return Words::tr("– does not apply");
}

void addEvidence(const proof::Evidence& e, QStringList& lines) {
    const auto add = [&lines](const std::string& text) {
        if (!text.empty()) lines << QStringLiteral("    ") + QString::fromStdString(text);
    };
    lines << Words::tr("%1  %2, %3").arg(rungName(e.rung), outcomeWords(e.outcome), secondsText(e.seconds));
    add(e.reason);
    add(e.drawn);
    if (e.outcome == proof::Outcome::passed) {
        add(e.covers);
        if (!e.leavesOut.empty()) add(Words::tr("Not covered: ").toStdString() + e.leavesOut);
        if (e.errorBound && *e.errorBound < 1)
            lines << Words::tr("    Graphs that differ there pass with a probability of at most %1.")
                         .arg(numberText(*e.errorBound, 1));
        if (e.errorBound && *e.errorBound >= 1)
            lines << Words::tr("    No bound is known for how often graphs that differ there pass.");
    }
    for (const std::string& remark : e.remarks)
        add(remark);
    if (!e.counterexample) return;
    const proof::Counterexample& c = *e.counterexample;
    QStringList place;
    for (const std::int64_t i : c.element)
        place << QString::number(i);
    lines << Words::tr("    Output %1 at [%2]: %3 expected, %4 found (seed %5, draw %6).")
                 .arg(c.output)
                 .arg(place.join(QStringLiteral(", ")), QString::fromStdString(c.expected),
                      QString::fromStdString(c.got))
                 .arg(c.seed)
                 .arg(c.draw);
}

} // namespace

QString proofText(const proof::Proof& proof) {
    QStringList lines{QString::fromStdString(proof.summary())};
    for (const std::string& left : proof.leftOut)
        lines << Words::tr("Left out: %1").arg(QString::fromStdString(left));
    for (const proof::Evidence& e : proof.rungs) {
        lines << QString();
        addEvidence(e, lines);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace kernelarium::ui

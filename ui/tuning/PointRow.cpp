// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/PointRow.h"

#include "ui/words/VerdictWords.h"
#include "ui/words/Words.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

QString textField(const nlohmann::json& details, const char* name) {
    const auto found = details.find(name);
    return found != details.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

} // namespace

std::optional<PointRow> pointRowOf(const tuning::Space& space, const tuning::Judged& judged) {
    auto point = space.pointOf(judged.candidate.key);
    if (!point) return std::nullopt;
    PointRow row;
    row.key = judged.candidate.key;
    row.point = std::move(*point);
    row.kind = judged.outcome.kind;
    row.ranks = judged.ranks();
    row.leads = judged.leads();
    row.filtered = judged.filtered;
    row.said = QString::fromStdString(judged.outcome.reason);
    row.sameAs = QString::fromStdString(judged.sameAs);
    if (judged.outcome.value) row.milliseconds = *judged.outcome.value * 1e3;
    const auto details = nlohmann::json::parse(judged.outcome.details, nullptr, false);
    if (!details.is_object()) return row;
    row.verdict = textField(details, "verdict");
    row.limiter = textField(details, "limiter");
    const auto registers = details.find("registers");
    if (registers != details.end() && registers->is_number_integer()) row.registers = registers->get<int>();
    if (row.said.isEmpty()) row.said = textField(details, "message");
    return row;
}

QString pointVerdictText(const PointRow& row) {
    using Kind = tuning::Outcome::Kind;
    switch (row.kind) {
    case Kind::valued: return row.verdict.isEmpty() ? Words::tr("– only timed") : verdictWord(row.verdict);
    case Kind::wrong: return verdictWord(row.verdict.isEmpty() ? QStringLiteral("wrong") : row.verdict);
    case Kind::refused: return Words::tr("⊘ refused");
    case Kind::failed: return Words::tr("? failed");
    }
    return {};
}

QColor pointVerdictColour(const PointRow& row, const Palette& palette) {
    using Kind = tuning::Outcome::Kind;
    if (row.kind == Kind::valued && !row.verdict.isEmpty()) return verdictColour(palette, row.verdict);
    if (row.kind == Kind::wrong) return palette.wrong;
    if (row.kind == Kind::failed) return palette.warning;
    return palette.muted;
}

QString pointVerdictMeaning(const PointRow& row) {
    using Kind = tuning::Outcome::Kind;
    switch (row.kind) {
    case Kind::valued:
        return row.verdict.isEmpty()
                   ? Words::tr("It runs, and is slower than the best: its results were not looked at.")
                   : verdictExplanation(row.verdict);
    case Kind::wrong: return Words::tr("Its results are not right: it is never called best.");
    case Kind::refused:
        return row.filtered ? Words::tr("It was left out before it was compiled: the evidence says why.")
                            : Words::tr("It cannot be compiled or launched.");
    case Kind::failed: return Words::tr("Nothing is known of it: what looked at it ended early.");
    }
    return {};
}

QColor timeColour(double share, const Palette& palette) {
    share = std::isnan(share) ? 1.0 : std::clamp(share, 0.0, 1.0);
    // Through a grey between them, so that the middle is neither.
    const bool near = share < 0.5;
    const QColor from = near ? palette.series[0] : palette.muted, to = near ? palette.muted : palette.series[1];
    const auto way = float(near ? share * 2 : share * 2 - 1);
    const auto at = [way](float a, float b) { return a + (b - a) * way; };
    return QColor::fromRgbF(at(from.redF(), to.redF()), at(from.greenF(), to.greenF()), at(from.blueF(), to.blueF()));
}

double timeShare(double milliseconds, double best) {
    if (!(best > 0) || !(milliseconds > 0)) return std::numeric_limits<double>::quiet_NaN();
    return std::clamp(std::log2(milliseconds / best) / 2, 0.0, 1.0);
}

} // namespace kernelarium::ui

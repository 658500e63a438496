// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/VerdictWords.h"

#include "ui/words/Words.h"

#include <QHash>

namespace kernelarium::ui {

namespace {

struct VerdictWords {
    QString shape;
    QString word;
    QString icon;
    QString explanation;
};

const QHash<QString, VerdictWords>& verdictTable() {
    static const QHash<QString, VerdictWords> table = {
        {QStringLiteral("verified"),
         {QStringLiteral("✓"), Words::tr("verified"), QStringLiteral("verified"),
          Words::tr(
              "Every output is within the tolerance of a float64 reference, and no check found a fault or a trick.")}},
        {QStringLiteral("wrong"),
         {QStringLiteral("✗"), Words::tr("wrong"), QStringLiteral("wrong"),
          Words::tr("The outputs differ from the reference.")}},
        {QStringLiteral("suspicious"),
         {QStringLiteral("▲"), Words::tr("suspicious"), QStringLiteral("suspicious"),
          Words::tr("The outputs are right, but they do not come from an honest computation of this task.")}},
        {QStringLiteral("unverifiable"),
         {QStringLiteral("?"), Words::tr("unverifiable"), QStringLiteral("help"),
          Words::tr("It ran, but there is nothing to compare its outputs with.")}},
        {QStringLiteral("compile_error"),
         {QStringLiteral("■"), Words::tr("compile error"), QStringLiteral("wrong"),
          Words::tr("It does not compile, or its module cannot be loaded.")}},
        {QStringLiteral("launch_error"),
         {QStringLiteral("□"), Words::tr("launch error"), QStringLiteral("wrong"),
          Words::tr("A launch asks for more than CUDA allows: threads, registers, shared memory or blocks.")}},
        {QStringLiteral("unsupported"),
         {QStringLiteral("◇"), Words::tr("unsupported"), QStringLiteral("info"),
          Words::tr("It needs something that this backend does not have; the message names it.")}},
        {QStringLiteral("fault"),
         {QStringLiteral("!"), Words::tr("fault"), QStringLiteral("suspicious"),
          Words::tr("It reads or writes memory that it must not, or ends in a trap.")}},
        {QStringLiteral("timeout"),
         {QStringLiteral("…"), Words::tr("timeout"), QStringLiteral("time"),
          Words::tr("It did not finish within the time limit.")}},
        {QStringLiteral("failed"), // audit::failedWord
         {QStringLiteral("–"), Words::tr("not judged"), QStringLiteral("info"),
          Words::tr("It could not be judged: the process that ran it died, or there was not enough memory.")}},
    };
    return table;
}

} // namespace

QString claimText(archive::KernelTable::Correct correct, archive::ErrorKind kind) {
    if (correct == archive::KernelTable::Correct::yes) return Words::tr("✓ correct");
    switch (kind) {
    case archive::ErrorKind::wrongResult: return Words::tr("✗ wrong result");
    case archive::ErrorKind::compile: return Words::tr("■ no compile");
    case archive::ErrorKind::assemble: return Words::tr("■ no assembly");
    case archive::ErrorKind::link: return Words::tr("■ no link");
    case archive::ErrorKind::import: return Words::tr("■ no import");
    case archive::ErrorKind::launch: return Words::tr("■ no launch");
    case archive::ErrorKind::other: return Words::tr("■ failed");
    case archive::ErrorKind::none: break;
    }
    return correct == archive::KernelTable::Correct::no ? Words::tr("✗ not correct") : Words::tr("? not stated");
}

QString operatorText(const QString& opName) {
    QString text = opName;
    int digits = 0;
    while (digits < text.size() && text[digits].isDigit())
        ++digits;
    if (digits > 0 && digits < text.size() && text[digits] == QLatin1Char('_')) text.remove(0, digits + 1);
    return text.replace(QLatin1Char('_'), QLatin1Char(' ')).trimmed();
}

QString verdictWord(const QString& name, bool stale, bool smallOnly) {
    if (name.isEmpty()) return {};
    const auto found = verdictTable().find(name);
    QString word = found == verdictTable().end() ? name : found->shape + QLatin1Char(' ') + found->word;
    if (smallOnly) word += Words::tr(" (small size only)");
    return stale ? word + Words::tr(" (stale)") : word;
}

QString staleExplanation() {
    return Words::tr("Stale: found with another version of the program, the task's card or the checks. An audit renews "
                     "it.");
}

QString verdictIcon(const QString& name) {
    const auto found = verdictTable().find(name);
    return found == verdictTable().end() ? QStringLiteral("info") : found->icon;
}

QColor verdictColour(const Palette& p, const QString& name) {
    if (name == QLatin1String("verified")) return p.ok;
    if (name == QLatin1String("suspicious")) return p.suspicious;
    if (name == QLatin1String("unverifiable") || name == QLatin1String("unsupported") ||
        name == QLatin1String("failed") || name.isEmpty())
        return p.muted;
    return name == QLatin1String("timeout") ? p.warning : p.wrong;
}

QString verdictExplanation(const QString& name) {
    const auto found = verdictTable().find(name);
    return found == verdictTable().end() ? QString() : found->explanation;
}

} // namespace kernelarium::ui

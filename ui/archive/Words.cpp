// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/Words.h"

#include <QCoreApplication>
#include <QHash>
#include <algorithm>
#include <array>
#include <cmath>

namespace kernelarium::ui {

namespace {

QString tr(const char* text) {
    return QCoreApplication::translate("Words", text);
}

struct VerdictWords {
    const char* shape;
    const char* word;
    const char* icon;
    const char* explanation;
};

const QHash<QString, VerdictWords>& verdictTable() {
    static const QHash<QString, VerdictWords> table = {
        {QStringLiteral("verified"),
         {"✓", QT_TR_NOOP("verified"), "verified",
          QT_TR_NOOP(
              "Every output is within the tolerance of a float64 reference, and no check found a fault or a trick.")}},
        {QStringLiteral("wrong"),
         {"✗", QT_TR_NOOP("wrong"), "wrong", QT_TR_NOOP("The outputs are not what the reference says.")}},
        {QStringLiteral("suspicious"),
         {"▲", QT_TR_NOOP("suspicious"), "suspicious",
          QT_TR_NOOP("The outputs are right, but the way to them is not an honest computation of this task.")}},
        {QStringLiteral("unverifiable"),
         {"?", QT_TR_NOOP("unverifiable"), "help",
          QT_TR_NOOP("It ran, but there is nothing to compare its outputs with.")}},
        {QStringLiteral("compile_error"),
         {"■", QT_TR_NOOP("compile error"), "wrong",
          QT_TR_NOOP("It does not compile, or cannot be loaded or launched.")}},
        {QStringLiteral("unsupported"),
         {"◇", QT_TR_NOOP("unsupported"), "info",
          QT_TR_NOOP("It needs something that this backend does not have; the message names it.")}},
        {QStringLiteral("fault"),
         {"!", QT_TR_NOOP("fault"), "suspicious",
          QT_TR_NOOP("It reads or writes memory that it must not, or ends in a trap.")}},
        {QStringLiteral("timeout"),
         {"…", QT_TR_NOOP("timeout"), "time", QT_TR_NOOP("It did not end within the time limit.")}},
        {QStringLiteral("failed"), // audit::failedWord
         {"–", QT_TR_NOOP("not judged"), "info",
          QT_TR_NOOP("It could not be judged: the process that ran it died, or there was not enough memory.")}},
    };
    return table;
}

QString significant(double value, int digits) {
    if (value == 0) return QStringLiteral("0");
    const int whole = int(std::floor(std::log10(std::fabs(value)))) + 1;
    return QString::number(value, 'f', std::clamp(digits - whole, 0, 6));
}

QString scaled(double value, const std::array<const char*, 6>& units) {
    std::size_t unit = 0;
    while (std::fabs(value) >= 1000 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    const QString number = unit == 0 ? QString::number(value, 'f', 0) : significant(value, 3);
    const QString name = QString::fromUtf8(units[unit]);
    return name.isEmpty() ? number : number + QChar(0x202f) + name;
}

} // namespace

QString speedupText(double ratio) {
    if (std::isnan(ratio)) return {};
    if (ratio == 0) return QStringLiteral("–");
    const bool hasDigits = std::fabs(ratio) >= 0.1; // in two places behind the point
    return (hasDigits ? QString::number(ratio, 'f', 2) : significant(ratio, 2)) + QStringLiteral("×");
}

QString millisecondsText(double milliseconds) {
    if (std::isnan(milliseconds)) return {};
    return QString::number(milliseconds, 'f', 3);
}

QString secondsText(double seconds) {
    if (seconds < 1e-3) return significant(seconds * 1e6, 3) + QStringLiteral("\u202fµs");
    if (seconds < 1) return significant(seconds * 1e3, 3) + QStringLiteral("\u202fms");
    return significant(seconds, 3) + QStringLiteral("\u202fs");
}

QString timeLeftText(double seconds) {
    const auto whole = qint64(std::ceil(std::clamp(seconds, 0.0, 359999.0)));
    return QStringLiteral("%1:%2").arg(whole / 60).arg(whole % 60, 2, 10, QLatin1Char('0'));
}

QString bytesText(double bytes) {
    return scaled(bytes, {"B", "kB", "MB", "GB", "TB", "PB"});
}

QString countText(double count) {
    return scaled(count, {"", "k", "M", "G", "T", "P"});
}

QString errorText(double error) {
    if (std::isnan(error)) return QStringLiteral("NaN");
    if (std::isinf(error)) return QStringLiteral("∞");
    return error == 0 ? QStringLiteral("0") : QString::number(error, 'e', 2);
}

QString claimText(archive::KernelTable::Correct correct, archive::ErrorKind kind) {
    if (correct == archive::KernelTable::Correct::yes) return tr("✓ correct");
    switch (kind) {
    case archive::ErrorKind::wrongResult: return tr("✗ wrong result");
    case archive::ErrorKind::compile: return tr("■ no compile");
    case archive::ErrorKind::assemble: return tr("■ no assembly");
    case archive::ErrorKind::link: return tr("■ no link");
    case archive::ErrorKind::import: return tr("■ no import");
    case archive::ErrorKind::launch: return tr("■ no launch");
    case archive::ErrorKind::other: return tr("■ failed");
    case archive::ErrorKind::none: break;
    }
    return correct == archive::KernelTable::Correct::no ? tr("✗ not correct") : tr("? not said");
}

QString operatorText(const QString& opName) {
    QString text = opName;
    int digits = 0;
    while (digits < text.size() && text[digits].isDigit())
        ++digits;
    if (digits > 0 && digits < text.size() && text[digits] == QLatin1Char('_')) text.remove(0, digits + 1);
    return text.replace(QLatin1Char('_'), QLatin1Char(' ')).trimmed();
}

QString verdictWord(const QString& name, bool stale) {
    if (name.isEmpty()) return {};
    const auto found = verdictTable().find(name);
    const QString word =
        found == verdictTable().end() ? name : QString::fromUtf8(found->shape) + QLatin1Char(' ') + tr(found->word);
    return stale ? word + tr(" (stale)") : word;
}

QString staleExplanation() {
    return tr(
        "Stale: found by another version of the program, the task's card or the checks, or under other settings. An "
        "audit finds it again.");
}

QString verdictIcon(const QString& name) {
    const auto found = verdictTable().find(name);
    return found == verdictTable().end() ? QStringLiteral("info") : QString::fromLatin1(found->icon);
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
    return found == verdictTable().end() ? QString() : tr(found->explanation);
}

} // namespace kernelarium::ui

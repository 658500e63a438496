// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/Quantities.h"

#include "core/quantities/Quantities.h"

#include <QLocale>
#include <cmath>

namespace kernelarium::ui {

namespace {

const QString noValue = QStringLiteral("–");

/// A text of core/quantities with the separators of the reader's locale.
QString localised(const std::string& text) {
    const QLocale locale;
    const bool groups = !locale.numberOptions().testFlag(QLocale::OmitGroupSeparator);
    QString result;
    for (const QChar c : QString::fromStdString(text)) {
        if (c == QLatin1Char('.'))
            result += locale.decimalPoint();
        else if (c != QLatin1Char(','))
            result += c;
        else if (groups)
            result += locale.groupSeparator();
    }
    return result;
}

} // namespace

QString numberText(double value, int digits) {
    return localised(quantities::number(value, digits));
}

QString siText(double value, const QString& unit) {
    return localised(quantities::si(value, unit.toStdString()));
}

QString bytesText(double bytes) {
    return localised(quantities::bytes(bytes));
}

QString wholeText(std::int64_t count) {
    return QLocale().toString(qlonglong(count));
}

QString percentText(double share) {
    return std::isnan(share) ? noValue : localised(quantities::percent(share));
}

QString secondsText(double seconds, int digits) {
    return localised(quantities::seconds(seconds, digits));
}

QString axisTimeText(double milliseconds) {
    return numberText(milliseconds) + QStringLiteral(" ms");
}

QString millisecondsText(double milliseconds) {
    return std::isnan(milliseconds) ? QString() : QLocale().toString(milliseconds, 'f', 3);
}

QString timeLeftText(double seconds) {
    return localised(quantities::timeLeft(seconds));
}

QString speedupText(double ratio) {
    if (std::isnan(ratio)) return {};
    return ratio == 0 ? noValue : localised(quantities::times(ratio));
}

} // namespace kernelarium::ui

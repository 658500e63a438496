// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/Quantities.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

QString rounded(double value) {
    if (value == 0) return QStringLiteral("0");
    const int digits = std::max(0, 2 - int(std::floor(std::log10(std::abs(value)))));
    QString text = QString::number(value, 'f', std::min(digits, 12));
    if (!text.contains(QLatin1Char('.'))) return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(QLatin1Char('.'))) text.chop(1);
    return text;
}

} // namespace

QString plainText(double value) {
    if (!std::isfinite(value)) return value != value ? QStringLiteral("NaN") : QStringLiteral("infinite");
    const double size = std::abs(value);
    if (size != 0 && (size < 1e-4 || size >= 1e7)) return QString::number(value, 'g', 3);
    return rounded(value);
}

QString siText(double value, const QString& unit) {
    if (!std::isfinite(value)) return plainText(value) + QLatin1Char(' ') + unit;
    static constexpr const char* prefixes[] = {"p", "n", "µ", "m", "", "k", "M", "G", "T", "P", "E"};
    const double size = std::abs(value);
    int step = size > 0 ? int(std::floor(std::log10(size) / 3 + 1e-12)) : 0;
    // 999.6 rounds to 1000, which is one of the next.
    if (size > 0 && std::round(size / std::pow(1000.0, step)) >= 1000) ++step;
    step = std::clamp(step, -4, 6);
    return rounded(value / std::pow(1000.0, step)) + QLatin1Char(' ') + QString::fromUtf8(prefixes[step + 4]) + unit;
}

QString axisTimeText(double milliseconds) {
    return plainText(milliseconds) + QStringLiteral(" ms");
}

QString timeText(double seconds) {
    return siText(seconds, QStringLiteral("s"));
}

QString percentText(double share) {
    const double percent = share * 100;
    return (std::abs(percent) < 10 ? QString::number(percent, 'g', 2) : QString::number(percent, 'f', 0)) +
           QLatin1Char('%');
}

QString fineTimeText(double seconds) {
    const auto text = [](double value, const char* unit) {
        return QString::number(value, 'g', 5) + QString::fromUtf8(unit);
    };
    if (seconds < 1e-3) return text(seconds * 1e6, " µs");
    return seconds < 1 ? text(seconds * 1e3, " ms") : text(seconds, " s");
}

} // namespace kernelarium::ui

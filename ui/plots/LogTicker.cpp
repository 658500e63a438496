// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/LogTicker.h"

#include <cmath>

namespace kernelarium::ui {

namespace {
constexpr double evenBelow = 0.7; ///< decades
constexpr double finerBelow = 2.2;
constexpr double mostDecades = 10;
} // namespace

double LogTicker::getTickStep(const QCPRange& range) {
    mTickCount = 5;
    return QCPAxisTicker::getTickStep(range);
}

QVector<double> LogTicker::createTickVector(double tickStep, const QCPRange& range) {
    if (!(range.lower > 0) || !(range.upper > range.lower)) return {};
    const double decades = std::log10(range.upper / range.lower);
    if (decades < evenBelow) return QCPAxisTicker::createTickVector(tickStep, range);
    QVector<double> ticks;
    const int stride = decades > mostDecades ? 2 : 1;
    for (int e = int(std::floor(std::log10(range.lower))); e <= int(std::ceil(std::log10(range.upper))); ++e) {
        if (e % stride != 0) continue;
        ticks.append(std::pow(10.0, e));
        if (decades < finerBelow) ticks << 2 * std::pow(10.0, e) << 5 * std::pow(10.0, e);
    }
    return ticks;
}

QVector<double> LogTicker::createSubTickVector(int, const QVector<double>&) {
    return {};
}

QString LogTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return m_label(tick);
}

} // namespace kernelarium::ui

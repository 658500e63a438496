// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/CustomPlot.h"

#include <functional>

namespace kernelarium::ui {

/// Ticks of a logarithmic axis: decades when several are seen, 1-2-5 inside one or two, even steps inside less.
/// Labels are what `label` says of a value.
class LogTicker : public QCPAxisTicker {
public:
    explicit LogTicker(std::function<QString(double)> label)
        : m_label(std::move(label)) {}

protected:
    double getTickStep(const QCPRange& range) override;
    QVector<double> createTickVector(double tickStep, const QCPRange& range) override;
    QVector<double> createSubTickVector(int subTickCount, const QVector<double>& ticks) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;

private:
    std::function<QString(double)> m_label;
};

} // namespace kernelarium::ui

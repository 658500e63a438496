// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/RunWords.h"

#include "ui/archive/Words.h"

#include <QCoreApplication>
#include <QStringList>
#include <algorithm>

namespace kernelarium::ui {

namespace {

QString inWords(const char* text) {
    return QCoreApplication::translate("RunWords", text);
}

QString figure(double value) {
    return QString::number(value, 'g', 4);
}

QString outputSentence(const worker::TensorSummary& output) {
    QStringList sizes;
    for (const auto size : output.shape)
        sizes << QString::number(size);
    QString text = inWords("%1[%2] from %3 to %4, mean %5")
                       .arg(QString::fromStdString(output.dtype), sizes.join(QLatin1Char(',')), figure(output.smallest),
                            figure(output.largest), figure(output.mean));
    if (output.nans) text += inWords(", %1 NaN").arg(output.nans);
    if (output.infinities) text += inWords(", %1 infinite").arg(output.infinities);
    return text;
}

} // namespace

bool isProblem(const worker::RunSummary& summary) {
    return summary.end != "finished" || !summary.faults.empty() ||
           std::any_of(summary.outputs.begin(), summary.outputs.end(), [](const auto& output) { return output.nans > 0; });
}

QString runSentence(const worker::RunSummary& summary) {
    if (summary.end != "finished") {
        const std::string& why = !summary.reason.empty() ? summary.reason
                                 : !summary.faults.empty() ? summary.faults.front().message
                                                           : summary.end;
        return inWords("The run did not finish: %1").arg(QString::fromStdString(why).section(QLatin1Char('\n'), 0, 0));
    }
    QStringList parts;
    for (const auto& output : summary.outputs)
        parts << outputSentence(output);
    QString text = inWords("It ran in %1: %2.").arg(secondsText(summary.seconds), parts.isEmpty() ? inWords("no output") : parts.join(QStringLiteral("; ")));
    if (!summary.faults.empty())
        text += QLatin1Char(' ') + inWords("A fault: %1").arg(QString::fromStdString(summary.faults.front().message));
    return text;
}

} // namespace kernelarium::ui

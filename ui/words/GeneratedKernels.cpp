// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/GeneratedKernels.h"

#include "ui/words/TaskNames.h"
#include "ui/words/Words.h"

#include <QRegularExpression>

namespace kernelarium::ui {

QString GeneratedFrom::key() const {
    return QStringLiteral("generated:%1/%2/%3").arg(taskText(task), skeleton).arg(number);
}

QString GeneratedFrom::title() const {
    static const QRegularExpression noName(QStringLiteral("[^A-Za-z0-9]+"));
    const QString name = QString(skeleton).replace(noName, QStringLiteral("_"));
    const QString later = number > 1 ? QStringLiteral("-%1").arg(number) : QString();
    return QStringLiteral("%1_%2_%3%4.cu").arg(task.level).arg(task.task).arg(name, later);
}

QString GeneratedFrom::sentence() const {
    return Words::tr("Written from the card of task %1 in the form %2.").arg(taskText(task), skeleton);
}

std::optional<GeneratedFrom> generatedFrom(const QString& key) {
    static const QRegularExpression form(QStringLiteral("^generated:(\\d+)/(\\d+)/(.+)/(\\d+)$"));
    const auto match = form.match(key);
    if (!match.hasMatch()) return std::nullopt;
    return GeneratedFrom{
        {match.captured(1).toInt(), match.captured(2).toInt()}, match.captured(3), match.captured(4).toInt()};
}

} // namespace kernelarium::ui

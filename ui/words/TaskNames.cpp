// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/words/TaskNames.h"

#include "ui/words/VerdictWords.h"

namespace kernelarium::ui {

QString taskText(const task::TaskKey& key) {
    return QStringLiteral("%1/%2").arg(key.level).arg(key.task);
}

QStringList taskNames(const std::stop_token& stop) {
    QStringList names;
    for (const task::TaskKey& key : task::builtInCards()) {
        if (stop.stop_requested()) break;
        const auto card = task::loadCard(key.level, key.task);
        names << (card ? operatorText(QString::fromStdString(card->name)) : QString());
    }
    return names;
}

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/Quiet.h"

#include <utility>

namespace {

QList<QString> warnings;
QtMessageHandler before = nullptr;

void collect(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (text.startsWith(QLatin1String("This plugin does not support"))) return;
    if (type == QtWarningMsg || type == QtCriticalMsg) warnings.append(text);
    if (before) before(type, context, text);
}

} // namespace

void Quiet::listen() {
    const QtMessageHandler replaced = qInstallMessageHandler(collect);
    if (replaced != collect) before = replaced;
}

QList<QString> Quiet::taken() {
    return std::exchange(warnings, {});
}

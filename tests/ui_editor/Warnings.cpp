// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/Warnings.h"

#include <QMutex>
#include <QtGlobal>
#include <utility>

namespace {

QMutex mutex;
QStringList collected;
QtMessageHandler before = nullptr;

void collect(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    // The offscreen platform says so of every window it shows.
    const bool ofPlatform = text.startsWith(QLatin1String("This plugin does not support "));
    if ((type == QtWarningMsg || type == QtCriticalMsg) && !ofPlatform) {
        const QMutexLocker lock(&mutex);
        collected.append(text);
    }
    if (before != nullptr) before(type, context, text);
}

} // namespace

void Warnings::watch() {
    const QtMessageHandler replaced = qInstallMessageHandler(collect);
    if (replaced != collect) before = replaced;
    const QMutexLocker lock(&mutex);
    collected.clear();
}

QStringList Warnings::take() {
    const QMutexLocker lock(&mutex);
    return std::exchange(collected, {});
}

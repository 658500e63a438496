// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/Warnings.h"

#include <QString>
#include <atomic>
#include <cstdio>

namespace kernelarium::ui {

namespace {

QtMessageHandler previous = nullptr;
std::atomic<int> warnings = 0;

void count(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    const bool platform = text.startsWith(QLatin1String("This plugin does not support "));
    if ((type == QtWarningMsg || type == QtCriticalMsg) && !platform) {
        ++warnings;
        std::fprintf(stderr, "UNEXPECTED WARNING: %s\n", qUtf8Printable(text));
    }
    if (previous && !platform) previous(type, context, text);
}

} // namespace

void watchWarnings() {
    const QtMessageHandler before = qInstallMessageHandler(count);
    if (before != count) previous = before;
}

int unexpectedWarnings() {
    return warnings;
}

} // namespace kernelarium::ui

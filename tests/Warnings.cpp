// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Warnings.h"

#include <QString>
#include <atomic>
#include <cstdio>

namespace kernelarium::test {

namespace {

QtMessageHandler previous = nullptr;
std::atomic<int> warnings = 0;

void count(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    // When Qt Test has ended a class, its handler gives messages back to the one that it found.
    thread_local bool within = false;
    if (within) {
        std::fprintf(stderr, "%s\n", qUtf8Printable(text));
        return;
    }
    const bool platform = text.startsWith(QLatin1String("This plugin does not support "));
    if ((type == QtWarningMsg || type == QtCriticalMsg) && !platform) {
        ++warnings;
        std::fprintf(stderr, "UNEXPECTED WARNING: %s\n", qUtf8Printable(text));
    }
    if (!previous || platform) return;
    within = true;
    previous(type, context, text);
    within = false;
}

} // namespace

void watchWarnings() {
    const QtMessageHandler before = qInstallMessageHandler(count);
    if (before != count) previous = before;
}

int unexpectedWarnings() {
    return warnings;
}

} // namespace kernelarium::test

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

/// Collects what the program warns of, so that a test can fail on it.
class Warnings {
public:
    /// From here on; call it in init(), since QTest::qExec takes over the handler.
    static void watch();
    /// Those since the last call.
    [[nodiscard]] static QStringList take();
};

/// Fails the running test function when something was warned of.
#define VERIFY_NO_WARNINGS()                                                                                           \
    do {                                                                                                               \
        const QStringList warned = Warnings::take();                                                                   \
        QVERIFY2(warned.isEmpty(), qPrintable(warned.join(QLatin1Char('\n'))));                                        \
    } while (false)

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

/// Collects warnings: a test fails on any it did not expect.
class Quiet {
public:
    /// To be called in initTestCase(): Qt Test puts its own handler in place as each class begins.
    static void listen();
    /// Warnings since the last call, without what the offscreen platform says of itself.
    [[nodiscard]] static QList<QString> taken();
};

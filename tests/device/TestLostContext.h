// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Kernels that ruin the context, or never end: the run child says what happened and is started again.
class TestLostContext : public QObject {
    Q_OBJECT

private slots:
    void init();
    void theRunIsLostAndNoMore_data();
    void theRunIsLostAndNoMore();
    void anOddSizeThatCrashesIsARemark_data();
    void anOddSizeThatCrashesIsARemark();
};

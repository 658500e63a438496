// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The one way to have a kernel compiled and verified, with a child that needs no compiler.
class TestKernelClient : public QObject {
    Q_OBJECT

private slots:
    void diagnosticsMayComeEarly();
    void earlyLiesAreLeftOut();
    void verdictsCarryTheirDocument();
    void compileSecondsAreTheCompilersOwn();
    void auditsKeepTheCompilersOwnSeconds();
    void cardsTravelWhole();
    void cardsThatAreNoneAreRefused();
    void childrenOfTheOtherKindRefuse();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestMemoryWatch : public QObject {
    Q_OBJECT
private slots:
    void whatIsReservedIsNotHeld();
    void whatIsHeldIsSeen();
    void aRaisedLimitIsKept();
    void childrenCount();
    void theMachineHasMemory();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// The winner of a measured sweep against the kernel as it stands, with a timer that says what it is told.
class TestConfirmation : public QObject {
    Q_OBJECT

private slots:
    void isKeptAndNotRepeated();
    void anotherWinnerIsConfirmedAgain();
    void saysWhenItDoesNotHold_data();
    void saysWhenItDoesNotHold();
    void whatCannotBeTimedIsTriedAgain();
    void theStartNeedsNone();
    void aStopKeepsNothing();
    void damageIsNamed();
};

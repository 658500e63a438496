// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// An import that does not finish, or meets another, leaves the file as it was.
class TestImportSafety : public QObject {
    Q_OBJECT
private slots:
    void cancelLeavesTheFile();
    void killLeavesTheFile();
    void goesOnAfterAKill_data();
    void goesOnAfterAKill();
    void beginsAgainWhenAnythingChanged_data();
    void beginsAgainWhenAnythingChanged();
    void oneImportAtATime();
    void refusesAnUnreadableSource();
    void equalRowsMakeEqualFiles();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestRemoteTarget : public QObject {
    Q_OBJECT
private slots:
    void verifiesElsewhereAsHere();
    void listsTheDevicesOfTheOtherSide();
    void timingElsewhereSaysWhatIsMissing();
    void oddTargetsAreBadUsage();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestUsage : public QObject {
    Q_OBJECT
private slots:
    void versionAndHelpSucceed();
    void everyCommandHasHelp_data();
    void everyCommandHasHelp();
    void badUsageIsTwo_data();
    void badUsageIsTwo();
    void boundsAreInWords();
    void deviceListNamesWhatIsThere();
    void missingComponentsAreThree_data();
    void missingComponentsAreThree();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Manual pages and completion, held against what the programs print with --help.
class TestManual : public QObject {
    Q_OBJECT
private slots:
    void theHelpIsRead();
    void thePageNamesEverything();
    void thePageNamesEachCommandsDefaults();
    void thePageIsSoundRoff();
    void thePageOfTheWindowNamesItsOptions();
    void everyVariableIsExplained();
    void nothingOfThisMachineIsSaid();
    void bashOffersEverything();
    void bashOffersValuesAndFiles();
    void fishOffersEverything();
    void zshOffersEverything();
    void anUnknownKindIsRefused();
};

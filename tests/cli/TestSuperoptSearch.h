// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestSuperoptSearch : public QObject {
    Q_OBJECT
private slots:
    void findsGraphs();
    void filesAreWrittenAndVerified();
    void goesOnWhereItWasKilled();
    void shardsAreMerged();
    void runsAsAnArray();
    void badInputIsRefused_data();
    void badInputIsRefused();
    void otherStoresAreRefused();
};

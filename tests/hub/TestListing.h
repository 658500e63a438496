// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// What the hub has, and what answers are refused.
class TestListing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void addressesAreTheHubs();
    void listsParquetFilesOfAllPages();
    void refusesBadLists_data();
    void refusesBadLists();
    void saysWhatAStatusMeans_data();
    void saysWhatAStatusMeans();
    void triesABusyHubAgain();
    void nobodyThere();
    void noNameOfAHost_data();
    void noNameOfAHost();
    void noSecureConnection();
    void stops();
};

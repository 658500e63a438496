// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// `archive get` against a hub on this machine.
class TestGetCommand : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void lists();
    void downloadsOnly();
    void importsWhatItDownloads();
    void refusals();
    void goesOnAfterAKill();
};

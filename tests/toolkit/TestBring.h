// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Bringing a toolkit from an index on this machine and from a folder, as it should be and as it breaks.
class TestBring : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void bringsFromAnIndex_data();
    void bringsFromAnIndex();
    void saysWhatItWillBring();
    void bringsFromAFolder();
    void refusesAFolder_data();
    void refusesAFolder();
    void nothingWithoutTheLicence();
    void keepsNoPassword();
    void refusesAnIndex_data();
    void refusesAnIndex();
    void aBadDownloadChangesNothing_data();
    void aBadDownloadChangesNothing();
    void goesOnWhereTheConnectionBroke();
    void goesOnAfterACancel();
    void needsRoom();
    void oneAtATime();
    void replacesTheOneInUse();
    void killedAtAnyMoment();
    void removes();
    void removesWhatAKilledRemovalLeft();
    void leavesFilesOfOthers();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Programs that are run to their end: what they say, how they end, and what ends them.
class TestToolRun : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void bothStreamsAndTheEndAreKnown();
    void theEndIsNamed();
    void largeStreamsPass();
    void aMissingProgramIsNamed();
    void environmentAndFolderAreAsAsked();
    void tooLongEndsIt();
    void tooMuchEndsIt();
    void aStopEndsItsGroup();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class TestHostile : public QObject {
    Q_OBJECT
private slots:
    void endlessLoopsEnd_data();
    void endlessLoopsEnd();
    void aSourceOfFiveMegabytesEnds_data();
    void aSourceOfFiveMegabytesEnds();
    void aKilledRunChildIsNamed();
    void aKilledCompileChildIsNamed();
    void brokenLinesToTheWorkers_data();
    void brokenLinesToTheWorkers();
    void aHugeLineToTheWorkers_data();
    void aHugeLineToTheWorkers();
    void tooMuchMemoryIsSaid();
};

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

/// Archives as they should be, and hostile ones: nothing of these reaches the disk outside of its folder.
class TestWheelFile : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void takesOutWhatIsNeeded();
    void takesLicencesOfTheSameName();
    void refusesHostileArchives_data();
    void refusesHostileArchives();
    void refusesWhatIsNoArchive_data();
    void refusesWhatIsNoArchive();
    void refusesContentThatLies_data();
    void refusesContentThatLies();
    void refusesOtherWheels_data();
    void refusesOtherWheels();
    void stops();
};

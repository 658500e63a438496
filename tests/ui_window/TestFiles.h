// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// What the window does without data, and with files of the user's.
class TestFiles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPanelSaysWhatItWillShow();
    void opensWhatIsDroppedOnIt();
    void recentFilesComeBack();
    void recentArchives();
    void sayingsAndPlacesComeBack();
    void runsAProgramWithItsArguments();
    void takesFiveMegabytes();
};

} // namespace kernelarium::ui

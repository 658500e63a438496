// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Which archive is open is always to be seen, and rows go where one expects.
class TestWhichArchive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhichIsOpen();
    void opensThoseOfLate();
    void droppedRowsJoinTheOpenOne();
    void saysThatTheLastOneIsGone();
    void aKernelOfAnotherArchiveIsNoTrouble();
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Another process takes the tour in the dark theme at 200 % and types at each stage. What it has on the disk, before
/// it does anything else, is what a kill would leave; and it is killed, in the midst of things and at the end.
class TestKept : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void keepsTypedTextAtEveryStage();
    void keepsTypedTextThroughAKill();
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestWork : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void finishesOnce();
    void failsWithItsReason();
    void isCancelledWithoutAReason();
    void hearsOnlyTheNewest();
    void keepsOrForgetsTheFormerAnswer();
    void canBeCancelledByWhoOwnsIt();
    void showsAnAnswerOfElsewhere();
    void forgetsEverything();
    void restsWithItsAnswer();
};

} // namespace kernelarium::ui

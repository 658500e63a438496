// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// What the panels say of a verdict: before there can be one, and after another start of the program.
class TestJudged : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void offersWhatIsMissing();
    void namesWhatCannotBeLoaded();
    void panelsAgreeAfterARestart();
    void sessionVerdictsAreKnown();
};

} // namespace kernelarium::ui

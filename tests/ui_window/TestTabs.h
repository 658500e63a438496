// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Several kernels open at once: each tab keeps its text, its place and what can be undone.
class TestTabs : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void lookingTakesOneTab();
    void eachTabKeepsItsOwn();
    void tabsCloseAndMove();
    void tabsComeBackAtTheNextStart();
    void aSavedTextKeepsItsTab();
    void pagesLookAlike();
};

} // namespace kernelarium::ui

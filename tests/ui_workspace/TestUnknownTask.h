// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// A kernel of an archive whose task has no built-in card, in the window.
class TestUnknownTask : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aCardIsExportedAndTheKernelVerified();
    void aMissingPythonIsSaid();
    void preferencesSayWhatAPythonLacks();
    void preferencesShowTheWholeAnswer();
    void aTaskIsChosenByItsNumber();
    void anArchivedKernelServesAsReference();
};

} // namespace kernelarium::ui

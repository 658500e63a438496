// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// What fingers do in an editor, in the window: places, names, layout.
class TestEditing : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void goesToALineByNumber();
    void definitionsAreFoundByKey();
    void namesAreRenamed();
    void linesActOnlyInTheEditor();
    void formats();
    void formatSaysWhatIsMissing();
};

} // namespace kernelarium::ui

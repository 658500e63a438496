// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The whole loop in the light theme with 151 rows beside the starter kernels, and how busy the window's thread was.
class TestLoop : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void wholeLoopWithImportedRows();
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Compiled kernels that are kept, as the preferences show them.
class TestKeptPage : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsAndClears();
    void settlesTheRoom();
    void saysWhatCannotBeChanged();
};

} // namespace kernelarium::ui

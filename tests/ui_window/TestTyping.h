// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Someone types on while the children are killed and stopped at any moment.
class TestTyping : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingTypedIsLost();
};

} // namespace kernelarium::ui

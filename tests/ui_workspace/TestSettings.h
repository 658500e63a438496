// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class TestSettings : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hasItsDefaults();
    void remembersEveryKind();
    void readsWhatWasStoredBefore();
    void saysWhatChanged();
};

} // namespace kernelarium::ui

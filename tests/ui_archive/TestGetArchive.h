// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// The published archive, from the hub into the window.
class TestGetArchive : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup();
    void bringsAndImports();
    void onlyWhatIsTicked();
    void saysWhyThereIsNoList_data();
    void saysWhyThereIsNoList();
    void escapeKeepsWhatCame();
    void failsInPlace();
};

} // namespace kernelarium::ui

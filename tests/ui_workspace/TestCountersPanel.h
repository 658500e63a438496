// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// From counting to the panel and the editor's margin.
class TestCountersPanel : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatCostsTimeComesFirst();
    void theChosenCounterIsBesideTheSource();
    void heatByCounter();
};

} // namespace kernelarium::ui

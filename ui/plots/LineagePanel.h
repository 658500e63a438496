// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LineagePlot.h"
#include "ui/threads/SerialThread.h"

#include <QWidget>

namespace kernelarium::ui {

class Workspace;

/// The archived kernels of the task on the bench, from the first to the last.
class LineagePanel : public QWidget {
    Q_OBJECT
public:
    LineagePanel(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] LineagePlot& plot() { return *m_plot; }

Q_SIGNALS:
    void compareRequested(qint64 kernel); ///< an archived one with the text on the bench

private:
    void refresh();

    Workspace& m_workspace;
    LineagePlot* m_plot;
    quint64 m_generation = 0;
    SerialThread m_thread;
};

} // namespace kernelarium::ui

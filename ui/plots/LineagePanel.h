// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/LineagePlot.h"
#include "ui/threads/SerialThread.h"

#include <QWidget>

namespace kernelarium::ui {

class ArchiveDesk;
class Assignment;
class Bench;
class Notices;
class PastTrials;
class VerdictDesk;

/// The archived kernels of the task on the bench, from the first to the last.
class LineagePanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        ArchiveDesk& archive;
        PastTrials& past;
        VerdictDesk& verdicts;
        Notices& notices;
    };
    LineagePanel(const Around& around, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] LineagePlot& plot() { return *m_plot; }

Q_SIGNALS:
    void compareRequested(qint64 kernel); ///< an archived one with the text on the bench
    void likeRequested(qint64 kernel);    ///< those that are like an archived one
    void attemptCompareRequested(qint64 attempt);

private:
    void refresh();

    Around m_with;
    LineagePlot* m_plot;
    quint64 m_generation = 0;
    SerialThread m_thread;
};

} // namespace kernelarium::ui

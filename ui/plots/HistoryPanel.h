// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/SessionDesk.h"
#include "ui/plots/HistoryPlot.h"

#include <QWidget>

namespace kernelarium::ui {

class Bench;
class Notices;
class PastTrials;
class SessionDesk;
class Trials;
class VerdictDesk;

/// The times of the kernel on the bench: every attempt at its task, and what the archive says.
class HistoryPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        PastTrials& past;
        SessionDesk& session;
        VerdictDesk& verdicts;
        Notices& notices;
    };
    HistoryPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] HistoryPlot& plot() { return *m_plot; }

Q_SIGNALS:
    void compareRequested(qint64 attempt);
    void samplesRequested(qint64 attempt);

private:
    void refresh();
    void show(const std::vector<session::AttemptSummary>& attempts);
    void askForName(qint64 attempt);

    Around m_with;
    HistoryPlot* m_plot;
};

/// What is written where a number was taken by those who published the archive: a device that no other number shares.
[[nodiscard]] QString publishersDevice();

/// "full", "full, hot": what sets times of one device apart.
[[nodiscard]] QString sizeText(const session::Timing& timing);

} // namespace kernelarium::ui

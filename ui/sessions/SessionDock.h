// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/sessions/SessionPanel.h"

#include <QWidget>

namespace kernelarium::ui {

class HistoryPanel;
class RooflinePanel;
class Bench;
class Notices;
class PastTrials;
class SessionDesk;
class Trials;

/// The session panel with the workspace's session behind it.
class SessionDock : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        PastTrials& past;
        SessionDesk& session;
        Notices& notices;
        QString sweeps; ///< folder of the stores that page Tune keeps
    };
    SessionDock(const Around& around, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] SessionPanel& panel() { return *m_panel; }

    /// One HTML file with everything, the plots as they are shown and the sweeps since the session began included.
    void exportTo(const QString& path, HistoryPanel* history, RooflinePanel* roofline);

Q_SIGNALS:
    void exportRequested(const QString& path);
    void compareRequested(qint64 older, qint64 newer);

private:
    Around m_with;
    SessionPanel* m_panel;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/sessions/SessionPanel.h"

#include <QWidget>

namespace kernelarium::ui {

class HistoryPanel;
class RooflinePanel;
class Workspace;

/// The session panel with the workspace's session behind it.
class SessionDock : public QWidget {
    Q_OBJECT
public:
    SessionDock(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);
    [[nodiscard]] SessionPanel& panel() { return *m_panel; }

    /// One HTML file with everything, the plots as they are shown included.
    void exportTo(const QString& path, HistoryPanel* history, RooflinePanel* roofline);

Q_SIGNALS:
    void exportRequested(const QString& path);
    void compareRequested(qint64 attempt);

private:
    Workspace& m_workspace;
    SessionPanel* m_panel;
};

} // namespace kernelarium::ui

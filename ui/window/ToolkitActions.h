// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class CompileDesk;
class NoticeBar;
class StatusLine;
class ToolkitDesk;

/// Getting the CUDA toolkit: offered where a compilation misses it, its progress in the status line, and compiled anew
/// once it is there.
class ToolkitActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        ToolkitDesk& toolkit;
        CompileDesk& compiler;
    };
    struct Parts {
        Actions& actions;
        NoticeBar& notices;
        StatusLine& status;
    };
    ToolkitActions(const Around& around, const Parts& parts, QWidget& window);

private:
    void get();
    void offer();

    Around m_with;
    Parts m_parts;
    QWidget& m_window;
    bool m_offered = false; ///< once is enough: the diagnostics go on saying it
};

} // namespace kernelarium::ui

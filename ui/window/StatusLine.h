// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>

class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace kernelarium::ui {

class Workspace;

/// The one place where long work shows where it is, and where it is cancelled; and what the compiler says of the text.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    StatusLine(Workspace& workspace, Theme& theme, QWidget* parent = nullptr);

    void setCursor(int line, int column);
    void setTargetMenu(QMenu* menu);
    [[nodiscard]] QToolButton& target() { return *m_target; }
    void setImport(const QString& text, double fraction); ///< empty text: over
    void setAudit(const QString& text, double fraction);  ///< likewise
    [[nodiscard]] QString compileText() const;
    [[nodiscard]] QString workText() const;

Q_SIGNALS:
    void cancelRequested();

private:
    void refresh();
    void refreshWork();
    void refreshCompile();

    Workspace& m_workspace;
    Theme& m_theme;
    QLabel* m_work;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QLabel* m_compile;
    QToolButton* m_target;
    QLabel* m_cursor;
    QString m_importText;
    double m_importFraction = -1;
    QString m_auditText;
    double m_auditFraction = -1;
    QElapsedTimer m_since;
    QTimer m_tick;
    bool m_busy = false;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QElapsedTimer>
#include <QTimer>
#include <QWidget>
#include <map>

class QLabel;
class QMenu;
class QProgressBar;
class QToolButton;

namespace kernelarium::ui {

class Bench;
class CompileDesk;
class DeviceDesk;
class NcuDesk;
class Place;
class RunDesk;
class Standing;
class TimeDesk;
class Trials;

/// The one place where long work shows where it is, and where it is cancelled; and what the compiler says of the text.
class StatusLine : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Place& place;
        Trials& trials;
        Standing& standing;
        CompileDesk& compiler;
        RunDesk& runner;
        TimeDesk& timer;
        DeviceDesk& devices;
        NcuDesk& ncu;
    };
    StatusLine(const Around& around, Theme& theme, QWidget* parent = nullptr);

    void setCursor(int line, int column);
    void setTyping(const QString& state); ///< how keys are taken by the text; empty: as usual
    void setTargetMenu(QMenu* menu);
    [[nodiscard]] QToolButton& target() { return *m_target; }
    /// Rows on their way in or out say what they are and their own time; statistics, an audit and a sweep give way to
    /// everything else.
    enum class Errand { import, exporting, toolkit, tables, statistics, audit, sweep };
    void setErrand(Errand errand, const QString& text, double fraction); ///< empty text: over
    /// It is what the line tells of now, and what its Cancel is about.
    [[nodiscard]] bool shows(Errand which) const;
    [[nodiscard]] QString compileText() const;
    [[nodiscard]] QString workText() const;
    [[nodiscard]] QString standingText() const; ///< how the text on the bench stands
    [[nodiscard]] QString typingText() const;

Q_SIGNALS:
    void cancelRequested();

private:
    void refresh();
    void refreshWork();
    void refreshCompile();
    void refreshStanding();

    Around m_with;
    Theme& m_theme;
    QLabel* m_work;
    QProgressBar* m_progress;
    QToolButton* m_cancel;
    QLabel* m_compile;
    QLabel* m_standing;
    QToolButton* m_target;
    QLabel* m_typing;
    QLabel* m_cursor;
    struct Told {
        QString text;
        double fraction = -1;
    };
    [[nodiscard]] const Told* errand() const; ///< the one to be shown now; null: none
    std::map<Errand, Told> m_errands;
    QElapsedTimer m_since;
    QTimer m_tick;
    bool m_busy = false;
};

} // namespace kernelarium::ui

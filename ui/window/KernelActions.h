// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class EditorArea;
class RunningWork;
class Theme;
class ArchiveDesk;
class Assignment;
class Bench;
class NcuDesk;
class Place;
class RunDesk;
class Settings;
class TidyDesk;
class Trials;

/// The actions on the kernel on the bench: what it is held against, its runs, and its text against the original.
class KernelActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Assignment& assignment;
        Place& place;
        Trials& trials;
        ArchiveDesk& archive;
        TidyDesk& tidy;
        NcuDesk& ncu;
        Settings& settings;
        RunDesk& runner;
    };
    struct Parts {
        Actions& actions;
        Docks& docks;
        EditorArea& editor;
        RunningWork& work;
    };
    KernelActions(const Around& around, Theme& theme, const Parts& parts, QWidget& window);

private:
    void addRuns();
    void addSetup();
    void addText();
    void setUpKernel();
    [[nodiscard]] QString noKernel() const;

    Around m_with;
    Theme& m_theme;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui

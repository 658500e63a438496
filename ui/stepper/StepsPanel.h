// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/StepDesk.h"
#include "ui/stepper/StepWalk.h"
#include "ui/theme/Theme.h"

#include <QWidget>

class QAbstractItemModel;
class QLabel;
class QStackedWidget;
class QTableView;

namespace kernelarium::ui {

class AccessModel;
class EmptyState;
class LaneStrip;
class RegisterModel;
class SharedModel;
class StepControls;
class StepTargetBar;
class Bench;
class StepDesk;
class Trials;

/// Walks through what one block of one launch did: lanes, registers, memory, forth and back.
class StepsPanel : public QWidget {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        StepDesk& stepper;
    };
    StepsPanel(const Around& around, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] StepWalk& walk() { return m_walk; }
    [[nodiscard]] StepTargetBar& targetBar() { return *m_bar; }
    [[nodiscard]] StepControls& controls() { return *m_controls; }
    [[nodiscard]] LaneStrip& lanes() { return *m_lanes; }
    [[nodiscard]] QTableView& registers() { return *m_registerView; }
    [[nodiscard]] QTableView& sharedMemory() { return *m_sharedView; }
    [[nodiscard]] QTableView& accesses() { return *m_accessView; }
    [[nodiscard]] bool isShowingSteps() const;
    [[nodiscard]] QString notice() const; ///< what stands over the steps, or on the empty page

private:
    void build();
    QWidget* stepsPage();
    static QTableView* table(QAbstractItemModel* model, const QString& name);
    void takeRecording();
    void refresh();
    void refreshStep();
    void record();

    Around m_with;
    Theme& m_theme;
    StepWalk m_walk;
    RegisterModel* m_registers;
    SharedModel* m_shared;
    AccessModel* m_accesses;
    StepTargetBar* m_bar;
    StepControls* m_controls;
    LaneStrip* m_lanes;
    QTableView* m_registerView;
    QTableView* m_sharedView;
    QTableView* m_accessView;
    QLabel* m_notice;
    QLabel* m_instruction;
    QLabel* m_memory;
    EmptyState* m_empty;
    QStackedWidget* m_pages;
};

} // namespace kernelarium::ui

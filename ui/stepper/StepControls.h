// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stepper/StepWalk.h"
#include "ui/theme/Theme.h"

#include <QHash>
#include <QWidget>

class QComboBox;
class QLabel;
class QSlider;
class QToolButton;

namespace kernelarium::ui {

/// The timeline of a recording: a slider over its steps and a button for each way to go.
class StepControls : public QWidget {
    Q_OBJECT
public:
    StepControls(StepWalk& walk, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QToolButton& button(StepWalk::Move move) { return *m_buttons.value(int(move)); }
    [[nodiscard]] QSlider& slider() { return *m_slider; }
    /// What the buttons are called and do, for menus as well.
    struct Words {
        StepWalk::Move move;
        const char* name; ///< of the window's action: "step.forth"
        QString text;
        QString tip;
        const char* icon;
        int key;
    };
    [[nodiscard]] static const std::vector<Words>& words();

private:
    void refresh();
    void refreshRange();
    void refreshIcons();

    StepWalk& m_walk;
    Theme& m_theme;
    QHash<int, QToolButton*> m_buttons;
    QSlider* m_slider;
    QLabel* m_place;
    QComboBox* m_format;
};

} // namespace kernelarium::ui

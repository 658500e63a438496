// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/LaboratoryDesk.h"

#include <QWidget>

class QAction;
class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QProgressBar;
class QPushButton;
class QToolButton;

namespace kernelarium::ui {

class Theme;

/// What the laboratory is to measure, the button that starts and cancels it, and how far it is.
class LaboratoryBar : public QWidget {
    Q_OBJECT
public:
    explicit LaboratoryBar(Theme& theme, QWidget* parent = nullptr);

    /// Why nothing can be measured now, a sentence; empty when it can.
    void setObstacle(const QString& obstacle);
    void setState(const LaboratoryState& state);
    /// Shapes that the field's menu offers: those of the recorded table.
    void setKnownShapes(const std::vector<hgemm::Shape>& shapes);

    [[nodiscard]] hgemm::Mode mode() const;
    /// Without the table to choose from. Error "bad_input": what is in the field is no shape.
    [[nodiscard]] Result<LaboratoryJob> job() const;

    [[nodiscard]] QLineEdit& shapes() { return *m_shapes; }
    [[nodiscard]] QComboBox& modeBox() { return *m_mode; }
    [[nodiscard]] QComboBox& layoutBox() { return *m_layout; }
    [[nodiscard]] QComboBox& sumsBox() { return *m_sums; }
    [[nodiscard]] QToolButton& baselines() { return *m_baselines; }
    [[nodiscard]] QCheckBox& energy() { return *m_energy; }
    [[nodiscard]] QCheckBox& search() { return *m_search; }
    [[nodiscard]] QPushButton& startButton() { return *m_start; }
    [[nodiscard]] QString progressText() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void startRequested();
    void cancelRequested();
    void modeChanged();
    void stateChanged();

private:
    void build(Theme& theme);
    void fillBoxes();
    void refresh();

    QLineEdit* m_shapes;
    QToolButton* m_known;
    QComboBox* m_mode;
    QComboBox* m_layout;
    QComboBox* m_sums;
    QToolButton* m_baselines;
    QCheckBox* m_energy;
    QCheckBox* m_search;
    QPushButton* m_start;
    QProgressBar* m_bar;
    QLabel* m_progress;
    QList<QAction*> m_libraries;
    QString m_obstacle;
    bool m_running = false;
};

} // namespace kernelarium::ui

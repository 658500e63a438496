// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tuning/TuneDesk.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace kernelarium::ui {

class ClusterBar;
class SizesBar;
class StopQuestion;
class Theme;

/// How a sweep goes about it, the buttons that start, pause and stop it, and how far it is.
class TuneBar : public QWidget {
    Q_OBJECT
public:
    explicit TuneBar(Theme& theme, QWidget* parent = nullptr);

    /// Why it cannot be started now; empty when it can.
    void setObstacle(const QString& obstacle);
    /// `known`: points of earlier sweeps, so that a start goes on. `hasArray`: a start watches an array of jobs again.
    void setState(const TuneState& state, std::size_t known, bool hasArray = false);
    /// A point is the best; another start would look at nothing.
    void setFound(bool best, bool nothingLeft);
    void setProgressText(const QString& text);

    [[nodiscard]] TuneOrder order() const;
    void setOrder(const std::string& strategy, std::uint64_t seed);
    [[nodiscard]] protocol::PointSettings::Verify verify() const;

    [[nodiscard]] QComboBox& strategyBox() { return *m_strategy; }
    [[nodiscard]] QSpinBox& budgetBox() { return *m_budget; }
    [[nodiscard]] QComboBox& budgetUnit() { return *m_unit; }
    [[nodiscard]] QSpinBox& jobsBox() { return *m_jobs; }
    [[nodiscard]] QComboBox& verifyBox() { return *m_verify; }
    [[nodiscard]] QPushButton& startButton() { return *m_start; }
    [[nodiscard]] QPushButton& stopButton() { return *m_stop; }
    [[nodiscard]] QPushButton& bestButton() { return *m_openBest; }
    [[nodiscard]] SizesBar& sizes() { return *m_sizes; }
    [[nodiscard]] ClusterBar& cluster() { return *m_cluster; }
    [[nodiscard]] StopQuestion& stopQuestion() { return *m_question; }
    [[nodiscard]] QString progressText() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void startRequested();
    void pauseRequested(); ///< or to go on
    void stopRequested();
    void bestRequested();
    void verifyChanged();
    void stateChanged();

private:
    enum class Unit { points, minutes, none };
    void fillStrategies();
    void build(Theme& theme);
    void refreshUnit();
    void refreshButtons();

    QComboBox* m_strategy;
    QSpinBox* m_budget;
    QComboBox* m_unit;
    QSpinBox* m_seed;
    QSpinBox* m_jobs;
    QComboBox* m_verify;
    QPushButton* m_openBest;
    QPushButton* m_start;
    QPushButton* m_stop;
    SizesBar* m_sizes;
    ClusterBar* m_cluster;
    StopQuestion* m_question;
    QProgressBar* m_bar;
    QLabel* m_progress;
    QString m_obstacle;
    bool m_running = false;
    bool m_isArray = false; ///< what runs
    bool m_hasArray = false;
    bool m_cancelling = false;
    bool m_paused = false;
    bool m_goesOn = false;
    bool m_nothingLeft = false;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/tuning/ArrayRun.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace kernelarium::ui {

class Theme;

/// Where a sweep runs: on this machine, or as an array of jobs of a cluster, of how many tasks and with which options.
/// Seen where there is a cluster's program to submit with.
class ClusterBar : public QWidget {
    Q_OBJECT
public:
    explicit ClusterBar(Theme& theme, QWidget* parent = nullptr);

    void setFound(bool slurm); ///< its programs are here
    void setRunning(bool running);

    [[nodiscard]] bool wantsArray() const;
    [[nodiscard]] ArrayOrder order() const; ///< without a budget
    /// Why no array can be submitted: what is wrong with the options. Empty where none is wanted.
    [[nodiscard]] QString obstacle() const;

    [[nodiscard]] QComboBox& whereBox() { return *m_where; }
    [[nodiscard]] QSpinBox& tasksBox() { return *m_tasks; }
    [[nodiscard]] QLineEdit& optionsField() { return *m_options; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void stateChanged();

private:
    void refresh();

    QComboBox* m_where;
    QSpinBox* m_tasks;
    QLineEdit* m_options;
    QLabel* m_problem;
    bool m_found = false;
    bool m_running = false;
};

} // namespace kernelarium::ui

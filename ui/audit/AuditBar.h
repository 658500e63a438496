// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/audit/AuditDesk.h"

#include <QWidget>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QSpinBox;

namespace kernelarium::ui {

class Theme;

/// What an audit is to cover and how, the button that starts and pauses it, and how far it is.
class AuditBar : public QWidget {
    Q_OBJECT
public:
    explicit AuditBar(Theme& theme, QWidget* parent = nullptr);

    void setKernels(std::int64_t all, std::int64_t shown);
    void setState(const AuditState& state);

    [[nodiscard]] bool onlyShown() const;
    void setOnlyShown(bool only);
    [[nodiscard]] unsigned jobs() const;
    [[nodiscard]] audit::PlanOptions plan() const;

    [[nodiscard]] QPushButton& button() { return *m_button; }
    [[nodiscard]] QComboBox& scope() { return *m_scope; }
    [[nodiscard]] QSpinBox& jobsBox() { return *m_jobs; }
    [[nodiscard]] QString progressText() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void startRequested();
    void pauseRequested();
    void stateChanged();

private:
    void refreshButton();

    QComboBox* m_scope;
    QSpinBox* m_jobs;
    QDoubleSpinBox* m_limit;
    QCheckBox* m_again;
    QPushButton* m_button;
    QProgressBar* m_bar;
    QLabel* m_progress;
    std::int64_t m_all = 0;
    std::int64_t m_shown = 0;
    bool m_running = false;
    bool m_paused = false;
};

/// "37 of 151, 0.6 kernels/s, 3 min left"
[[nodiscard]] QString auditProgressText(const AuditState& state);

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "ui/threads/SerialThread.h"

#include <QWidget>
#include <optional>

class QCheckBox;
class QComboBox;
class QLabel;
class QPushButton;

namespace kernelarium::perf {
struct DeviceSpec;
}

namespace kernelarium::ui {

class Theme;

/// What is explained: a task, one of its sizes, a device; how far the search is, and its end.
class SuperoptBar : public QWidget {
    Q_OBJECT
public:
    explicit SuperoptBar(Theme& theme, QWidget* parent = nullptr);

    /// The chosen one; none: the task of the kernel on the bench.
    [[nodiscard]] std::optional<task::TaskKey> task() const;
    [[nodiscard]] const std::string& size() const { return m_size; } ///< that the user wants, where the card has it
    /// The chosen one; none: the target's.
    [[nodiscard]] const perf::DeviceSpec* device() const;
    [[nodiscard]] bool anyInputs() const;

    /// What the choices that follow the window stand for now: "1/12" (empty: none), "NVIDIA H200".
    void setFollowed(const QString& task, const QString& device);
    /// The sizes of the card that is shown, and which of them.
    void setSizes(const task::Card& card, const std::string& shown);
    void setProgress(bool busy, const QString& step);

    [[nodiscard]] QComboBox& tasks() { return *m_tasks; }
    [[nodiscard]] QComboBox& sizes() { return *m_sizes; }
    [[nodiscard]] QComboBox& devices() { return *m_devices; }
    [[nodiscard]] QCheckBox& anyInputsBox() { return *m_anyInputs; }
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] QString progressText() const;

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void changed(); ///< by the user, or restored
    void cancelRequested();

private:
    void fill();
    void nameTasks(const QStringList& names);

    QComboBox* m_tasks;
    QComboBox* m_sizes;
    QComboBox* m_devices;
    QCheckBox* m_anyInputs;
    QPushButton* m_cancel;
    QLabel* m_progress;
    std::string m_size = "full";
    SerialThread m_namer;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/workspace/Kernel.h"

#include <QDialog>

class QComboBox;
class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QPlainTextEdit;
class QRadioButton;

namespace kernelarium::ui {

/// What a kernel of one's own is held against: a task's card, another kernel, or just arguments to run it with.
class KernelSetupDialog : public QDialog {
    Q_OBJECT
public:
    KernelSetupDialog(const Kernel& kernel, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<task::TaskKey> task() const;
    [[nodiscard]] QString referencePath() const; ///< empty: the task's card, or none
    [[nodiscard]] QStringList arguments() const;

private:
    void refresh();

    QRadioButton* m_byTask;
    QRadioButton* m_byArguments;
    QComboBox* m_task;
    QPlainTextEdit* m_arguments;
    QLineEdit* m_reference;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
};

} // namespace kernelarium::ui

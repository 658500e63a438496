// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "ui/desks/Kernel.h"
#include "ui/theme/Theme.h"
#include "ui/threads/SerialThread.h"

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
    /// Offers the archive's kernels of the same task as references, those it says are right first.
    void offerArchived(const archive::KernelTable& table);
    [[nodiscard]] bool isReferenceKept() const;   ///< the kernel's reference as it was
    [[nodiscard]] QString referenceLabel() const; ///< of an archived kernel; empty: none of the archive
    [[nodiscard]] QString referencePath() const;  ///< of a file; empty: the task's card, or none
    [[nodiscard]] QStringList arguments() const;
    [[nodiscard]] QString compilerOptions() const; ///< one line, as it is written back (core/text/CompilerSettings.h)
    [[nodiscard]] QString function() const;        ///< of the module; empty: forward, or the only one
    /// Those that the module was seen to have: with several, one can be chosen.
    /// The kernel is a program with a main of its own: its arguments are plain words, and it has no task.
    void takeProgram();
    [[nodiscard]] bool isOfProgram() const { return m_isProgram; }
    /// Fills in what the text's function could be called with, where nothing is chosen yet; the shapes are the user's.
    void offerArguments(const QString& source);
    void offerFunctions(const QStringList& functions);
    [[nodiscard]] const QLabel& problem() const { return *m_problem; }

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeRoom();
    void refresh();
    void nameTasks(const QStringList& names);

    QRadioButton* m_byTask;
    QRadioButton* m_byArguments;
    QComboBox* m_task;
    QPlainTextEdit* m_arguments;
    QLabel* m_referenceCaption;
    QWidget* m_referenceRow;
    QComboBox* m_reference; ///< a path typed or chosen, or one of the archive's labels
    QLineEdit* m_compilerOptions;
    QComboBox* m_function;
    QLabel* m_functionCaption;
    std::optional<archive::KernelSummary> m_row;
    QString m_referenceName; ///< as it was
    bool m_isProgram = false;
    QLabel* m_problem;
    QDialogButtonBox* m_buttons;
    SerialThread m_thread; ///< ends first
};

} // namespace kernelarium::ui

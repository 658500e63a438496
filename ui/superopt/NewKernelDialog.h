// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/NewKernelDesk.h"

#include <QDialog>
#include <QStringListModel>

class QDialogButtonBox;
class QLabel;
class QLineEdit;
class QListView;
class QProgressBar;
class QPushButton;
class QRadioButton;
class QSortFilterProxyModel;

namespace kernelarium::ui {

/// Which task a new kernel is written for, and in which form. It stays until the kernel is written: a refusal is shown
/// in it, and Cancel (Escape) ends first the writing, then the dialog.
class NewKernelDialog : public QDialog {
    Q_OBJECT
public:
    /// `chosen`: the task that the list begins with.
    NewKernelDialog(NewKernelDesk& desk, std::optional<task::TaskKey> chosen, QWidget* parent = nullptr);

    [[nodiscard]] std::optional<task::TaskKey> task() const; ///< none: there is none, or a card was named
    [[nodiscard]] QLineEdit& search() { return *m_search; }
    [[nodiscard]] QListView& tasks() { return *m_tasks; }
    [[nodiscard]] QLineEdit& cardPath() { return *m_cardPath; }
    [[nodiscard]] QRadioButton& byTask() { return *m_byTask; }
    [[nodiscard]] QRadioButton& byCard() { return *m_byCard; }
    [[nodiscard]] QRadioButton& naive() { return *m_naive; }
    [[nodiscard]] QRadioButton& fused() { return *m_fused; }
    [[nodiscard]] QPushButton& create() { return *m_create; }
    [[nodiscard]] QString problem() const;

    void reject() override;

Q_SIGNALS:
    void written(const NewKernelPointer& kernel); ///< and the dialog closes

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void build();
    void fill(std::optional<task::TaskKey> chosen);
    void nameTasks(const QStringList& names);
    void filter();
    void chooseCard();
    [[nodiscard]] NewKernelQuestion question() const;
    void refresh();
    void begin();
    void hear();

    NewKernelDesk& m_desk;
    QRadioButton* m_byTask;
    QRadioButton* m_byCard;
    QLineEdit* m_search;
    QListView* m_tasks;
    QLineEdit* m_cardPath;
    QPushButton* m_choose;
    QRadioButton* m_naive;
    QRadioButton* m_fused;
    QProgressBar* m_progress;
    QLabel* m_said; ///< the step, or why not
    QDialogButtonBox* m_buttons;
    QPushButton* m_create;
    QStringListModel m_names;
    QSortFilterProxyModel* m_shown;
    std::vector<task::TaskKey> m_keys;        ///< of the names
    std::optional<NewKernelQuestion> m_asked; ///< what the desk says is of this question; none: not of this dialog's
    SerialThread m_namer;                     ///< ends first
};

} // namespace kernelarium::ui

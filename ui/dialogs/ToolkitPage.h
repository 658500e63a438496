// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/ToolkitDesk.h"

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;
class QTreeWidget;

namespace kernelarium::ui {

/// The CUDA toolkits that were found and what each is used for, in the words of `kernelarium-cli toolkit show`; and
/// getting one, with its progress.
class ToolkitPage : public QWidget {
    Q_OBJECT
public:
    explicit ToolkitPage(ToolkitDesk& desk, QWidget* parent = nullptr);

    [[nodiscard]] QTreeWidget& list() { return *m_list; }
    [[nodiscard]] QString finding() const; ///< what is missing, or how it ended
    [[nodiscard]] QPushButton& get() { return *m_get; }
    [[nodiscard]] QPushButton& remove() { return *m_remove; }
    [[nodiscard]] QPushButton& cancel() { return *m_cancel; }

private:
    void build();
    void refresh();
    void refreshProgress();

    ToolkitDesk& m_desk;
    QTreeWidget* m_list;
    QLabel* m_finding;
    QProgressBar* m_progress;
    QPushButton* m_get;
    QPushButton* m_remove;
    QPushButton* m_cancel;
    QString m_end; ///< of the last work, until the next
};

} // namespace kernelarium::ui

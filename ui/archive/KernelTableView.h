// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QTableView>

namespace kernelarium::ui {

class KernelTableModel;

/// The table of kernels: typing goes to the next name that begins so, Right and Left unfold and fold kernels with the
/// same code, the columns are chosen in the header's menu, and what is selected can be copied.
class KernelTableView : public QTableView {
    Q_OBJECT
public:
    KernelTableView(KernelTableModel& model, Theme& theme, QWidget* parent = nullptr);

    void keyboardSearch(const QString& search) override;
    /// The selected rows from top to bottom; the current one where none is.
    [[nodiscard]] QList<int> chosenRows() const;
    /// Whether the row that becomes the current one is one more of several (Shift, Control): nobody means to open it.
    [[nodiscard]] bool isChoosingSeveral() const { return m_choosingSeveral; }
    /// The chosen rows' columns as they are shown, tabs between them, below a line with their names.
    [[nodiscard]] QString chosenText() const;
    void copyChosen() const;
    void restoreHeader(const QByteArray& state);
    [[nodiscard]] QByteArray saveHeader() const;

Q_SIGNALS:
    void columnsChanged();
    void filterRequested(int column); ///< in the header's menu

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    QItemSelectionModel::SelectionFlags selectionCommand(const QModelIndex& index, const QEvent* event) const override;

private:
    void showHeaderMenu(const QPoint& position);
    void showAtFirst();
    void fitName();

    KernelTableModel& m_kernels;
    bool m_fitting = false;
    bool m_nameIsTheUsers = false; ///< its width: it takes the room that is left otherwise
    mutable bool m_choosingSeveral =
        false; ///< as of the last command, which is asked for before the current row changes
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "ui/statistics/FigureModel.h"

#include <QTableView>

class QMenu;

namespace kernelarium::ui {

/// A FigureTable on the screen: sorted by its headers, its numbers lead to their kernels by click or Return, what is
/// selected is copied, all of it saved as CSV.
class FigureView : public QTableView {
    Q_OBJECT
public:
    explicit FigureView(Theme& theme, QWidget* parent = nullptr);

    /// Keeps the sorting and the reader's column widths where the columns are the same.
    void setTable(FigureTable table);
    /// What is said in place of rows where there are none.
    void setEmptyText(const QString& text);
    [[nodiscard]] FigureModel& figures() const { return *m_model; }
    /// The row of the table behind a row of the view.
    [[nodiscard]] const FigureRow& rowAt(int viewRow) const;
    /// To a .csv file, in the order shown. Error "bad_input", "cannot_write".
    [[nodiscard]] Result<void> saveTo(const QString& path) const;

public Q_SLOTS:
    void chooseFile();
    void copySelected();

Q_SIGNALS:
    void drilled(const DrillPointer& drill);
    void kernelRequested(qint64 id); ///< a row about a kernel was activated
    void keyRequested(qint64 key);   ///< a row about something else was activated
    void rowEntered(int viewRow);    ///< the current row; -1: none
    void failed(const QString& message);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void follow(const QModelIndex& index);
    void request(const QModelIndex& index);
    [[nodiscard]] FigureTable inOrder() const;

    FigureModel* m_model;
    FigureOrder* m_order;
    Theme& m_theme;
    QString m_emptyText;
};

} // namespace kernelarium::ui

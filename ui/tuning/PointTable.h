// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QTableView>

namespace kernelarium::ui {

class FilterHeader;
class PointFilter;
class PointModel;

/// The points of a sweep: sorted by a click on a title, narrowed by the field below it. Return opens a point, Control+C
/// copies its key.
class PointTable : public QTableView {
    Q_OBJECT
public:
    PointTable(PointModel& model, PointFilter& filter, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] FilterHeader& filters() const { return *m_header; }
    /// Makes a row of the model the current one, where it is shown.
    void goTo(int modelRow);
    [[nodiscard]] int currentRow() const; ///< of the model; -1: none
    void setEmptyText(const QString& text);

public Q_SLOTS:
    void copyKey();
    void copyRow();

Q_SIGNALS:
    void openRequested(int modelRow);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void fitColumns();
    void open(const QModelIndex& index);

    PointModel& m_model;
    PointFilter& m_filter;
    Theme& m_theme;
    FilterHeader* m_header;
    QString m_emptyText;
};

} // namespace kernelarium::ui

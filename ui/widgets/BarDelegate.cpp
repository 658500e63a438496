// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/BarDelegate.h"

#include <QApplication>
#include <QStyle>
#include <QWidget>

namespace kernelarium::ui {

namespace {
constexpr int barHeight = 2, belowBar = 4;
} // namespace

void BarDelegate::paintNumber(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle* style = option.widget ? option.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, option.widget); // to the cell's end
    QStyleOptionViewItem number = option;
    number.rect.adjust(0, 0, 0, -(barHeight + 2));
    QStyledItemDelegate::paint(painter, number, index);
}

QRectF BarDelegate::barIn(const QStyleOptionViewItem& option) {
    const QRectF cell(option.rect);
    return {cell.left() + 8, cell.bottom() - belowBar - barHeight + 1, cell.width() - 16, barHeight};
}

} // namespace kernelarium::ui

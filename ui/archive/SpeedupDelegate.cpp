// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/SpeedupDelegate.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

SpeedupDelegate::SpeedupDelegate(const Theme& theme, int numberRole, QObject* parent)
    : QStyledItemDelegate(parent)
    , m_theme(theme)
    , m_numberRole(numberRole) {}

void SpeedupDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QStyleOptionViewItem above = option; // the number a little higher, so that the bar is its own and not the next row's
    QStyledItemDelegate::paint(painter, above, index);
    const double ratio = index.data(m_numberRole).toDouble();
    if (!(ratio > 0)) return;
    constexpr double full = 4; // log2 of 16x
    const double share = std::clamp(std::log2(ratio) / full, -1.0, 1.0);
    const QRectF cell = QRectF(option.rect).adjusted(8, 0, -8, -2);
    const double middle = cell.center().x(), half = cell.width() / 2;
    const double end = middle + share * half;
    const Palette& p = m_theme.colours();
    painter->save();
    painter->setPen(Qt::NoPen);
    painter->setBrush(p.grid);
    painter->drawRect(QRectF(cell.left(), cell.bottom() - 2, cell.width(), 2));
    painter->setBrush(share >= 0 ? p.accent : p.suspicious);
    painter->setOpacity(0.85);
    painter->drawRect(QRectF(std::min(middle, end), cell.bottom() - 2, std::fabs(end - middle), 2));
    painter->setOpacity(1);
    painter->setBrush(p.muted);
    painter->drawRect(QRectF(middle - 0.5, cell.bottom() - 4, 1, 4));
    painter->restore();
}

} // namespace kernelarium::ui

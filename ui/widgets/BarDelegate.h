// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStyledItemDelegate>

namespace kernelarium::ui {

/// A number with a thin bar close under it, which says as a length what the number says.
class BarDelegate : public QStyledItemDelegate {
    Q_OBJECT
public:
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    /// The cell without its bar: a little higher than other cells, so that the bar is seen to be the number's own and
    /// not the next row's.
    void paintNumber(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const;
    /// Where the bar is.
    [[nodiscard]] static QRectF barIn(const QStyleOptionViewItem& option);
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/WrapLayout.h"

#include <QStyle>
#include <QWidget>
#include <algorithm>

namespace kernelarium::ui {

namespace {

bool wantsToGrow(const QLayoutItem& item) {
    return item.expandingDirections().testFlag(Qt::Horizontal);
}

/// What it takes of a row: those that want to grow begin with the least.
int widthOf(const QLayoutItem& item) {
    return wantsToGrow(item) ? item.minimumSize().width() : item.sizeHint().width();
}

int heightOf(const std::vector<QLayoutItem*>& row) {
    int height = 0;
    for (const QLayoutItem* item : row)
        height = std::max(height, item->sizeHint().height());
    return height;
}

} // namespace

WrapLayout::WrapLayout(QWidget* parent, int spacing)
    : QLayout(parent) {
    setSpacing(spacing);
}

WrapLayout::~WrapLayout() = default;

void WrapLayout::addItem(QLayoutItem* item) {
    m_items.emplace_back(item);
}

QLayoutItem* WrapLayout::itemAt(int index) const {
    return index >= 0 && index < count() ? m_items[std::size_t(index)].get() : nullptr;
}

QLayoutItem* WrapLayout::takeAt(int index) {
    if (index < 0 || index >= count()) return nullptr;
    QLayoutItem* item = m_items[std::size_t(index)].release();
    m_items.erase(m_items.begin() + index);
    return item;
}

std::vector<WrapLayout::Row> WrapLayout::rows(int width) const {
    std::vector<Row> rows;
    int taken = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty()) continue;
        const int wide = widthOf(*item);
        if (rows.empty() || taken + spacing() + wide > width) {
            rows.emplace_back();
            taken = wide;
        } else {
            taken += spacing() + wide;
        }
        rows.back().push_back(item.get());
    }
    return rows;
}

int WrapLayout::heightForWidth(int width) const {
    const QMargins margins = contentsMargins();
    int height = margins.top() + margins.bottom();
    bool first = true;
    for (const Row& row : rows(width - margins.left() - margins.right())) {
        height += heightOf(row) + (first ? 0 : spacing());
        first = false;
    }
    return height;
}

QSize WrapLayout::sizeHint() const {
    const QMargins margins = contentsMargins();
    int width = 0, height = 0;
    for (const auto& item : m_items) {
        if (item->isEmpty()) continue;
        width += item->sizeHint().width() + (width > 0 ? spacing() : 0);
        height = std::max(height, item->sizeHint().height());
    }
    return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

QSize WrapLayout::minimumSize() const {
    const QMargins margins = contentsMargins();
    QSize least;
    for (const auto& item : m_items)
        if (!item->isEmpty()) least = least.expandedTo({widthOf(*item), item->sizeHint().height()});
    return least.grownBy(margins);
}

void WrapLayout::setGeometry(const QRect& rect) {
    QLayout::setGeometry(rect);
    const QRect inside = rect.marginsRemoved(contentsMargins());
    int y = inside.top();
    for (const Row& row : rows(inside.width())) {
        int left = inside.width() - int(row.size() - 1) * spacing();
        int growing = 0;
        for (const QLayoutItem* item : row) {
            left -= widthOf(*item);
            growing += wantsToGrow(*item) ? 1 : 0;
        }
        const int height = heightOf(row);
        int x = inside.left();
        for (QLayoutItem* item : row) {
            int width = std::min(widthOf(*item), inside.width());
            if (wantsToGrow(*item) && left > 0) {
                const int more = left / growing;
                width += more;
                left -= more;
                --growing;
            }
            const int tall = std::min(height, std::max(item->sizeHint().height(), item->minimumSize().height()));
            const QRect place(x, y + (height - tall) / 2, width, tall);
            item->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), inside, place));
            x += width + spacing();
        }
        y += height + spacing();
    }
}

} // namespace kernelarium::ui

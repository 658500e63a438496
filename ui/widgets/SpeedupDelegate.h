// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/widgets/BarDelegate.h"

namespace kernelarium::ui {

/// A number with a thin bar under it: to the right of the middle for faster than 1x, to the left for slower,
/// logarithmic, full at 16x and 1/16x.
class SpeedupDelegate : public BarDelegate {
    Q_OBJECT
public:
    SpeedupDelegate(const Theme& theme, int numberRole, QObject* parent = nullptr);

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;

private:
    const Theme& m_theme;
    int m_numberRole;
};

} // namespace kernelarium::ui

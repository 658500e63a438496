// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QFrame>

class QScrollArea;

namespace kernelarium::ui {

/// What can be typed into the search field, on one small sheet; a click or a key puts it away. Where the screen has too
/// little room for it, it scrolls.
class SearchHelp : public QFrame {
    Q_OBJECT
public:
    explicit SearchHelp(const Theme& theme, QWidget* parent);
    void showBelow(const QWidget& anchor);
    [[nodiscard]] static QString sheet(); ///< as HTML

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    QScrollArea* m_area;
};

} // namespace kernelarium::ui

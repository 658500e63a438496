// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace kernelarium::ui {

/// One line on what happened, in place instead of a box in the way. A problem stays until it is closed or replaced.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(Theme& theme, QWidget* parent = nullptr);

    void show(const QString& text, bool isProblem);
    void dismiss();
    [[nodiscard]] QString text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Theme& m_theme;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_copy;
    QToolButton* m_close;
    bool m_problem = false;
};

} // namespace kernelarium::ui

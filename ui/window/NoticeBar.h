// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>
#include <functional>

class QLabel;
class QToolButton;

namespace kernelarium::ui {

/// One line on what happened, in place instead of a box in the way. A problem stays until it is closed or replaced.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(Theme& theme, QWidget* parent = nullptr);

    void show(const QString& text, bool isProblem);
    /// What can be done about it is one button more, which closes the line.
    void offer(const QString& text, const QString& action, const QString& tip, std::function<void()> act);
    void dismiss();
    [[nodiscard]] QString text() const;
    [[nodiscard]] QToolButton& action() { return *m_action; } ///< hidden where nothing is offered

Q_SIGNALS:
    void closed(const QString& text); ///< by the user, who has read this

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintIcon();

    Theme& m_theme;
    QLabel* m_icon;
    QLabel* m_text;
    QToolButton* m_action;
    QToolButton* m_copy;
    QToolButton* m_close;
    std::function<void()> m_act;
    bool m_problem = false;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QWidget>
#include <functional>
#include <vector>

class QLabel;
class QToolButton;

namespace kernelarium::ui {

/// One line on what happened, in place instead of a box in the way. The newest is seen; what is closed shows the one
/// below it. A newer message replaces one that is no problem, and settle() takes away what was about the past.
class NoticeBar : public QWidget {
    Q_OBJECT
public:
    explicit NoticeBar(Theme& theme, QWidget* parent = nullptr);

    /// `lasts`: until it is closed, whatever is done meanwhile.
    void show(const QString& text, bool isProblem, bool lasts = false);
    /// What can be done about it is one button more, which closes the line.
    void offer(const QString& text, const QString& action, const QString& tip, std::function<void()> act);
    void settle();                      ///< something new is being done: only what lasts stays
    void settleNews();                  ///< the reader has gone on: problems stay
    void dismiss();                     ///< all
    [[nodiscard]] QString text() const; ///< of the one that is seen
    [[nodiscard]] int count() const { return int(m_notices.size()); }
    [[nodiscard]] QToolButton& action() { return *m_action; } ///< hidden where nothing is offered

Q_SIGNALS:
    void closed(const QString& text); ///< by the user, who has read this

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Notice {
        QString text;
        bool isProblem = false;
        bool lasts = false;
        QString action;
        QString tip;
        std::function<void()> act;
    };
    void push(Notice notice);
    void showLast();
    void paintIcon();
    [[nodiscard]] bool isProblem() const { return !m_notices.empty() && m_notices.back().isProblem; }

    Theme& m_theme;
    QLabel* m_icon;
    QLabel* m_text;
    QLabel* m_more; ///< how many are below
    QToolButton* m_action;
    QToolButton* m_copy;
    QToolButton* m_close;
    std::vector<Notice> m_notices; ///< the last one is seen
};

} // namespace kernelarium::ui

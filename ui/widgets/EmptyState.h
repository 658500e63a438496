// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>
#include <QPushButton>
#include <QWidget>

namespace kernelarium::ui {

class Theme;

/// What a panel without data shows: what it will show, and the one button that fills it.
class EmptyState : public QWidget {
    Q_OBJECT
public:
    EmptyState(Theme& theme, const QString& iconName, QWidget* parent = nullptr);

    void setTexts(const QString& title, const QString& sentence);
    /// No button where the text is empty.
    void setAction(const QString& text, const QString& toolTip);
    [[nodiscard]] QPushButton* button() const { return m_button; }

Q_SIGNALS:
    void actionRequested();

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void restyle();
    void place();
    Theme& m_theme;
    QString m_iconName;
    QLabel* m_icon;
    QLabel* m_title;
    QLabel* m_sentence;
    QPushButton* m_button;
};

} // namespace kernelarium::ui

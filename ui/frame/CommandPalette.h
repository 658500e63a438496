// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QAction>
#include <QFrame>
#include <QIcon>
#include <QPointer>
#include <vector>

class QLineEdit;
class QListWidget;

namespace kernelarium::ui {

/// Every action with its shortcut, found by typing (Ctrl+K).
class CommandPalette : public QFrame {
    Q_OBJECT
public:
    CommandPalette(Theme& theme, QWidget* window);

    void open(const std::vector<QAction*>& actions);
    [[nodiscard]] QLineEdit& field() { return *m_field; }
    [[nodiscard]] QListWidget& list() { return *m_list; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void filter();
    void runCurrent();
    void close();

    Theme& m_theme;
    QLineEdit* m_field;
    QListWidget* m_list;
    QIcon m_noIcon; ///< as large as the others
    std::vector<QAction*> m_actions;
    QPointer<QWidget> m_focusBefore;
};

/// How well `typed` fits `text`: its letters in order, at words' beginnings for choice. 0: not at all.
[[nodiscard]] int fitness(const QString& typed, const QString& text);

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

/// Keys that people know from every desktop and that Qt leaves out: Return and Enter press the push or tool button that
/// has the focus (Qt does so in dialogs only), Shift+F10 opens the context menu of what has the focus, as the Menu key
/// does. One for the whole application.
class DesktopKeys : public QObject {
    Q_OBJECT
public:
    explicit DesktopKeys(QObject* parent);

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    [[nodiscard]] static bool press(QWidget& focused);
    static void askForMenu(QWidget& focused);
};

} // namespace kernelarium::ui

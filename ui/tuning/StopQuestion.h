// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QPushButton;

namespace kernelarium::ui {

/// What is to become of an array's tasks when it is stopped: a line in the page, not a box in the way.
class StopQuestion : public QWidget {
    Q_OBJECT
public:
    explicit StopQuestion(QWidget* parent = nullptr);

    void ask();
    void settle(); ///< there is nothing to ask about any more

    [[nodiscard]] QPushButton& leaveButton() { return *m_leave; }
    [[nodiscard]] QPushButton& cancelButton() { return *m_cancel; }
    [[nodiscard]] QPushButton& backButton() { return *m_back; }

Q_SIGNALS:
    void leaveChosen();
    void cancelChosen();
    void settled();

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QPushButton* m_leave;
    QPushButton* m_cancel;
    QPushButton* m_back;
};

} // namespace kernelarium::ui

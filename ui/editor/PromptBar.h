// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <functional>

class QLabel;
class QLineEdit;
class QPushButton;

namespace kernelarium::ui {

/// Asks one thing below a text, without a window of its own: a line's number, a new name. Return answers, Escape and
/// asking something else give up. Hidden until asked.
class PromptBar : public QWidget {
    Q_OBJECT
public:
    explicit PromptBar(QWidget* parent = nullptr);

    struct Remark {
        QString text;
        bool isProblem = false; ///< the answer is not taken
    };
    struct Question {
        QString label;                                       ///< "Go to line"
        QString answer;                                      ///< to begin with, selected
        QString button;                                      ///< "Go"
        std::function<Remark(const QString& answer)> remark; ///< as it is typed
        std::function<void(const QString& answer)> answered;
        std::function<void()> closed = {}; ///< either way, before answered()
    };
    void ask(Question question);
    /// Gives up; the focus goes to `next`, where there is one.
    void giveUp();
    /// That gets the focus back.
    void setFocusAfter(QWidget* widget) { m_after = widget; }

    [[nodiscard]] QLineEdit& field() { return *m_field; }
    [[nodiscard]] QString remark() const;

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void judge();
    void answer();
    void close(bool withFocus);

    QLabel* m_label;
    QLineEdit* m_field;
    QLabel* m_remark;
    QPushButton* m_button;
    QWidget* m_after = nullptr;
    Question m_question;
};

} // namespace kernelarium::ui

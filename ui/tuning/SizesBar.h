// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/NamedShape.h"

#include <QMap>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <vector>

class QCheckBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;

namespace kernelarium::ui {

class Theme;

/// At which sizes of its task a kernel is tuned: those of the card, and shapes as they are typed. It remembers what was
/// chosen for each task.
class SizesBar : public QWidget {
    Q_OBJECT
public:
    explicit SizesBar(Theme& theme, QWidget* parent = nullptr);

    using CardPointer = std::shared_ptr<const task::Card>;
    /// Whose sizes there are to choose from; null: none, and it is hidden.
    void setCard(const CardPointer& card);
    void setRunning(bool running);

    /// Without a card: none. Errors: "bad_usage" where nothing is chosen, those of task::cardSizes().
    [[nodiscard]] Result<task::CardSizes> sizes() const;
    /// Why they cannot be taken; empty: they can.
    [[nodiscard]] QString obstacle() const;

    [[nodiscard]] const std::vector<QCheckBox*>& boxes() const { return m_boxes; }
    [[nodiscard]] QLineEdit& shapesField() { return *m_shapes; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void changed(); ///< by the user: the sweep is another one
    void stateChanged();

private:
    struct Choice {
        QStringList named{QStringLiteral("full")};
        QString shapes;
        bool operator==(const Choice&) const = default;
    };
    void makeBoxes();
    void choose();
    void refresh();

    CardPointer m_card;
    QHBoxLayout* m_row;
    std::vector<QCheckBox*> m_boxes;
    QLineEdit* m_shapes;
    QLabel* m_problem;
    QMap<QString, Choice> m_choices; ///< by task; only those that are no first choice
    bool m_running = false;
};

} // namespace kernelarium::ui

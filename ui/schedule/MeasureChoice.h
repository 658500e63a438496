// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"

#include <QWidget>
#include <memory>

class QComboBox;
class QLabel;

namespace kernelarium::ui {

/// How a GPU measures schedules: calls that find a cold or a warm L2 cache, and at which size of the task's card. Both
/// are remembered, also while they cannot be chosen.
class MeasureChoice : public QWidget {
    Q_OBJECT
public:
    explicit MeasureChoice(QWidget* parent = nullptr);

    using CardPointer = std::shared_ptr<const task::Card>;
    /// Whose sizes there are; null: stated arguments are the size.
    void setCard(const CardPointer& card);

    [[nodiscard]] QString timing() const; ///< "cold", "hot"
    /// That was chosen, where the card has it, else "full"; without a card "small".
    [[nodiscard]] QString size() const;
    [[nodiscard]] QComboBox& timings() { return *m_timings; }
    [[nodiscard]] QComboBox& sizes() { return *m_sizes; }

    [[nodiscard]] QByteArray saveState() const;
    void restoreState(const QByteArray& state);

Q_SIGNALS:
    void changed(); ///< by the user, or restored: the search is another one

private:
    QComboBox* addBox(const QString& text, const QString& tip);

    CardPointer m_card;
    QComboBox* m_timings;
    QComboBox* m_sizes;
    QLabel* m_sizeLabel = nullptr;
    QString m_wanted = QStringLiteral("full"); ///< size
};

} // namespace kernelarium::ui

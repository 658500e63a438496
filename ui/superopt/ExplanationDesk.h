// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/algebra/explain/Explanation.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <memory>
#include <optional>

namespace kernelarium::ui {

/// Of which task, at which size, on which device.
struct ExplanationQuestion {
    task::TaskKey task;
    std::shared_ptr<const task::Card> card; ///< null: the task's, built in
    std::string size;                       ///< where the card has no such size: its first
    const perf::DeviceSpec* device = nullptr;
    bool anyInputs = false; ///< without the structure that the task states of its inputs
};

/// What algebra says, or why it says nothing of this task.
struct TaskExplanation {
    ExplanationQuestion question;
    std::shared_ptr<const task::Card> card;
    std::string size;                                ///< of the card's, which was taken
    std::optional<algebra::Explanation> explanation; ///< none: refused
    Error refusal;
};
using TaskExplanationPointer = std::shared_ptr<const TaskExplanation>;

/// Explains tasks on a thread of its own. A newer question replaces an older one.
class ExplanationDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void ask(ExplanationQuestion question);
    void cancel(); ///< at once: what the thread still finds is not heard
    void clear();  ///< there is nothing to explain
    [[nodiscard]] const WorkState<TaskExplanationPointer>& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    Work<TaskExplanationPointer> m_work;
    SerialThread m_thread;
};

} // namespace kernelarium::ui

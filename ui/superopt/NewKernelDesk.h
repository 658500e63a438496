// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/file/Emitted.h"
#include "core/task/Card.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

namespace kernelarium::ui {

/// A kernel file to be written, and for what.
struct NewKernelQuestion {
    enum class Start {
        naive, ///< one kernel for each formula (kernelgen::emitNaive)
        fused, ///< the best fused form (kernelgen::emitFused)
    };
    std::optional<task::TaskKey> task; ///< a built-in one; none: the card's of `cardPath`
    QString cardPath;
    Start start = Start::naive;

    [[nodiscard]] bool operator==(const NewKernelQuestion&) const = default;
};

/// A kernel file as it was written from a card.
struct NewKernel {
    std::shared_ptr<const task::Card> card;
    QString cardPath; ///< empty: the card is built in
    kernelgen::Emitted emitted;
};
using NewKernelPointer = std::shared_ptr<const NewKernel>;

/// Writes kernel files on a thread of its own, one at a time. A refusal is the error of a failed state.
class NewKernelDesk : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    void ask(NewKernelQuestion question);
    void cancel(); ///< at once: what the thread still writes is not heard
    void clear();
    [[nodiscard]] const WorkState<NewKernelPointer>& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    Work<NewKernelPointer> m_work;
    SerialThread m_thread;
};

} // namespace kernelarium::ui

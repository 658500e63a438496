// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/similar/Likeness.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QString>
#include <memory>

namespace kernelarium::task {
struct Card;
}

namespace kernelarium::ui {

/// What is to be found: kernels of an archive that are like one.
struct LikeQuestion {
    QString archive; ///< its file
    QString title;   ///< of the kernel
    qint64 row = 0;  ///< its number in the archive, whose text and claims count; 0: `source` is it
    QString source;
    int level = 0, task = 0;                ///< of the source; 0: none
    std::shared_ptr<const task::Card> card; ///< whose operators count; null: those of the row's task
    similar::LikeQuery query;
};

/// The kernels found, as rows of the table.
struct LikeAnswer {
    LikeQuestion question;
    std::shared_ptr<const archive::KernelTable> table;
    similar::LikeResult result;
};
using LikeAnswerPointer = std::shared_ptr<const LikeAnswer>;

struct LikeState : WorkState<LikeAnswerPointer> {
    double fraction = -1; ///< of the index that is being made; negative: it is there
};

/// Finds kernels like one, on a thread of its own with the archive open once more. The archive's index is brought up to
/// date by the first question; what was done of it stays when it is cancelled. A newer question replaces an older one.
class LikeDesk : public QObject {
    Q_OBJECT
public:
    /// `cards`: the folder of exported task cards.
    explicit LikeDesk(const QString& cards, QObject* parent = nullptr);
    ~LikeDesk() override;

    void ask(LikeQuestion question);
    void cancel();
    [[nodiscard]] const LikeState& state() const { return m_work.state(); }
    [[nodiscard]] bool isBusy() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed();

private:
    struct Opened;
    QString m_cards;
    Work<LikeAnswerPointer, LikeState> m_work;
    std::shared_ptr<std::unique_ptr<Opened>> m_opened; ///< of the thread alone
    SerialThread m_thread;
};

} // namespace kernelarium::ui

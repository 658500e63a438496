// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/ToolMessages.h"
#include "ui/threads/ChildQueue.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace kernelarium::ui {

/// What clang-tidy says of the text as it stands, or of an older one: `answered` says which.
using TidyState = WorkState<std::shared_ptr<const protocol::TidyAnswer>>;

/// Runs clang-tidy over the text on the bench, a while after the last change, newest text only.
class TidyDesk : public QObject {
    Q_OBJECT
public:
    static constexpr int pauseMs = 1000; ///< longer than the compiler's: advice is not what one waits for

    /// `program`: kernelarium-cli, whose tools child runs clang-tidy.
    explicit TidyDesk(const QString& program, QObject* parent = nullptr);

    /// Where clang-tidy is: found by itself at the first text.
    void setTool(const protocol::TidyTool& tool) { m_tool = tool; }
    void setSource(const QString& text, quint64 generation);
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return m_enabled; }
    void cancel();
    void resume(); ///< what was cancelled

    [[nodiscard]] const TidyState& state() const { return m_work.state(); }

Q_SIGNALS:
    void changed();

private:
    using Answer = std::shared_ptr<const protocol::TidyAnswer>;
    void start();

    QString m_text;
    quint64 m_generation = 0;
    bool m_enabled = true;
    Work<Answer> m_work;
    QTimer m_pause;
    std::optional<protocol::TidyTool> m_tool; ///< nothing: to be found
    ChildQueue m_child;
};

} // namespace kernelarium::ui

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/tools/Tidy.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/States.h"

#include <QObject>
#include <QTimer>
#include <memory>

namespace kernelarium::ui {

/// What clang-tidy says of the text as it stands, or of an older one.
struct TidyState {
    Stage stage = Stage::idle;
    quint64 generation = 0;                             ///< of the text that `answer` is about
    std::shared_ptr<const protocol::TidyAnswer> answer; ///< of the last run that finished; null before it
    Error error;
};

/// Runs clang-tidy over the text on the bench, a while after the last change, newest text only.
class TidyDesk : public QObject {
    Q_OBJECT
public:
    static constexpr int pauseMs = 1000; ///< longer than the compiler's: advice is not what one waits for

    explicit TidyDesk(QObject* parent = nullptr);

    /// Where clang-tidy is: found by itself at the first text.
    void setTool(const protocol::TidyTool& tool);
    void setSource(const QString& text, quint64 generation);
    void setEnabled(bool enabled);
    [[nodiscard]] bool isEnabled() const { return m_enabled; }
    void cancel();

    [[nodiscard]] const TidyState& state() const { return m_state; }

Q_SIGNALS:
    void changed();

private:
    using Answer = std::shared_ptr<const protocol::TidyAnswer>;
    void start();
    void end(quint64 serial, quint64 generation, Result<Answer> result);

    QString m_text;
    quint64 m_generation = 0;
    quint64 m_serial = 0; ///< of the newest run: older ones' ends are not heard
    bool m_enabled = true;
    TidyState m_state;
    QTimer m_pause;
    std::shared_ptr<protocol::TidyTool> m_tool; ///< of the thread; null: to be found there
    SerialThread m_thread;
};

} // namespace kernelarium::ui

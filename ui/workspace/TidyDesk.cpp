// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TidyDesk.h"

namespace kernelarium::ui {

TidyDesk::TidyDesk(QObject* parent)
    : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &TidyDesk::start);
}

void TidyDesk::setTool(const protocol::TidyTool& tool) {
    m_tool = std::make_shared<protocol::TidyTool>(tool);
}

void TidyDesk::setSource(const QString& text, quint64 generation) {
    m_text = text;
    m_generation = generation;
    ++m_serial;
    m_thread.cancel("tidy");
    if (!m_enabled || text.isEmpty()) {
        m_pause.stop();
        m_state.stage = Stage::idle;
    } else {
        m_state.stage = Stage::waiting;
        m_pause.start();
    }
    Q_EMIT changed();
}

void TidyDesk::setEnabled(bool enabled) {
    if (enabled == m_enabled) return;
    m_enabled = enabled;
    if (!enabled) m_state.answer.reset();
    setSource(m_text, m_generation);
}

void TidyDesk::cancel() {
    if (!isBusy(m_state.stage)) return;
    m_pause.stop();
    ++m_serial;
    m_thread.cancel("tidy");
    m_state.stage = Stage::cancelled;
    Q_EMIT changed();
}

void TidyDesk::start() {
    const quint64 serial = ++m_serial;
    m_state.stage = Stage::running;
    Q_EMIT changed();
    ask<Answer>(
        m_thread, this, "tidy",
        [text = m_text, tool = m_tool](const std::stop_token& stop) -> Result<Answer> {
            auto answer = tools::tidy(tool ? *tool : tools::findTidyTool(), text.toStdString(), stop);
            if (!answer) return answer.error();
            return Answer(std::make_shared<const protocol::TidyAnswer>(std::move(*answer)));
        },
        [this, serial, generation = m_generation](Result<Answer> result) {
            end(serial, generation, std::move(result));
        });
}

void TidyDesk::end(quint64 serial, quint64 generation, Result<Answer> result) {
    if (serial != m_serial) return;
    if (result) {
        m_state.stage = Stage::finished;
        m_state.generation = generation;
        m_state.answer = *result;
        m_state.error = {};
    } else {
        m_state.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
        m_state.error = result.error();
    }
    Q_EMIT changed();
}

} // namespace kernelarium::ui

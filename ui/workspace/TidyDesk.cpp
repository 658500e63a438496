// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/TidyDesk.h"

namespace kernelarium::ui {

TidyDesk::TidyDesk(QObject* parent)
    : QObject(parent) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &TidyDesk::start);
}

void TidyDesk::setTool(const worker::TidyTool& tool) {
    m_tool = std::make_shared<worker::TidyTool>(tool);
}

void TidyDesk::setSource(const QString& text, quint64 generation) {
    m_text = text;
    m_generation = generation;
    m_thread.cancel("tidy");
    if (!m_enabled || text.isEmpty()) {
        m_pause.stop();
        m_work.rest();
    } else {
        m_work.wait(generation, Former::kept);
        m_pause.start();
    }
    Q_EMIT changed();
}

void TidyDesk::setEnabled(bool enabled) {
    if (enabled == m_enabled) return;
    m_enabled = enabled;
    if (!enabled) m_work.clear();
    setSource(m_text, m_generation);
}

void TidyDesk::cancel() {
    if (!m_work.cancel()) return;
    m_pause.stop();
    m_thread.cancel("tidy");
    Q_EMIT changed();
}

void TidyDesk::start() {
    const auto ticket = m_work.begin(m_generation, Former::kept);
    Q_EMIT changed();
    ask<Answer>(
        m_thread, this, "tidy",
        [text = m_text, tool = m_tool](const std::stop_token& stop) -> Result<Answer> {
            auto answer = worker::tidy(tool ? *tool : worker::findTidyTool(), text.toStdString(), stop);
            if (!answer) return answer.error();
            return Answer(std::make_shared<const worker::TidyAnswer>(std::move(*answer)));
        },
        [this, ticket](Result<Answer> result) {
            if (m_work.end(ticket, std::move(result))) Q_EMIT changed();
        });
}

} // namespace kernelarium::ui

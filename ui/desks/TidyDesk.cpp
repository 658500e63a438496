// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/TidyDesk.h"

#include "gpu/protocol/ToolClient.h"

namespace kernelarium::ui {

TidyDesk::TidyDesk(const QString& program, QObject* parent)
    : QObject(parent)
    , m_child({program.toStdString(), "worker", "tools"}) {
    m_pause.setSingleShot(true);
    m_pause.setInterval(pauseMs);
    connect(&m_pause, &QTimer::timeout, this, &TidyDesk::start);
}

void TidyDesk::setSource(const QString& text, quint64 generation) {
    m_text = text;
    m_generation = generation;
    m_child.cancel("tidy");
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
    m_child.cancel("tidy");
    Q_EMIT changed();
}

void TidyDesk::resume() {
    if (m_enabled && !m_text.isEmpty() && m_work.state().stage == Stage::cancelled) start();
}

void TidyDesk::start() {
    const auto ticket = m_work.begin(m_generation, Former::kept);
    Q_EMIT changed();
    ChildQueue::Call<Answer> call;
    call.tag = "tidy";
    call.make = [text = m_text, tool = m_tool](const auto& child, const auto& options) -> Result<Answer> {
        auto answer = protocol::ToolClient(child).tidy({text.toStdString(), tool}, options);
        if (!answer) return answer.error();
        return Answer(std::make_shared<const protocol::TidyAnswer>(std::move(*answer)));
    };
    call.ended = [this, ticket](Result<Answer> result) {
        if (m_work.end(ticket, std::move(result))) Q_EMIT changed();
    };
    m_child.submit(std::move(call));
}

} // namespace kernelarium::ui

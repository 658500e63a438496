// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/NcuDesk.h"

namespace kernelarium::ui {

NcuDesk::NcuDesk(QString program, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program)) {}

void NcuDesk::measure(const RunJob& job, const QString& source) {
    using Answer = std::shared_ptr<const std::vector<profile::NcuLaunch>>;
    const quint64 serial = ++m_serial;
    m_state = {Stage::running, job.generation, {}, {}};
    Q_EMIT changed();
    ask<Answer>(
        m_thread, this, "ncu",
        [job, source, program = m_program, tool = m_tool](const std::stop_token& stop) -> Result<Answer> {
            protocol::NcuRequest request;
            request.commandLine = program.toStdString();
            request.source = source.toStdString();
            if (job.arguments.isEmpty() && job.card) request.card = job.card;
            for (const QString& argument : job.arguments)
                request.arguments.push_back(argument.toStdString());
            request.seed = job.target.seed;
            request.fastMath = job.target.fastMath;
            auto launches = tools::measureWithNcu(tool ? *tool : tools::findNcu(), request, stop);
            if (!launches) return launches.error();
            return Answer(std::make_shared<const std::vector<profile::NcuLaunch>>(std::move(*launches)));
        },
        [this, serial](Result<Answer> result) {
            if (serial != m_serial) return;
            m_state.stage = result                               ? Stage::finished
                            : result.error().code == "cancelled" ? Stage::cancelled
                                                                 : Stage::failed;
            if (result)
                m_state.launches = *result;
            else
                m_state.error = result.error();
            Q_EMIT changed();
        });
}

void NcuDesk::clear() {
    ++m_serial;
    m_thread.cancel("ncu");
    m_state = {};
    Q_EMIT changed();
}

} // namespace kernelarium::ui

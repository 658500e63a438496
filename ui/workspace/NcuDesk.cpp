// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/NcuDesk.h"

namespace kernelarium::ui {

NcuDesk::NcuDesk(QString program, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program)) {}

void NcuDesk::measure(const RunJob& job, const QString& source) {
    using Answer = NcuState::Answer;
    const auto ticket = m_work.begin(job.generation);
    Q_EMIT changed();
    ask<Answer>(
        m_thread, this, "ncu",
        [job, source, program = m_program, tool = m_tool](const std::stop_token& stop) -> Result<Answer> {
            worker::NcuRequest request;
            request.commandLine = program.toStdString();
            request.source = source.toStdString();
            if (job.arguments.isEmpty() && job.card) request.card = task::writeCard(*job.card);
            for (const QString& argument : job.arguments)
                request.arguments.push_back(argument.toStdString());
            request.seed = job.target.seed;
            request.fastMath = job.target.fastMath;
            auto launches = worker::measureWithNcu(tool ? *tool : worker::findNcu(), request, stop);
            if (!launches) return launches.error();
            return Answer(std::make_shared<const std::vector<profile::NcuLaunch>>(std::move(*launches)));
        },
        [this, ticket](Result<Answer> result) {
            if (m_work.end(ticket, std::move(result))) Q_EMIT changed();
        });
}

void NcuDesk::clear() {
    m_thread.cancel("ncu");
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui

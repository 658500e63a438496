// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/NcuDesk.h"

#include "gpu/protocol/ToolClient.h"

namespace kernelarium::ui {

NcuDesk::NcuDesk(QString program, QObject* parent)
    : QObject(parent)
    , m_program(std::move(program))
    , m_child({m_program.toStdString(), "worker", "tools"}) {}

namespace {

protocol::NcuRequest requestOf(const RunJob& job, const QString& source, const QString& program,
                               const std::optional<protocol::NcuTool>& tool) {
    protocol::NcuRequest request;
    request.commandLine = program.toStdString();
    request.source = source.toStdString();
    if (job.arguments.isEmpty()) request.card = job.card;
    for (const QString& argument : job.arguments)
        request.arguments.push_back(argument.toStdString());
    request.seed = job.target.seed;
    request.gpu = job.target.ordinal;
    request.fastMath = job.target.fastMath;
    request.function = job.function.toStdString();
    if (auto settings = text::settingsFromLine(job.target.compilerOptions.toStdString()))
        request.settings = std::move(*settings);
    request.tool = tool;
    return request;
}

} // namespace

void NcuDesk::measure(const RunJob& job, const QString& source) {
    using Answer = NcuState::Answer;
    m_child.cancel("stalls");
    m_stalls.clear();
    const auto ticket = m_work.begin(job.generation);
    Q_EMIT changed();
    ChildQueue::Call<Answer> call;
    call.tag = "ncu";
    call.make = [job, source, program = m_program, tool = m_tool](const auto& child,
                                                                  const auto& options) -> Result<Answer> {
        auto launches = protocol::ToolClient(child).measureWithNcu(requestOf(job, source, program, tool), options);
        if (!launches) return launches.error();
        return Answer(std::make_shared<const std::vector<profile::NcuLaunch>>(std::move(*launches)));
    };
    call.ended = [this, ticket, job, source](Result<Answer> result) {
        const bool measured = result.ok();
        if (!m_work.end(ticket, std::move(result))) return;
        if (measured) sample(job, source);
        Q_EMIT changed();
    };
    m_child.submit(std::move(call));
}

void NcuDesk::sample(const RunJob& job, const QString& source) {
    using Answer = StallsState::Answer;
    const auto ticket = m_stalls.begin(job.generation);
    ChildQueue::Call<Answer> call;
    call.tag = "stalls";
    call.make = [job, source, program = m_program, tool = m_tool](const auto& child,
                                                                  const auto& options) -> Result<Answer> {
        auto lines = protocol::ToolClient(child).sampleStalls(requestOf(job, source, program, tool), options);
        if (!lines) return lines.error();
        return Answer(std::make_shared<const std::vector<profile::LineStalls>>(std::move(*lines)));
    };
    call.ended = [this, ticket](Result<Answer> result) {
        if (m_stalls.end(ticket, std::move(result))) Q_EMIT changed();
    };
    m_child.submit(std::move(call));
}

void NcuDesk::clear() {
    cancel();
    m_work.clear();
    m_stalls.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui

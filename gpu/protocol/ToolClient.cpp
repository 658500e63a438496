// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/ToolClient.h"

#include "core/task/CardJson.h"
#include "gpu/protocol/WorkerClient.h"

namespace kernelarium::protocol {

namespace {

// After these the child is taken for hung. What it starts has limits of its own, which end before.
constexpr std::chrono::minutes tidyLimit(1), pythonLimit(7), exportLimit(10);
constexpr std::chrono::minutes ncuGrace(1);

WorkerClient::CallOptions toolCall(std::chrono::milliseconds limit, const CallOptions& call) {
    WorkerClient::CallOptions options;
    options.timeLimit = limit;
    options.progress = call.progress;
    options.stop = call.stop;
    return options;
}

} // namespace

ToolClient::ToolClient(std::vector<std::string> command)
    : m_child(std::make_shared<WorkerClient>(std::move(command))) {}

ToolClient::ToolClient(std::shared_ptr<WorkerClient> child)
    : m_child(std::move(child)) {}

pid_t ToolClient::childPid() const {
    return m_child->childPid();
}

Result<TidyAnswer> ToolClient::tidy(const TidyRequest& request, const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("tidy", toJson(request), toolCall(tidyLimit, call));
    if (!answer) return answer.error();
    return tidyAnswerFromJson(*answer);
}

Result<FormatAnswer> ToolClient::format(const FormatRequest& request, const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("format", toJson(request), toolCall(tidyLimit, call));
    if (!answer) return answer.error();
    return formatAnswerFromJson(*answer);
}

Result<std::vector<profile::NcuLaunch>> ToolClient::measureWithNcu(const NcuRequest& request, const CallOptions& call) {
    // Nsight Compute is run again without the metrics that it does not know.
    Result<nlohmann::json> answer =
        m_child->call("ncu", toJson(request), toolCall(2 * request.timeLimit + ncuGrace, call));
    if (!answer) return answer.error();
    return ncuLaunchesFromJson(*answer);
}

Result<std::vector<profile::LineStalls>> ToolClient::sampleStalls(const NcuRequest& request, const CallOptions& call) {
    Result<nlohmann::json> answer =
        m_child->call("stalls", toJson(request), toolCall(request.timeLimit + ncuGrace, call));
    if (!answer) return answer.error();
    return lineStallsFromJson(*answer);
}

Result<Python> ToolClient::findPython(const std::string& chosen, const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("python", {{"chosen", chosen}}, toolCall(pythonLimit, call));
    if (!answer) return answer.error();
    return pythonFromJson(*answer);
}

Result<task::Card> ToolClient::exportCard(const ExportRequest& request, const CallOptions& call) {
    Result<nlohmann::json> answer = m_child->call("export_card", toJson(request), toolCall(exportLimit, call));
    if (!answer) return answer.error();
    return task::cardFromJson(*answer);
}

} // namespace kernelarium::protocol

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/ToolService.h"

#include "core/task/CardJson.h"
#include "gpu/tools/Format.h"
#include "gpu/tools/Ncu.h"
#include "gpu/tools/PythonExport.h"
#include "gpu/tools/Tidy.h"

namespace kernelarium::service {

namespace {

Result<nlohmann::json> adviseOn(const nlohmann::json& params, const std::stop_token& stop) {
    const Result<protocol::TidyRequest> request = protocol::tidyRequestFromJson(params);
    if (!request) return request.error();
    const Result<protocol::TidyAnswer> answer =
        tools::tidy(request->tool ? *request->tool : tools::findTidyTool(), request->source, stop);
    if (!answer) return answer.error();
    return toJson(*answer);
}

Result<nlohmann::json> formatText(const nlohmann::json& params, const std::stop_token& stop) {
    const Result<protocol::FormatRequest> request = protocol::formatRequestFromJson(params);
    if (!request) return request.error();
    const Result<protocol::FormatAnswer> answer =
        tools::format(request->program ? *request->program : tools::findClangFormat(), *request, stop);
    if (!answer) return answer.error();
    return toJson(*answer);
}

Result<nlohmann::json> measureLaunches(const nlohmann::json& params, const std::stop_token& stop) {
    const Result<protocol::NcuRequest> request = protocol::ncuRequestFromJson(params);
    if (!request) return request.error();
    const auto launches = tools::measureWithNcu(request->tool ? *request->tool : tools::findNcu(), *request, stop);
    if (!launches) return launches.error();
    return protocol::toJson(*launches);
}

Result<nlohmann::json> sampleLines(const nlohmann::json& params, const std::stop_token& stop) {
    const Result<protocol::NcuRequest> request = protocol::ncuRequestFromJson(params);
    if (!request) return request.error();
    const auto parts = tools::sampleStalls(request->tool ? *request->tool : tools::findNcu(), *request, stop);
    if (!parts) return parts.error();
    return protocol::toJson(profile::mergedStalls(*parts, tools::sampledFile));
}

Result<nlohmann::json> findPythonFor(const nlohmann::json& params, const std::stop_token& stop) {
    const auto chosen = params.find("chosen");
    if (chosen == params.end() || !chosen->is_string()) return Error{"bad_request", "`chosen` is not a text."};
    const Result<protocol::Python> python = tools::findPython(chosen->get<std::string>(), stop);
    if (!python) return python.error();
    return toJson(*python);
}

Result<nlohmann::json> exportRowCard(const nlohmann::json& params, const Service::Progress& progress,
                                     const std::stop_token& stop) {
    const Result<protocol::ExportRequest> request = protocol::exportRequestFromJson(params);
    if (!request) return request.error();
    tools::ExportOptions options;
    options.python = request->python;
    options.progress = [&progress](const std::string& what) { progress(what); };
    const Result<task::Card> card = tools::cardForRowOrExport(request->row, request->folder, options, stop);
    if (!card) return card.error();
    return task::toJson(*card);
}

} // namespace

Result<nlohmann::json> ToolService::handle(const protocol::Request& request, const Progress& progress,
                                           std::stop_token stop) {
    if (request.method == "tidy") return adviseOn(request.params, stop);
    if (request.method == "format") return formatText(request.params, stop);
    if (request.method == "ncu") return measureLaunches(request.params, stop);
    if (request.method == "stalls") return sampleLines(request.params, stop);
    if (request.method == "python") return findPythonFor(request.params, stop);
    if (request.method == "export_card") return exportRowCard(request.params, progress, stop);
    return Error{"bad_request", "The tools worker has no method " + request.method + "."};
}

} // namespace kernelarium::service

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/ToolMessages.h"

#include "core/files/Base64.h"
#include "core/task/CardJson.h"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::protocol {

namespace {

using ToolJson = nlohmann::json;

template <class T, class Read> Result<T> readOrRefuse(const char* what, Read read) {
    try {
        return read();
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not ") + what + ": " + failure.what()};
    }
}

template <class T> ToolJson numberOrNull(const std::optional<T>& value) {
    return value ? ToolJson(*value) : ToolJson(nullptr);
}

template <class T> std::optional<T> numberAt(const ToolJson& j, const char* key) {
    return j.contains(key) && j.at(key).is_number() ? std::optional(j.at(key).get<T>()) : std::nullopt;
}

ToolJson findingJson(const profile::TidyFinding& f) {
    return {{"file", f.file},       {"line", f.line},   {"column", f.column}, {"severity", f.severity},
            {"message", f.message}, {"check", f.check}, {"notes", f.notes}};
}

profile::TidyFinding findingFromJson(const ToolJson& j) {
    return {j.at("file").get<std::string>(),
            j.at("line").get<int>(),
            j.at("column").get<int>(),
            j.at("severity").get<std::string>(),
            j.at("message").get<std::string>(),
            j.at("check").get<std::string>(),
            j.at("notes").get<std::vector<std::string>>()};
}

ToolJson findingsJson(const std::vector<profile::TidyFinding>& findings) {
    ToolJson list = ToolJson::array();
    for (const profile::TidyFinding& finding : findings)
        list.push_back(findingJson(finding));
    return list;
}

std::vector<profile::TidyFinding> findingsFromJson(const ToolJson& list) {
    std::vector<profile::TidyFinding> findings;
    for (const ToolJson& j : list)
        findings.push_back(findingFromJson(j));
    return findings;
}

ToolJson metricJson(const profile::NcuMetric& m) {
    return {{"section", profile::ncuSectionNames[std::size_t(m.section)]},
            {"name", m.name},
            {"unit", m.unit},
            {"value", numberOrNull(m.value)},
            {"variance", numberOrNull(m.variance)},
            {"samples", numberOrNull(m.samples)}};
}

profile::NcuMetric metricFromJson(const ToolJson& j) {
    profile::NcuMetric m;
    const auto section =
        std::find(profile::ncuSectionNames.begin(), profile::ncuSectionNames.end(), j.at("section").get<std::string>());
    if (section == profile::ncuSectionNames.end()) throw std::invalid_argument("a section that there is not");
    m.section = profile::NcuSection(section - profile::ncuSectionNames.begin());
    m.name = j.at("name").get<std::string>();
    m.unit = j.at("unit").get<std::string>();
    m.value = numberAt<double>(j, "value");
    m.variance = numberAt<double>(j, "variance");
    m.samples = numberAt<std::int64_t>(j, "samples");
    return m;
}

profile::NcuLaunch launchFromJson(const ToolJson& j) {
    profile::NcuLaunch launch{j.at("kernel").get<std::string>(),
                              j.at("device").get<std::string>(),
                              j.at("grid").get<std::string>(),
                              j.at("block").get<std::string>(),
                              {}};
    for (const ToolJson& metric : j.at("metrics"))
        launch.metrics.push_back(metricFromJson(metric));
    return launch;
}

} // namespace

ToolJson toJson(const TidyRequest& r) {
    ToolJson j = {{"source", r.source}, {"tool", nullptr}};
    if (r.tool) j["tool"] = {{"program", r.tool->program}, {"include", r.tool->include}};
    return j;
}

Result<TidyRequest> tidyRequestFromJson(const ToolJson& j) {
    return readOrRefuse<TidyRequest>("a request for advice", [&] {
        TidyRequest r{j.at("source").get<std::string>()};
        if (const ToolJson tool = j.value("tool", ToolJson(nullptr)); !tool.is_null())
            r.tool = TidyTool{tool.at("program").get<std::string>(), tool.at("include").get<std::string>()};
        return r;
    });
}

ToolJson toJson(const TidyAnswer& a) {
    return {{"findings", findingsJson(a.findings)}, {"unread", findingsJson(a.unread)}};
}

Result<TidyAnswer> tidyAnswerFromJson(const ToolJson& j) {
    return readOrRefuse<TidyAnswer>("clang-tidy's advice", [&] {
        return TidyAnswer{findingsFromJson(j.at("findings")), findingsFromJson(j.at("unread"))};
    });
}

ToolJson toJson(const FormatRequest& r) {
    ToolJson j = {{"source", r.source},        {"file", r.file},          {"cursor", r.cursor},
                  {"first_line", r.firstLine}, {"last_line", r.lastLine}, {"program", nullptr}};
    if (r.program) j["program"] = *r.program;
    return j;
}

Result<FormatRequest> formatRequestFromJson(const ToolJson& j) {
    return readOrRefuse<FormatRequest>("a request to format", [&] {
        FormatRequest r;
        r.source = j.at("source").get<std::string>();
        r.file = j.value("file", "");
        r.cursor = j.value("cursor", std::size_t(0));
        r.firstLine = j.value("first_line", 0);
        r.lastLine = j.value("last_line", 0);
        if (const ToolJson program = j.value("program", ToolJson(nullptr)); !program.is_null())
            r.program = program.get<std::string>();
        return r;
    });
}

ToolJson toJson(const FormatAnswer& a) {
    return {{"source", a.source}, {"cursor", a.cursor}, {"complete", a.isComplete}};
}

Result<FormatAnswer> formatAnswerFromJson(const ToolJson& j) {
    return readOrRefuse<FormatAnswer>("a formatted text", [&] {
        return FormatAnswer{j.at("source").get<std::string>(), j.at("cursor").get<std::size_t>(),
                            j.at("complete").get<bool>()};
    });
}

ToolJson toJson(const NcuRequest& r) {
    ToolJson j = {{"command_line", r.commandLine},
                  {"source", r.source},
                  {"card", r.card ? task::toJson(*r.card) : ToolJson(nullptr)},
                  {"arguments", r.arguments},
                  {"size", r.size},
                  {"seed", r.seed},
                  {"fast_math", r.fastMath},
                  {"settings", wordsOf(r.settings)},
                  {"gpu", r.gpu},
                  {"function", r.function},
                  {"native_code", files::toBase64(r.nativeCode)},
                  {"metrics", r.metrics},
                  {"time_limit_ms", r.timeLimit.count()},
                  {"tool", nullptr}};
    if (r.tool) j["tool"] = {{"program", r.tool->program}, {"searched", r.tool->searched}};
    return j;
}

Result<NcuRequest> ncuRequestFromJson(const ToolJson& j) {
    Result<NcuRequest> request = readOrRefuse<NcuRequest>("a request to measure", [&] {
        NcuRequest r;
        r.commandLine = j.at("command_line").get<std::string>();
        r.source = j.at("source").get<std::string>();
        r.arguments = j.value("arguments", r.arguments);
        r.size = j.value("size", r.size);
        r.seed = j.value("seed", r.seed);
        r.fastMath = j.value("fast_math", r.fastMath);
        auto settings = text::settingsFromWords(j.value("settings", std::vector<std::string>()));
        if (!settings) throw std::invalid_argument(settings.error().message);
        r.settings = std::move(*settings);
        r.gpu = j.value("gpu", r.gpu);
        r.function = j.value("function", "");
        auto native = files::fromBase64(j.value("native_code", ""));
        if (!native) throw std::invalid_argument("`native_code` is not base64");
        r.nativeCode = std::move(*native);
        r.metrics = j.value("metrics", r.metrics);
        r.timeLimit = std::chrono::milliseconds(j.value("time_limit_ms", std::int64_t(r.timeLimit.count())));
        if (const ToolJson tool = j.value("tool", ToolJson(nullptr)); !tool.is_null())
            r.tool =
                NcuTool{tool.at("program").get<std::string>(), tool.at("searched").get<std::vector<std::string>>()};
        return r;
    });
    if (!request || !j.contains("card") || j.at("card").is_null()) return request;
    Result<task::Card> card = task::cardFromJson(j.at("card"));
    if (!card) return card.error();
    request->card = std::make_shared<const task::Card>(std::move(*card));
    return request;
}

ToolJson toJson(const std::vector<profile::NcuLaunch>& launches) {
    ToolJson list = ToolJson::array();
    for (const profile::NcuLaunch& launch : launches) {
        ToolJson metrics = ToolJson::array();
        for (const profile::NcuMetric& metric : launch.metrics)
            metrics.push_back(metricJson(metric));
        list.push_back({{"kernel", launch.kernel},
                        {"device", launch.device},
                        {"grid", launch.grid},
                        {"block", launch.block},
                        {"metrics", std::move(metrics)}});
    }
    return list;
}

Result<std::vector<profile::NcuLaunch>> ncuLaunchesFromJson(const ToolJson& j) {
    return readOrRefuse<std::vector<profile::NcuLaunch>>("launches that Nsight Compute measured", [&] {
        std::vector<profile::NcuLaunch> launches;
        for (const ToolJson& launch : j)
            launches.push_back(launchFromJson(launch));
        return launches;
    });
}

ToolJson toJson(const std::vector<profile::LineStalls>& lines) {
    ToolJson list = ToolJson::array();
    for (const profile::LineStalls& line : lines) {
        ToolJson reasons = ToolJson::array();
        for (const profile::StallSamples& reason : line.reasons)
            reasons.push_back({{"reason", reason.reason}, {"samples", reason.samples}});
        list.push_back({{"line", line.line},
                        {"samples", line.samples},
                        {"not_issued", line.notIssued},
                        {"reasons", std::move(reasons)}});
    }
    return list;
}

Result<std::vector<profile::LineStalls>> lineStallsFromJson(const ToolJson& j) {
    return readOrRefuse<std::vector<profile::LineStalls>>("lines that Nsight Compute sampled", [&] {
        std::vector<profile::LineStalls> lines;
        for (const ToolJson& line : j) {
            profile::LineStalls read{
                line.at("line").get<int>(), line.at("samples").get<double>(), line.at("not_issued").get<double>(), {}};
            for (const ToolJson& reason : line.at("reasons"))
                read.reasons.push_back({reason.at("reason").get<std::string>(), reason.at("samples").get<double>()});
            lines.push_back(std::move(read));
        }
        return lines;
    });
}

ToolJson toJson(const Python& p) {
    return {{"path", p.path}, {"version", p.version}, {"torch", p.torch}, {"problem", p.problem}};
}

Result<Python> pythonFromJson(const ToolJson& j) {
    return readOrRefuse<Python>("a Python", [&] {
        return Python{j.at("path").get<std::string>(), j.at("version").get<std::string>(),
                      j.at("torch").get<std::string>(), j.at("problem").get<std::string>()};
    });
}

ToolJson toJson(const ExportRequest& r) {
    return {{"level", r.row.level},    {"task", r.row.task},
            {"op_name", r.row.opName}, {"functional", r.row.functional},
            {"module", r.row.module},  {"folder", r.folder.string()},
            {"python", r.python}};
}

Result<ExportRequest> exportRequestFromJson(const ToolJson& j) {
    return readOrRefuse<ExportRequest>("a request to export a card", [&] {
        return ExportRequest{{j.at("level").get<int>(), j.at("task").get<int>(), j.at("op_name").get<std::string>(),
                              j.at("functional").get<std::string>(), j.at("module").get<std::string>()},
                             j.at("folder").get<std::string>(),
                             j.value("python", "")};
    });
}

} // namespace kernelarium::protocol

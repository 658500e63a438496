// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/TorchBaselines.h"

#include "core/files/ScratchFolder.h"
#include "gpu/process/ChildProcess.h"
#include "gpu/protocol/Trial.h"
#include "gpu/tools/Pythons.h"
#include "gpu/tools/TorchSource.h"
#include "resources/PythonFiles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fstream>
#include <string_view>

namespace kernelarium::tools {

namespace {

constexpr const char* torchScript = "time_torch.py";
constexpr std::array torchWays{"native", "compile"};

std::string wayName(const std::string& way) {
    return "PyTorch " + way;
}

std::vector<protocol::BaselineSummary> withoutTorch(const std::string& why, const std::string& mode) {
    std::vector<protocol::BaselineSummary> all;
    for (const char* way : torchWays)
        all.push_back({wayName(way), "", mode, why, {}, 0, {}});
    return all;
}

Result<nlohmann::json> requestJson(const task::Card& card, const TorchRequest& request) {
    const Result<task::Symbols> symbols = card.size(request.size);
    if (!symbols) return symbols.error();
    const Result<std::string> source = torchSource(card, *symbols);
    if (!source) return source.error();
    const Result<std::vector<tensor::Shape>> shapes = task::tensorShapes(card, *symbols);
    if (!shapes) return shapes.error();
    nlohmann::json tensors = nlohmann::json::array();
    for (std::size_t i = 0; i < shapes->size(); ++i) {
        const task::CardTensor& t = card.tensors[i];
        tensors.push_back({{"shape", (*shapes)[i]},
                           {"dtype", tensor::name(t.dtype)},
                           {"kind", task::name(t.fill.kind)},
                           {"a", t.fill.a},
                           {"b", t.fill.b},
                           {"values", t.fill.values}});
    }
    return nlohmann::json{{"source", *source},
                          {"tensors", std::move(tensors)},
                          {"ways", torchWays},
                          {"cold", request.mode != "hot"},
                          {"seconds", request.sampleSeconds},
                          {"seed", request.seed}};
}

Result<void> writeScript(const files::ScratchFolder& scratch) {
    for (const resources::PythonFile& file : resources::pythonFiles()) {
        if (std::string_view(file.name) != torchScript) continue;
        std::ofstream stream(scratch.path() / file.name, std::ios::binary);
        stream << file.text;
        stream.close();
        if (stream) return {};
    }
    return Error{"unwritable_file", fmt::format("Cannot write into {}.", scratch.path().string())};
}

/// What compiling writes goes into the folder that is removed afterwards.
std::vector<std::string> commandFor(const protocol::Python& python, const files::ScratchFolder& scratch) {
    const std::string folder = scratch.path().string();
    return {"env",
            "TMPDIR=" + folder,
            "TORCHINDUCTOR_CACHE_DIR=" + folder + "/inductor",
            "TRITON_CACHE_DIR=" + folder + "/triton",
            "PYTHONDONTWRITEBYTECODE=1",
            python.path,
            folder + "/" + torchScript};
}

/// Reads until every way has its answer, the child ends, or the time is over.
Result<std::vector<protocol::BaselineSummary>> answersOf(process::ChildProcess& child, const TorchRequest& request,
                                                         const std::stop_token& stop) {
    std::vector<protocol::BaselineSummary> all;
    std::string why = "It ended without an answer.";
    const auto deadline = std::chrono::steady_clock::now() + protocol::torchLimit;
    while (all.size() < torchWays.size()) {
        if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
        if (std::chrono::steady_clock::now() > deadline) {
            why = fmt::format("It took longer than {} minutes and was ended.", protocol::torchLimit.count());
            break;
        }
        std::string line;
        const process::ChildProcess::Read read = child.read(line, std::chrono::milliseconds(100));
        if (read == process::ChildProcess::Read::ended) break;
        if (read != process::ChildProcess::Read::line) continue;
        if (std::optional<protocol::BaselineSummary> answer = torchAnswer(line, request.mode)) {
            all.push_back(std::move(*answer));
            if (request.progress && all.size() < torchWays.size()) request.progress(wayName(torchWays[all.size()]));
        }
    }
    for (std::size_t i = all.size(); i < torchWays.size(); ++i)
        all.push_back({wayName(torchWays[i]), "", request.mode, why, {}, 0, {}});
    child.kill();
    return all;
}

} // namespace

std::optional<protocol::BaselineSummary> torchAnswer(const std::string& line, const std::string& mode) {
    constexpr std::string_view mark = "kernelarium ";
    if (!line.starts_with(mark)) return std::nullopt;
    const auto j = nlohmann::json::parse(line.substr(mark.size()), nullptr, false);
    if (!j.is_object() || !j.contains("way") || !j["way"].is_string()) return std::nullopt;
    const auto text = [&](const char* key) {
        return j.contains(key) && j[key].is_string() ? j[key].get<std::string>() : std::string();
    };
    protocol::BaselineSummary answer{
        wayName(text("way")), text("version"), mode == "server" ? "cold" : mode, text("problem"), {}, 0, {}};
    if (j.contains("seconds") && j["seconds"].is_array())
        for (const nlohmann::json& seconds : j["seconds"])
            if (seconds.is_number() && seconds.get<double>() > 0 && std::isfinite(seconds.get<double>()))
                answer.samples.push_back({seconds.get<double>(), 0});
    answer.summary = perf::summarise(answer.samples, 0);
    if (answer.samples.empty() && answer.remark.empty()) answer.remark = "It gave no samples.";
    return answer;
}

Result<std::vector<protocol::BaselineSummary>> timeTorch(const task::Card& card, const TorchRequest& request,
                                                         const std::stop_token& stop) {
    const Result<nlohmann::json> asked = requestJson(card, request);
    if (!asked) return asked.error();
    if (request.progress) request.progress("looking for a Python with PyTorch");
    const Result<protocol::Python> python = findPython(request.python, stop);
    if (!python && python.error().code == "cancelled") return python.error();
    if (!python) return withoutTorch(python.error().message, request.mode);
    const Result<files::ScratchFolder> scratch = files::ScratchFolder::make();
    if (!scratch) return withoutTorch(scratch.error().message, request.mode);
    if (const Result<void> written = writeScript(*scratch); !written)
        return withoutTorch(written.error().message, request.mode);
    if (request.progress) request.progress(wayName(torchWays[0]));
    Result<process::ChildProcess> child = process::ChildProcess::start(commandFor(*python, *scratch));
    if (!child) return withoutTorch(child.error().message, request.mode);
    child->send(asked->dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
    return answersOf(*child, request, stop);
}

} // namespace kernelarium::tools

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/RunMessages.h"

#include "core/task/CardJson.h"
#include "gpu/protocol/CompileMessages.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::protocol {

namespace {

using nlohmann::json;

std::shared_ptr<const compile::CompiledUnit> unitAt(const json& j, const char* key) {
    Result<compile::CompiledUnit> unit = unitFromJson(j.at(key));
    if (!unit) throw std::invalid_argument(unit.error().message);
    return std::make_shared<const compile::CompiledUnit>(std::move(*unit));
}

/// What is counted with, and indexes.
void checkRange(const RunParameters& p) {
    constexpr std::size_t mostParameters = 10'000; ///< of a function
    constexpr unsigned mostJobs = 4096;
    constexpr std::chrono::milliseconds longest = std::chrono::hours(24 * 365);
    if (!p.outputs.empty() && p.outputs.back() >= mostParameters)
        throw std::invalid_argument("`outputs` names more parameters than any function has");
    if (p.jobs > mostJobs) throw std::invalid_argument("`jobs` is more than any machine has");
    if (p.timeLimit.count() < 0 || p.timeLimit > longest)
        throw std::invalid_argument("`time_limit_ms` is no time of this year");
}

RunParameters readParameters(const json& j) {
    RunParameters p;
    p.unit = unitAt(j, "unit");
    p.backend = j.value("backend", p.backend);
    if (p.backend != "emulator" && p.backend != "cuda")
        throw std::invalid_argument("no backend is called " + p.backend);
    p.size = j.value("size", p.size);
    p.arguments = j.value("arguments", p.arguments);
    p.outputs = j.value("outputs", p.outputs);
    if (!std::is_sorted(p.outputs.begin(), p.outputs.end(), std::less_equal<>()))
        throw std::invalid_argument("`outputs` does not rise");
    p.programArguments = j.value("program_arguments", p.programArguments);
    if (j.contains("reference_unit") && !j.at("reference_unit").is_null())
        p.referenceUnit = unitAt(j, "reference_unit");
    p.referenceName = j.value("reference_name", "");
    if (j.contains("claim") && !j.at("claim").is_null()) {
        const json& claim = j.at("claim");
        p.claim = TimeClaim{claim.at("milliseconds").get<double>(), claim.at("device").get<std::string>(),
                            claim.value("source", "")};
    }
    p.function = j.value("function", "");
    p.seed = j.value("seed", p.seed);
    p.checks = j.value("checks", p.checks);
    p.mayLeaveBlocksOut = j.value("may_leave_blocks_out", p.mayLeaveBlocksOut);
    p.explain = j.value("explain", p.explain);
    p.counters = j.value("counters", p.counters);
    p.exactSums = j.value("exact_sums", p.exactSums);
    p.jobs = j.value("jobs", p.jobs);
    p.gpuBytes = j.value("gpu_bytes", p.gpuBytes);
    p.timeLimit = std::chrono::milliseconds(j.value("time_limit_ms", std::int64_t(p.timeLimit.count())));
    checkRange(p);
    return p;
}

} // namespace

json toJson(const RunParameters& p) {
    std::set<std::string> texts{"ptx"};
    if (p.backend == "cuda") texts.insert("cubin");
    json j = {{"unit", unitToJson(*p.unit, texts)},
              {"backend", p.backend},
              {"card", p.card ? task::toJson(*p.card) : json(nullptr)},
              {"size", p.size},
              {"function", p.function},
              {"arguments", p.arguments},
              {"outputs", p.outputs},
              {"program_arguments", p.programArguments},
              {"reference_unit", nullptr},
              {"reference_name", p.referenceName},
              {"claim", nullptr},
              {"seed", p.seed},
              {"checks", p.checks},
              {"may_leave_blocks_out", p.mayLeaveBlocksOut},
              {"explain", p.explain},
              {"counters", p.counters},
              {"exact_sums", p.exactSums},
              {"jobs", p.jobs},
              {"gpu_bytes", p.gpuBytes},
              {"time_limit_ms", p.timeLimit.count()}};
    if (p.referenceUnit) j["reference_unit"] = unitToJson(*p.referenceUnit, texts);
    if (p.claim)
        j["claim"] = {
            {"milliseconds", p.claim->milliseconds}, {"device", p.claim->device}, {"source", p.claim->source}};
    return j;
}

Result<RunParameters> runParametersFromJson(const json& j) {
    try {
        RunParameters p = readParameters(j);
        if (!j.contains("card") || j.at("card").is_null()) return p;
        Result<task::Card> card = task::cardFromJson(j.at("card"));
        if (!card) return card.error();
        p.card = std::make_shared<const task::Card>(std::move(*card));
        return p;
    } catch (const std::exception& failure) {
        return Error{"bad_request", std::string("Not a run request: ") + failure.what()};
    }
}

std::string_view name(verify::RunEnd end) {
    switch (end) {
    case verify::RunEnd::finished: return "finished";
    case verify::RunEnd::launch_refused: return "launch_refused";
    case verify::RunEnd::host_exception: return "host_exception";
    case verify::RunEnd::import_error: return "import_error";
    case verify::RunEnd::unsupported: return "unsupported";
    case verify::RunEnd::out_of_memory: return "out_of_memory";
    case verify::RunEnd::timeout: return "timeout";
    case verify::RunEnd::cancelled: return "cancelled";
    case verify::RunEnd::beyond_sample: return "beyond_sample";
    case verify::RunEnd::crashed: return "crashed";
    }
    return "crashed";
}

} // namespace kernelarium::protocol

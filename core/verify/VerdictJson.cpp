// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/VerdictJson.h"

#include "core/tensor/Limits.h"
#include "core/text/UntrustedJson.h"
#include "core/verify/Explanation.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace kernelarium::verify {

namespace {

using nlohmann::json;

/// By RaceEffect.
constexpr std::array<std::string_view, 6> effectNames{"order",   "lost_update", "undefined_winner",
                                                      "guarded", "lanes",       "unfenced"};

json optionalNumber(const std::optional<double>& value) {
    return value ? numberToJson(*value) : json(nullptr);
}

std::optional<double> optionalFrom(const json& j, const char* key) {
    const auto found = j.find(key);
    if (found == j.end() || found->is_null()) return std::nullopt;
    return numberFromJson(*found);
}

json mismatchJson(const std::optional<Mismatch>& m) {
    if (!m) return nullptr;
    return {{"output", m->output},
            {"index", m->index},
            {"expected", numberToJson(m->expected)},
            {"got", numberToJson(m->got)}};
}

std::optional<Mismatch> mismatchFrom(const json& j) {
    if (j.is_null()) return std::nullopt;
    return Mismatch{j.at("output").get<std::size_t>(), j.at("index").get<tensor::Shape>(),
                    numberFromJson(j.at("expected")), numberFromJson(j.at("got"))};
}

std::string_view nameOf(WriterInfo::Kind kind) {
    switch (kind) {
    case WriterInfo::Kind::never: return "never";
    case WriterInfo::Kind::kernel: return "kernel";
    case WriterInfo::Kind::call: return "call";
    }
    return "";
}

WriterInfo::Kind writerKind(const std::string& name) {
    for (const auto kind : {WriterInfo::Kind::never, WriterInfo::Kind::kernel, WriterInfo::Kind::call})
        if (name == nameOf(kind)) return kind;
    throw std::invalid_argument("unknown kind of writer " + name);
}

json writerJson(const std::optional<WriterInfo>& w) {
    if (!w) return nullptr;
    return {{"kind", nameOf(w->kind)}, {"kernel", w->kernel}, {"block", w->block},
            {"thread", w->thread},     {"line", w->line},     {"call", w->call}};
}

std::optional<WriterInfo> writerFrom(const json& j) {
    if (j.is_null()) return std::nullopt;
    WriterInfo w;
    w.kind = writerKind(j.at("kind").get<std::string>());
    w.kernel = j.at("kernel").get<std::string>();
    w.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    w.thread = j.at("thread").get<std::array<std::uint32_t, 3>>();
    w.line = j.at("line").get<int>();
    w.call = j.at("call").get<std::string>();
    return w;
}

json errorMapJson(const std::optional<ErrorMap>& map) {
    if (!map) return nullptr;
    json worst = json::array();
    for (const float cell : map->worst)
        worst.push_back(numberToJson(cell));
    return {{"output", map->output},   {"shape", map->shape},        {"rows", map->rows},
            {"columns", map->columns}, {"cell_size", map->cellSize}, {"worst", std::move(worst)}};
}

std::optional<ErrorMap> errorMapFrom(const json& j) {
    if (j.is_null()) return std::nullopt;
    ErrorMap map;
    map.output = j.at("output").get<std::size_t>();
    map.shape = j.at("shape").get<tensor::Shape>();
    map.rows = j.at("rows").get<int>();
    map.columns = j.at("columns").get<int>();
    map.cellSize = j.at("cell_size").get<std::array<std::int64_t, 2>>();
    for (const json& cell : j.at("worst"))
        map.worst.push_back(float(numberFromJson(cell)));
    const bool sides = map.rows >= 0 && map.columns >= 0 && map.rows <= ErrorMap::mostCells &&
                       map.columns <= ErrorMap::mostCells && map.cellSize[0] > 0 && map.cellSize[1] > 0;
    const bool sizes = std::all_of(map.shape.begin(), map.shape.end(), [](std::int64_t size) { return size >= 0; }) &&
                       std::max(map.cellSize[0], map.cellSize[1]) <= tensor::mostElements;
    if (!sides || !sizes || map.worst.size() != std::size_t(map.rows) * std::size_t(map.columns))
        throw std::invalid_argument("the error map's cells do not fill its rows and columns");
    return map;
}

json shareJson(const std::optional<ComparedShare>& share) {
    if (!share) return nullptr;
    return {{"blocks", share->blocks},
            {"executed_blocks", share->executed},
            {"elements", share->elements},
            {"compared_elements", share->known}};
}

ComparedShare shareFrom(const json& j) {
    return {j.at("blocks").get<double>(), j.at("executed_blocks").get<double>(), j.at("elements").get<std::int64_t>(),
            j.at("compared_elements").get<std::int64_t>()};
}

json checkJson(const CheckReport& check) {
    json passed = check.state == CheckState::passed || check.state == CheckState::remarked;
    if (check.state == CheckState::skipped) passed = nullptr;
    return {{"name", check.name},
            {"passed", passed},
            {"state", name(check.state)},
            {"detail", check.detail},
            {"explanation", explanationOf(check.name)},
            {"seconds", check.seconds},
            {"runs", check.runs}};
}

CheckReport checkFrom(const json& j) {
    CheckReport check;
    check.name = j.at("name").get<std::string>();
    check.detail = j.at("detail").get<std::string>();
    check.seconds = j.at("seconds").get<double>();
    check.runs = j.value("runs", 0);
    for (const CheckState state : {CheckState::passed, CheckState::failed, CheckState::remarked, CheckState::skipped})
        if (j.at("state") == name(state)) check.state = state;
    return check;
}

Verdict readVerdict(const json& j) {
    Verdict v;
    const auto kind = parseVerdictKind(j.at("verdict").get<std::string>());
    if (!kind) throw std::invalid_argument("unknown verdict " + j.at("verdict").dump());
    v.kind = *kind;
    v.stage = j.value("stage", "");
    v.message = j.value("message", "");
    v.reasons = j.at("reasons").get<std::vector<std::string>>();
    v.remarks = j.at("remarks").get<std::vector<std::string>>();
    v.maxAbsoluteError = optionalFrom(j, "max_abs_error");
    v.maxRelativeError = optionalFrom(j, "max_rel_error");
    v.rmsError = optionalFrom(j, "rms_error");
    v.referenceRms = optionalFrom(j, "reference_rms");
    v.mismatchShare = optionalFrom(j, "mismatch_share");
    v.firstMismatch = mismatchFrom(j.at("first_mismatch"));
    v.lastWriter = writerFrom(j.value("last_writer", json(nullptr)));
    v.errorMap = errorMapFrom(j.value("error_map", json(nullptr)));
    v.tolerance.strict = j.at("tolerance").at("strict").get<double>();
    if (const auto share = j.find("sampled"); share != j.end() && !share->is_null()) v.share = shareFrom(*share);
    v.tolerance.legacy = j.at("tolerance").at("legacy").get<double>();
    for (const json& fault : j.at("faults"))
        v.faults.push_back(faultFromJson(fault));
    for (const json& check : j.at("checks"))
        v.checks.push_back(checkFrom(check));
    for (const json& launch : j.at("launches"))
        v.launches.push_back(launchFromJson(launch));
    v.unsaid = leftUnsaidFromJson(j);
    v.libraryCalls = j.at("library_calls").get<std::vector<std::string>>();
    v.notes = j.value("notes", std::vector<std::string>{});
    v.printed = j.value("printed", "");
    v.backend = j.at("backend").get<std::string>();
    v.size = j.at("size").get<std::string>();
    v.reference = j.value("reference", "");
    v.seed = j.value("seed", std::uint64_t(0));
    v.fastMath = j.value("fast_math", false);
    v.compilerOptions = j.value("compiler_options", "");
    v.functions = j.value("functions", v.functions);
    v.seconds = j.at("seconds").get<std::map<std::string, double>>();
    return v;
}

} // namespace

json numberToJson(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    return value;
}

double numberFromJson(const json& j) {
    if (j.is_number()) return j.get<double>();
    const std::string word = j.get<std::string>();
    if (word == "inf") return std::numeric_limits<double>::infinity();
    if (word == "-inf") return -std::numeric_limits<double>::infinity();
    return std::numeric_limits<double>::quiet_NaN();
}

void addLeftUnsaid(json& j, const LeftUnsaid& unsaid) {
    if (unsaid.launches > 0) j["launches_left_out"] = unsaid.launches;
    if (unsaid.printedBytes > 0) j["printed_bytes_left_out"] = unsaid.printedBytes;
}

LeftUnsaid leftUnsaidFromJson(const json& j) {
    LeftUnsaid unsaid;
    unsaid.launches = j.value("launches_left_out", std::uint64_t(0));
    unsaid.printedBytes = j.value("printed_bytes_left_out", std::uint64_t(0));
    return unsaid;
}

json toJson(const Launch& launch) {
    return {{"kernel", launch.kernel},
            {"grid", launch.grid},
            {"block", launch.block},
            {"dynamic_shared_bytes", launch.dynamicSharedBytes},
            {"stream", launch.stream},
            {"warp_instructions", launch.warpInstructions},
            {"thread_instructions", launch.threadInstructions},
            {"seconds", launch.seconds}};
}

Launch launchFromJson(const json& j) {
    Launch launch;
    launch.kernel = j.at("kernel").get<std::string>();
    launch.grid = j.at("grid").get<std::array<std::uint32_t, 3>>();
    launch.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    launch.dynamicSharedBytes = j.at("dynamic_shared_bytes").get<std::uint32_t>();
    launch.stream = j.at("stream").get<std::uint64_t>();
    launch.warpInstructions = j.at("warp_instructions").get<std::uint64_t>();
    launch.threadInstructions = j.at("thread_instructions").get<std::uint64_t>();
    launch.seconds = j.at("seconds").get<double>();
    return launch;
}

json toJson(const Fault& fault) {
    json j = {{"kind", fault.kind},     {"message", fault.message},
              {"kernel", fault.kernel}, {"block", fault.block},
              {"thread", fault.thread}, {"line", fault.line},
              {"count", fault.count},   {"leaves_allocation", fault.leavesAllocation}};
    if (fault.other)
        j["other"] = {{"block", fault.other->block}, {"thread", fault.other->thread}, {"line", fault.other->line}};
    if (fault.kind == "race") {
        j["same_value"] = fault.sameValue;
        j["effect"] = effectNames.at(std::size_t(fault.effect));
    }
    return j;
}

Fault faultFromJson(const json& j) {
    Fault fault;
    fault.kind = j.at("kind").get<std::string>();
    fault.message = j.at("message").get<std::string>();
    fault.kernel = j.at("kernel").get<std::string>();
    fault.block = j.at("block").get<std::array<std::uint32_t, 3>>();
    fault.thread = j.at("thread").get<std::array<std::uint32_t, 3>>();
    fault.line = j.at("line").get<int>();
    fault.count = j.at("count").get<std::uint64_t>();
    fault.leavesAllocation = j.at("leaves_allocation").get<bool>();
    fault.sameValue = j.value("same_value", false);
    const auto effect =
        std::find(effectNames.begin(), effectNames.end(), j.value("effect", std::string(effectNames[0])));
    if (effect != effectNames.end()) fault.effect = RaceEffect(effect - effectNames.begin());
    if (const auto other = j.find("other"); other != j.end() && !other->is_null())
        fault.other = FaultParty{other->at("block").get<std::array<std::uint32_t, 3>>(),
                                 other->at("thread").get<std::array<std::uint32_t, 3>>(), other->at("line").get<int>()};
    return fault;
}

json toJson(const Verdict& v) {
    json j = {{"verdict", name(v.kind)},
              {"stage", v.stage},
              {"message", v.message},
              {"reasons", v.reasons},
              {"remarks", v.remarks},
              {"max_abs_error", optionalNumber(v.maxAbsoluteError)},
              {"max_rel_error", optionalNumber(v.maxRelativeError)},
              {"rms_error", optionalNumber(v.rmsError)},
              {"reference_rms", optionalNumber(v.referenceRms)},
              {"mismatch_share", optionalNumber(v.mismatchShare)},
              {"first_mismatch", mismatchJson(v.firstMismatch)},
              {"last_writer", writerJson(v.lastWriter)},
              {"error_map", errorMapJson(v.errorMap)},
              {"sampled", shareJson(v.share)},
              {"tolerance", {{"strict", v.tolerance.strict}, {"legacy", v.tolerance.legacy}}},
              {"library_calls", v.libraryCalls},
              {"notes", v.notes},
              {"printed", v.printed},
              {"backend", v.backend},
              {"size", v.size},
              {"reference", v.reference},
              {"seed", v.seed},
              {"fast_math", v.fastMath},
              {"seconds", v.seconds},
              {"faults", json::array()},
              {"checks", json::array()},
              {"launches", json::array()}};
    if (!v.functions.empty()) j["functions"] = v.functions;
    if (!v.compilerOptions.empty()) j["compiler_options"] = v.compilerOptions;
    for (const Fault& fault : v.faults)
        j["faults"].push_back(toJson(fault));
    for (const CheckReport& check : v.checks)
        j["checks"].push_back(checkJson(check));
    for (const Launch& launch : v.launches)
        j["launches"].push_back(toJson(launch));
    addLeftUnsaid(j, v.unsaid);
    return j;
}

std::string readableJson(const Verdict& verdict) {
    return toJson(verdict).dump(2);
}

Result<Verdict> verdictFromText(const std::string& text) {
    return verdictFromJson(text::untrustedJson(text));
}

Result<Verdict> verdictFromJson(const json& j) {
    try {
        return readVerdict(j);
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a verdict: ") + failure.what()};
    }
}

} // namespace kernelarium::verify

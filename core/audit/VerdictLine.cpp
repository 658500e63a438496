// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audit/VerdictLine.h"

#include "core/text/UntrustedJson.h"
#include "core/verify/VerdictJson.h"

#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::audit {

namespace {

using nlohmann::json;

json errorJson(const std::optional<double>& value) {
    return value ? verify::numberToJson(*value) : json(nullptr);
}

std::optional<double> errorFrom(const json& j) {
    if (j.is_null()) return std::nullopt;
    return verify::numberFromJson(j);
}

files::Digest digestFrom(const std::string& hex) {
    files::Digest digest{};
    if (hex.size() != 2 * digest.size()) throw std::invalid_argument("code_hash does not have 64 digits");
    for (std::size_t i = 0; i < digest.size(); ++i) {
        const char* at = hex.data() + 2 * i;
        const auto [end, error] = std::from_chars(at, at + 2, digest[i], 16);
        if (error != std::errc{} || end != at + 2) throw std::invalid_argument("code_hash is not hexadecimal");
    }
    return digest;
}

double finite(const json& j, const char* key) {
    const double value = j.at(key).get<double>();
    if (!std::isfinite(value) || value < 0) throw std::invalid_argument(std::string(key) + " is impossible");
    return value;
}

StoredVerdict verdictFrom(const json& j) {
    StoredVerdict v;
    v.key = {j.at("level").get<int>(), j.at("task").get<int>(), j.at("name").get<std::string>(),
             digestFrom(j.at("code_hash").get<std::string>())};
    v.verdict = j.at("verdict").get<std::string>();
    if (!v.isFailure() && !verify::parseVerdictKind(v.verdict))
        throw std::invalid_argument("`" + v.verdict + "` is not a verdict");
    v.stage = j.at("stage").get<std::string>();
    v.message = j.at("message").get<std::string>();
    v.reasons = j.at("reasons").get<std::vector<std::string>>();
    v.remarks = j.at("remarks").get<std::vector<std::string>>();
    v.maxAbsoluteError = errorFrom(j.at("max_abs_error"));
    v.maxRelativeError = errorFrom(j.at("max_rel_error"));
    v.backend = j.at("backend").get<std::string>();
    v.settings = {j.at("size").get<std::string>(), j.at("seed").get<std::uint64_t>(), j.at("fast_math").get<bool>(),
                  finite(j, "time_limit")};
    if (!v.backend.empty()) v.settings.backend = v.backend;
    v.seconds = finite(j, "seconds");
    v.timeMs = j.at("time_ms").get<std::int64_t>();
    const json& versions = j.at("versions");
    v.versions = {versions.at("program").get<std::string>(), versions.at("card").get<std::string>(),
                  versions.at("checks").get<int>()};
    return v;
}

} // namespace

json toJson(const StoredVerdict& v) {
    return {{"level", v.key.level},
            {"task", v.key.task},
            {"name", v.key.name},
            {"code_hash", files::toHex(v.key.codeHash)},
            {"label", v.key.label()},
            {"verdict", v.verdict},
            {"stage", v.stage},
            {"message", v.message},
            {"reasons", v.reasons},
            {"remarks", v.remarks},
            {"max_abs_error", errorJson(v.maxAbsoluteError)},
            {"max_rel_error", errorJson(v.maxRelativeError)},
            {"backend", v.backend},
            {"size", v.settings.size},
            {"seed", v.settings.seed},
            {"fast_math", v.settings.fastMath},
            {"time_limit", v.settings.timeLimit},
            {"seconds", v.seconds},
            {"time_ms", v.timeMs},
            {"versions", {{"program", v.versions.program}, {"card", v.versions.card}, {"checks", v.versions.checks}}}};
}

std::string toLine(const JudgedKernel& kernel) {
    json j = toJson(kernel.verdict);
    j["evidence"] = text::untrustedJson(kernel.evidence);
    if (j["evidence"].is_discarded()) j["evidence"] = nullptr;
    return j.dump(-1, ' ', false, json::error_handler_t::replace);
}

Result<JudgedKernel> verdictFromLine(std::string_view line) {
    try {
        const json j = text::untrustedJson(line);
        if (j.is_discarded()) throw std::invalid_argument("it is not JSON, or nests too deeply");
        JudgedKernel kernel{verdictFrom(j), {}};
        if (const json& evidence = j.at("evidence"); !evidence.is_null()) {
            const auto whole = verify::verdictFromJson(evidence);
            if (!whole) return whole.error();
            if (verify::name(whole->kind) != kernel.verdict.verdict)
                throw std::invalid_argument("the evidence is of another verdict");
            kernel.evidence = evidence.dump();
        }
        return kernel;
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("This is not a line of an audit: ") + failure.what() + "."};
    }
}

} // namespace kernelarium::audit

// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/Findings.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace kernelarium::perf {

namespace {

using nlohmann::json;

/// In the order of FindingKind.
constexpr std::array<std::string_view, 20> kindNames{"uncoalesced_load",
                                                     "uncoalesced_store",
                                                     "bank_conflict",
                                                     "local_memory",
                                                     "atomic_contention",
                                                     "divergence",
                                                     "slow_functions",
                                                     "double_precision",
                                                     "index_arithmetic",
                                                     "barriers",
                                                     "imbalance",
                                                     "redundant_reads",
                                                     "shared_traffic",
                                                     "tensor_cores",
                                                     "small_grid",
                                                     "low_occupancy",
                                                     "tail",
                                                     "waiting",
                                                     "launch_overhead",
                                                     "bound"};
static_assert(kindNames.size() == std::size_t(FindingKind::bound) + 1);
constexpr std::array<std::string_view, 3> confidenceNames{"high", "medium", "low"};

template <class Enum, std::size_t N>
Enum valueOf(const std::array<std::string_view, N>& names, const std::string& text) {
    const auto found = std::find(names.begin(), names.end(), text);
    if (found == names.end()) throw std::invalid_argument("unknown word \"" + text + "\"");
    return Enum(found - names.begin());
}

Finding readFinding(const json& j) {
    Finding f;
    f.kind = valueOf<FindingKind>(kindNames, j.at("kind").get<std::string>());
    f.kernel = j.at("kernel").get<std::string>();
    f.line = j.value("line", 0);
    f.launches = j.at("launches").get<std::uint32_t>();
    f.what = j.at("what").get<std::string>();
    f.advice = j.at("advice").get<std::string>();
    f.gainSeconds = j.at("gain_seconds").get<double>();
    f.gainShare = j.at("gain_share").get<double>();
    f.confidence = valueOf<Confidence>(confidenceNames, j.at("confidence").get<std::string>());
    return f;
}

} // namespace

std::string_view name(FindingKind kind) {
    return kindNames[std::size_t(kind)];
}
std::string_view name(Confidence confidence) {
    return confidenceNames[std::size_t(confidence)];
}

json toJson(const Finding& f) {
    json j = {{"kind", name(f.kind)},      {"kernel", f.kernel},
              {"launches", f.launches},    {"what", f.what},
              {"advice", f.advice},        {"gain_seconds", f.gainSeconds},
              {"gain_share", f.gainShare}, {"confidence", name(f.confidence)}};
    if (f.line) j["line"] = f.line;
    return j;
}

json toJson(std::span<const Finding> findings) {
    json j = json::array();
    for (const Finding& f : findings)
        j.push_back(toJson(f));
    return j;
}

Result<std::vector<Finding>> findingsFromJson(const json& j) {
    if (!j.is_array()) return Error{"bad_input", "Not a list of findings."};
    try {
        std::vector<Finding> findings;
        for (const json& item : j)
            findings.push_back(readFinding(item));
        return findings;
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a finding: ") + failure.what()};
    }
}

} // namespace kernelarium::perf

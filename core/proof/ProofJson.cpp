// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/Proof.h"

#include <nlohmann/json.hpp>

namespace kernelarium::proof {

using nlohmann::json;

json toJson(const Proof& proof) {
    json j{{"verdict", name(proof.verdict)}, {"summary", proof.summary()}, {"seconds", proof.seconds}};
    json size = json::object();
    for (const auto& [symbol, value] : proof.tinySize)
        size[symbol] = value;
    j["tiny_size"] = size;
    if (!proof.leftOut.empty()) j["left_out"] = proof.leftOut;
    j["rungs"] = json::array();
    for (const Evidence& e : proof.rungs)
        j["rungs"].push_back(toJson(e));
    return j;
}

} // namespace kernelarium::proof

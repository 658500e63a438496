// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/LibraryCall.h"

#include <nlohmann/json.hpp>

namespace kernelarium::perf {

nlohmann::json toJson(const LibraryCall& call) {
    return {
        {"name", call.name}, {"flops", call.flops}, {"bytes", call.bytes}, {"launches_before", call.launchesBefore}};
}

Result<LibraryCall> libraryCallFromJson(const nlohmann::json& j) {
    try {
        return LibraryCall{j.at("name").get<std::string>(), j.at("flops").get<double>(), j.at("bytes").get<double>(),
                           j.at("launches_before").get<std::uint32_t>()};
    } catch (const std::exception& failure) {
        return Error{"bad_input", std::string("Not a library call: ") + failure.what()};
    }
}

} // namespace kernelarium::perf

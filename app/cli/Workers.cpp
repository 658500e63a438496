// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Workers.h"

#include "gpu/worker/Trial.h"

#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kernelarium::cli {

worker::WorkerClient makeWorker(const std::string& kind) {
    // The running program itself, whatever its file was renamed to meanwhile.
    return worker::WorkerClient({"/proc/self/exe", "worker", kind});
}

Result<compile::CompiledUnit> compileInChild(worker::WorkerClient& compiler,
                                             const worker::CompileParameters& parameters) {
    worker::WorkerClient::CallOptions call;
    call.timeLimit = worker::compileLimit;
    call.progress = showStage;
    worker::CompileParameters all = parameters;
    all.early = false; // nobody reads them before the unit is there
    Result<nlohmann::json> unit = compiler.call("compile", worker::toJson(all), call);
    if (!unit) return unit.error();
    return worker::unitFromJson(*unit);
}

Result<worker::DeviceList> devicesOf(worker::WorkerClient& runner) {
    Result<nlohmann::json> answer = runner.call("devices", nlohmann::json::object(), {});
    if (!answer) return answer.error();
    return worker::deviceListFromJson(*answer);
}

void showStage(const std::string& stage) {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{} ...\n", stage);
}

} // namespace kernelarium::cli

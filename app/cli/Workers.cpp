// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Workers.h"

#include "gpu/worker/RemoteStarter.h"
#include "gpu/worker/Trial.h"

#include <cassert>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kernelarium::cli {

void addPlaceOptions(CLI::App& command, RunPlace& place) {
    const auto isPlace = [](const std::string& text) {
        const Result<worker::RemoteHost> host = worker::RemoteHost::parse(text);
        return !text.starts_with("ssh") ? "Write ssh:user@host or ssh:user@host:port."
               : host                   ? std::string()
                                        : host.error().text();
    };
    command
        .add_option("--target", place.target,
                    "Another machine to run on: by ssh, with keys; the program is copied there when missing")
        ->option_text("ssh:USER@HOST[:PORT]")
        ->check(CLI::Validator(isPlace, ""));
    command
        .add_option("--bundle", place.bundle,
                    "The portable bundle's archive to copy to --target; this program's own by default")
        ->option_text("FILE.tar.xz")
        ->check(CLI::ExistingFile);
    command.add_option("--gpu", place.gpu, "Which of the machine's GPUs, in the order of `device list`, from 0 on")
        ->check(CLI::Range(0, 1023));
}

// The running program itself, whatever its file was renamed to meanwhile.
constexpr const char* thisProgram = "/proc/self/exe";

worker::WorkerClient makeCompiler() {
    return worker::WorkerClient({thisProgram, "worker", "compile"});
}

worker::WorkerClient makeRunner(const RunPlace& place) {
    Result<std::shared_ptr<worker::WorkerStarter>> starter =
        worker::starterFor(place.target, thisProgram, place.gpu, place.bundle);
    assert(starter);
    return worker::WorkerClient(std::move(*starter));
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
    worker::WorkerClient::CallOptions call;
    call.timeLimit = std::chrono::minutes(2); // a program that is copied first takes its time
    call.progress = showStage;
    Result<nlohmann::json> answer = runner.call("devices", nlohmann::json::object(), call);
    if (!answer) return answer.error();
    return worker::deviceListFromJson(*answer);
}

void showStage(const std::string& stage) {
    if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{} ...\n", stage);
}

} // namespace kernelarium::cli

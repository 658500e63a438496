// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Workers.h"

#include "app/cli/RunnerChild.h"
#include "gpu/protocol/RemoteStarter.h"

#include <cassert>
#include <cstdio>
#include <fmt/format.h>
#include <unistd.h>

namespace kernelarium::cli {

void addPlaceOptions(CLI::App& command, RunPlace& place) {
    const auto isPlace = [](const std::string& text) {
        const Result<protocol::RemoteHost> host = protocol::RemoteHost::parse(text);
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
    command
        .add_option("--memory", place.memoryMegabytes,
                    "Megabytes of memory that a run may take beside its task's own tensors; a quarter of the machine's "
                    "by default")
        ->option_text("MB")
        ->check(CLI::Range(256, 16'777'216));
}

// The running program itself, whatever its file was renamed to meanwhile.
constexpr const char* thisProgram = "/proc/self/exe";

protocol::KernelClient makeCompiler() {
    return protocol::KernelClient({thisProgram, "worker", "compile"});
}

protocol::KernelClient makeRunner(const RunPlace& place) {
    Result<std::shared_ptr<protocol::WorkerStarter>> starter =
        protocol::starterFor(place.target, thisProgram, place.gpu, place.bundle, place.memoryMegabytes);
    assert(starter);
    return protocol::KernelClient(std::move(*starter));
}

std::unique_ptr<protocol::WorkerClient> makeRunnerChild() {
    return std::make_unique<protocol::WorkerClient>(std::vector<std::string>{thisProgram, "worker", "run"});
}

std::unique_ptr<protocol::WorkerClient> makeCompilerChild() {
    return std::make_unique<protocol::WorkerClient>(std::vector<std::string>{thisProgram, "worker", "compile"});
}

protocol::CallOptions shown() {
    return {.progress = [](const std::string& stage) {
        if (::isatty(STDERR_FILENO)) fmt::print(stderr, "{} ...\n", stage);
    }};
}

} // namespace kernelarium::cli

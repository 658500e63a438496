// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "gpu/emulator/DeviceMemory.h"
#include "gpu/service/CompileService.h"
#include "gpu/service/RunService.h"
#include "gpu/service/ToolService.h"

#include <CLI/CLI.hpp>
#include <memory>
#include <unistd.h>

namespace kernelarium::cli {

namespace {

constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;

std::uint64_t physicalMemory() {
    return std::uint64_t(::sysconf(_SC_PHYS_PAGES)) * std::uint64_t(::sysconf(_SC_PAGESIZE));
}

/// The run child: a quarter of the machine's memory for the emulated device unless told otherwise. The address space is
/// limited so that host code, references and the program get at most as much again as the machine has: the emulated
/// memory reserves addresses for its bytes and for their states, more than it ever fills.
void serveRun(std::uint64_t megabytes, int gpu, Context& context) {
    const std::uint64_t device = megabytes ? megabytes * megabyte : physicalMemory() / 4;
    service::RunService service(device, gpu);
    service::ServerOptions options;
    options.addressSpace = emulator::DeviceMemory::reservation(device) + physicalMemory();
    context.exitCode = service::serve(service, options);
}

} // namespace

void addWorkerCommands(CLI::App& app, Context& context) {
    CLI::App* worker = app.add_subcommand("worker", "Serve requests as JSON lines on standard input and output, for "
                                                    "other programs (see gpu/protocol/Messages.h)");
    worker->require_subcommand(1);
    CLI::App* compile = worker->add_subcommand("compile", "Compile sources; stays warm between requests");
    compile->callback([&context] {
        service::CompileService service;
        context.exitCode = service::serve(service, {});
    });
    CLI::App* run = worker->add_subcommand("run", "Run and verify kernels");
    const auto megabytes = std::make_shared<std::uint64_t>(0);
    run->add_option("--memory", *megabytes,
                    "Megabytes of emulated device memory; a quarter of the machine's by default");
    const auto gpu = std::make_shared<int>(0);
    run->add_option("--gpu", *gpu, "Which of the machine's GPUs, in the order of `device list`, from 0 on")
        ->check(CLI::Range(0, 1023));
    CLI::App* tools =
        worker->add_subcommand("tools", "Run programs of this machine: clang-tidy, Nsight Compute, your Python");
    tools->callback([&context] {
        service::ToolService service;
        context.exitCode = service::serve(service, {});
    });
    run->callback([megabytes, gpu, &context] { serveRun(*megabytes, *gpu, context); });
}

} // namespace kernelarium::cli

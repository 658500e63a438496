// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "core/threads/SharedCores.h"
#include "gpu/emulator/memory/DeviceMemory.h"
#include "gpu/process/MemoryWatch.h"
#include "gpu/service/CompileService.h"
#include "gpu/service/RunService.h"
#include "gpu/service/ToolService.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <thread>

namespace kernelarium::cli {

namespace {

constexpr std::uint64_t megabyte = std::uint64_t(1) << 20;
constexpr std::uint64_t gigabyte = std::uint64_t(1) << 30;
constexpr std::uint64_t leastMemory = 256 * megabyte; ///< what the program itself needs, and some

/// Addresses for what is held and as much again, for libraries, and for the stacks and heaps of threads.
std::uint64_t addressesFor(std::uint64_t memory) {
    return 2 * memory + 4 * gigabyte + std::max(1U, std::thread::hardware_concurrency()) * 256 * megabyte;
}

/// The run child: a quarter of the machine's memory unless told otherwise, held by the emulated device, by host code
/// and by what they leave behind together. The tensors of a task, their references and what is converted on the way
/// come on top, as they are known beforehand. The emulated device gets two fifths: each of its bytes has a state
/// besides, and there are records of races.
void serveRun(std::uint64_t megabytes, int gpu, const std::string& idleCores, Context& context) {
    if (!idleCores.empty()) threads::useSharedCores(idleCores);
    service::ServerOptions options;
    options.memory = std::max(megabytes ? megabytes * megabyte : process::machineMemory() / 4, leastMemory);
    const std::uint64_t device = options.memory / 5 * 2;
    const std::uint64_t ofTasks = 2 * options.memory;
    const std::uint64_t profiled = 2 * options.memory; // little of it is ever touched
    service::RunService service(device, gpu, {.profiled = profiled, .ofTasks = ofTasks});
    // Reserved addresses count here, and most of these are never filled; what bounds is options.memory.
    options.addressSpace = emulator::DeviceMemory::reservation(profiled) + ofTasks + addressesFor(options.memory);
    context.exitCode = service::serve(service, options);
}

/// The compile child: a quarter of the machine's memory, for NVRTC and ptxas together; from 2 to 6 GB, since no source
/// that makes sense needs more. Files of CUTLASS's templates take 2 to 4 GB.
void serveCompile(std::uint64_t megabytes, bool many, Context& context) {
    service::CompileService service(many);
    service::ServerOptions options;
    options.memory = megabytes ? std::max(megabytes * megabyte, leastMemory)
                               : std::clamp(process::machineMemory() / 4, 2 * gigabyte, 6 * gigabyte);
    // What doubles asks for twice what it holds, and is to be seen at it rather than to fail.
    options.addressSpace = options.memory + addressesFor(options.memory);
    context.exitCode = service::serve(service, options);
}

} // namespace

void addWorkerCommands(CLI::App& app, Context& context) {
    CLI::App* worker = app.add_subcommand("worker", "Serve requests as JSON lines on standard input and output, for "
                                                    "other programs (see gpu/protocol/Messages.h)");
    worker->require_subcommand(1);
    CLI::App* compile = worker->add_subcommand("compile", "Compile sources; stays warm between requests");
    const auto compilerMegabytes = std::make_shared<std::uint64_t>(0);
    compile->add_option("--memory", *compilerMegabytes,
                        "Megabytes of memory that the compiler may take; a quarter of the machine's by default, "
                        "from 2 to 6 GB");
    const auto many = std::make_shared<bool>(false);
    compile->add_flag("--many", *many, "Many sources follow: the first one makes what spares the others time");
    compile->callback([compilerMegabytes, many, &context] { serveCompile(*compilerMegabytes, *many, context); });
    CLI::App* run = worker->add_subcommand("run", "Run and verify kernels");
    const auto megabytes = std::make_shared<std::uint64_t>(0);
    run->add_option("--memory", *megabytes,
                    "Megabytes of memory that a kernel's run may take beside its task's own tensors; a quarter of the "
                    "machine's by default. Two fifths of it are the emulated device's");
    const auto gpu = std::make_shared<int>(0);
    run->add_option("--gpu", *gpu, "Which of the machine's GPUs, in the order of `device list`, from 0 on")
        ->check(CLI::Range(0, 1023));
    const auto idleCores = std::make_shared<std::string>();
    run->add_option("--idle-cores", *idleCores,
                    "Of an audit: the file in memory that counts its idle processors; it takes no others than these")
        ->option_text("FILE");
    CLI::App* tools =
        worker->add_subcommand("tools", "Run programs of this machine: clang-tidy, Nsight Compute, your Python");
    tools->callback([&context] {
        service::ToolService service;
        context.exitCode = service::serve(service, {});
    });
    run->callback([megabytes, gpu, idleCores, &context] { serveRun(*megabytes, *gpu, *idleCores, context); });
}

} // namespace kernelarium::cli

// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveCommands.h"
#include "app/cli/Workers.h"
#include "gpu/worker/DeviceMessages.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace kernelarium::cli {

namespace {

std::string figure(double value, const char* unit, int digits = 0) {
    return value > 0 ? fmt::format("{:.{}f} {}", value, digits, unit) : std::string("-");
}

void printDevices(const worker::DeviceList& list) {
    using Align = TextTable::Align;
    TextTable table({{"backend", Align::left}, {"device", Align::left}, {"arch", Align::left}, {"SMs", Align::right}, {"memory", Align::right},
                     {"clock", Align::right}, {"memory clock", Align::right}, {"CUDA", Align::left}});
    for (const worker::DeviceSummary& d : list.devices)
        table.add({d.backend, d.name, d.arch, std::to_string(d.multiprocessors), figure(double(d.memoryBytes) / 1e9, "GB", 1),
                      figure(d.clockMHz, "MHz"), figure(d.memoryClockMHz, "MHz"), d.driver.empty() ? "-" : d.driver});
    fmt::print("{}", table.text());
    if (list.missing) fmt::print("No GPU: {}\n", list.missing->text());
}

void listDevices(Context& context) {
    worker::WorkerClient runner = makeWorker("run");
    Result<worker::DeviceList> list = devicesOf(runner);
    if (!list) return void(report(context, list.error()));
    if (context.json) printJson(worker::toJson(*list));
    else printDevices(*list);
    context.exitCode = exitSuccess;
}

} // namespace

void addDeviceCommands(CLI::App& app, Context& context) {
    CLI::App* devices = app.add_subcommand("device", "What kernels can run on here");
    devices->require_subcommand(1);
    devices->add_subcommand("list", "The emulator and the GPUs of this machine; why there is none, where there is none")
        ->callback([&context] { listDevices(context); });
}

} // namespace kernelarium::cli

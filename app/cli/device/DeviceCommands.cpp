// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "app/cli/Workers.h"
#include "core/perf/MeasuredCeilings.h"
#include "core/quantities/Quantities.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::cli {

namespace {

std::string clockCell(double megahertz) {
    return megahertz > 0 ? fmt::format("{:.0f} MHz", megahertz) : std::string("-");
}

void printDevices(const protocol::DeviceList& list) {
    using Align = TextTable::Align;
    TextTable table({{"backend", Align::left},
                     {"device", Align::left},
                     {"arch", Align::left},
                     {"SMs", Align::right},
                     {"memory", Align::right},
                     {"clock", Align::right},
                     {"memory clock", Align::right},
                     {"CUDA", Align::left}});
    for (const protocol::DeviceSummary& d : list.devices)
        table.add({d.backend, d.name, d.arch, std::to_string(d.multiprocessors),
                   quantities::bytes(double(d.memoryBytes)), clockCell(d.clockMHz), clockCell(d.memoryClockMHz),
                   d.driver.empty() ? "-" : d.driver});
    fmt::print("{}", table.text());
    if (list.missing) fmt::print("No GPU: {}\n", list.missing->text());
}

void listDevices(Context& context, const RunPlace& place) {
    Result<protocol::DeviceList> list = makeRunner(place).devices(shown());
    if (!list) return void(report(context, list.error()));
    if (context.json)
        printJson(protocol::toJson(*list));
    else
        printDevices(*list);
    context.exitCode = exitSuccess;
}

std::string rateCell(double rate, std::string_view unit) {
    return rate > 0 ? quantities::si(rate, unit) : std::string("-");
}

void printCeilings(const perf::MeasuredCeilings& m, const perf::DeviceSpec* spec, const std::filesystem::path& kept) {
    using Align = TextTable::Align;
    fmt::print("{} ({}), driver {}, {}{}\n", m.device, m.arch, m.driver, quantities::seconds(m.seconds),
               spec ? "; data sheet: " + spec->name : std::string("; no data sheet is known"));
    TextTable table({{"ceiling", Align::left},
                     {"measured", Align::right},
                     {"data sheet", Align::right},
                     {"ratio", Align::right},
                     {"clock", Align::right},
                     {"by", Align::left}});
    std::string notes;
    for (const perf::Ceiling& c : m.ceilings) {
        const std::string_view unit = perf::ceilingUnit(c.key);
        const double published = spec ? perf::datasheetRate(*spec, c.key) : 0;
        table.add({std::string(perf::ceilingName(c.key)), rateCell(c.rate, unit), rateCell(published, unit),
                   published > 0 ? quantities::percent(c.rate / published) : "-", clockCell(c.clockMHz), c.method});
        const std::string why = spec ? perf::whyNotTrusted(c, *spec) : std::string();
        if (!why.empty()) notes += fmt::format("unreliable: {}: {}\n", perf::ceilingName(c.key), why);
    }
    for (const std::string& remark : m.remarks)
        notes += "note: " + remark + "\n";
    fmt::print("{}{}kept in {}\n", table.text(), notes, kept.string());
}

nlohmann::json ceilingsJson(const perf::MeasuredCeilings& m, const perf::DeviceSpec* spec,
                            const std::filesystem::path& kept) {
    nlohmann::json j = perf::toJson(m);
    for (nlohmann::json& c : j["ceilings"]) {
        const perf::Ceiling* ceiling = m.find(c.at("key").get<std::string>());
        const double published = spec && ceiling ? perf::datasheetRate(*spec, ceiling->key) : 0;
        c["datasheet"] = published > 0 ? nlohmann::json(published) : nlohmann::json(nullptr);
        c["ratio"] = published > 0 ? nlohmann::json(ceiling->rate / published) : nlohmann::json(nullptr);
        c["not_trusted"] = spec && ceiling ? perf::whyNotTrusted(*ceiling, *spec) : std::string();
    }
    j["datasheet"] = spec ? nlohmann::json(spec->id) : nlohmann::json(nullptr);
    j["file"] = kept.string();
    return j;
}

void measureDevice(Context& context, const RunPlace& place) {
    Result<perf::MeasuredCeilings> measured = makeRunner(place).measure(shown());
    if (!measured) return void(report(context, measured.error()));
    Result<std::filesystem::path> kept = perf::saveCeilings(*measured);
    if (!kept) return void(report(context, kept.error()));
    const perf::DeviceSpec* spec = perf::findDeviceSpec(measured->device);
    if (context.json)
        printJson(ceilingsJson(*measured, spec, *kept));
    else
        printCeilings(*measured, spec, *kept);
    context.exitCode = exitSuccess;
}

} // namespace

void addDeviceCommands(CLI::App& app, Context& context) {
    CLI::App* devices = app.add_subcommand("device", "What kernels can run on");
    devices->require_subcommand(1);
    const auto add = [&](const char* name, const char* description, void (*action)(Context&, const RunPlace&)) {
        const auto place = std::make_shared<RunPlace>();
        CLI::App* command = devices->add_subcommand(name, description);
        addPlaceOptions(*command, *place);
        command->callback([&context, place, action] { action(context, *place); });
    };
    add("list", "List the emulator and the GPUs of a machine, or say why there are none", listDevices);
    add("measure", "Measure the best bandwidths and rates of the GPU, shown beside its data sheet; kept for plots",
        measureDevice);
}

} // namespace kernelarium::cli

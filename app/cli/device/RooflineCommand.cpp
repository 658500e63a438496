// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/ArchiveChoice.h"
#include "app/cli/Context.h"
#include "app/cli/DeviceWords.h"
#include "app/cli/Output.h"
#include "app/cli/device/RooflineSvg.h"
#include "core/archive/store/Archive.h"
#include "core/perf/MeasuredCeilings.h"
#include "core/quantities/Quantities.h"
#include "core/session/SessionStore.h"
#include "core/task/Cost.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fstream>
#include <memory>

namespace kernelarium::cli {

namespace {

struct RooflineOptions {
    std::string task;
    std::string device = "h200";
    std::string plot;
    std::string sessionFile;
    std::filesystem::path archive;
};

/// A task's kernels under a device's roofs.
struct RooflineOfTask {
    const perf::DeviceSpec* device = nullptr;
    task::TaskKey task;
    double flops = 0, bytes = 0;
    std::optional<perf::MeasuredCeilings> measured;
    RooflineChart chart;
};

Result<void> addCost(RooflineOfTask& found) {
    Result<task::Card> card = task::loadCard(found.task.level, found.task.task);
    if (!card) return card.error();
    const Result<task::Symbols> symbols = card->size("full");
    if (!symbols) return symbols.error();
    const Result<task::Cost> cost = task::costOf(*card, *symbols);
    if (!cost) return cost.error();
    found.flops = cost->flops;
    found.bytes = cost->compulsoryBytes;
    return {};
}

Result<void> addArchived(RooflineOfTask& found, const std::filesystem::path& path) {
    Result<archive::Archive> opened = archive::Archive::open(path);
    if (!opened) return opened.error();
    archive::KernelQuery query;
    query.filter.level = found.task.level;
    query.filter.task = found.task.task;
    Result<std::vector<archive::KernelSummary>> kernels = opened->list(query);
    if (!kernels) return kernels.error();
    for (const archive::KernelSummary& kernel : *kernels)
        if (kernel.runtime && *kernel.runtime > 0)
            found.chart.marks.push_back({kernel.label(),
                                         "archived",
                                         kernel.correct.value_or(true),
                                         {found.flops, found.bytes, *kernel.runtime / 1e3}});
    return {};
}

/// Attempts of a session file that were timed at full size on this device.
Result<void> addAttempts(RooflineOfTask& found, const std::filesystem::path& path) {
    if (!std::filesystem::exists(path))
        return Error{"missing_file", "There is no session file " + path.string() + ".", "Name one that exists."};
    Result<session::SessionStore> store = session::SessionStore::open(path);
    if (!store) return store.error();
    session::AttemptFilter filter;
    filter.task = session::AttemptFilter::TaskNumber{found.task.level, found.task.task};
    Result<std::vector<session::AttemptSummary>> attempts = store->attempts(filter);
    if (!attempts) return attempts.error();
    for (const session::AttemptSummary& attempt : *attempts)
        for (const session::Timing& timing : attempt.timings)
            if (perf::findDeviceSpec(timing.device) == found.device && timing.size == "full")
                found.chart.marks.push_back({fmt::format("attempt {} {}", attempt.id,
                                                         attempt.name.empty() ? attempt.kernelTitle : attempt.name),
                                             std::string(session::name(timing.origin)),
                                             attempt.verdict == "verified",
                                             {timing.flops, timing.bytes, timing.milliseconds / 1e3}});
    return {};
}

void addRoofs(RooflineOfTask& found) {
    found.chart.datasheet = perf::rooflineOf(*found.device);
    const std::vector<perf::MeasuredCeilings> kept = perf::keptCeilings();
    const perf::MeasuredCeilings* measured = perf::ceilingsOf(kept, *found.device);
    if (!measured) return;
    found.measured = *measured;
    found.chart.measured = perf::rooflineOf(*measured, *found.device);
    const auto doubt = [&](std::string_view key, std::string_view name) {
        const perf::Ceiling* ceiling = measured->find(key);
        if (ceiling && !perf::whyNotTrusted(*ceiling, *found.device).empty()) found.chart.distrusted.emplace_back(name);
    };
    for (const auto& roof : found.chart.measured->memory)
        doubt(roof.level == perf::MemoryLevel::device ? "device_read" : perf::key(roof.level), perf::name(roof.level));
    for (const auto& roof : found.chart.measured->compute)
        doubt(perf::key(roof.precision), perf::name(roof.precision));
}

nlohmann::json roofsJson(const RooflineOfTask& found) {
    nlohmann::json j = {{"memory", nlohmann::json::array()}, {"compute", nlohmann::json::array()}};
    const auto roof = [&](std::string_view key, const char* unit, double published, const char* ceilingKey) {
        const perf::Ceiling* measured = found.measured ? found.measured->find(ceilingKey) : nullptr;
        return nlohmann::json{
            {"name", key},
            {"unit", unit},
            {"datasheet", published},
            {"measured", measured ? nlohmann::json(measured->rate) : nlohmann::json(nullptr)},
            {"not_trusted", measured ? perf::whyNotTrusted(*measured, *found.device) : std::string()}};
    };
    for (const auto& r : found.chart.datasheet.memory) {
        const std::string key(perf::key(r.level));
        j["memory"].push_back(
            roof(key, "B/s", r.bytesPerSecond, r.level == perf::MemoryLevel::device ? "device_read" : key.c_str()));
    }
    for (const auto& r : found.chart.datasheet.compute) {
        const std::string key(perf::key(r.precision));
        j["compute"].push_back(roof(key, "FLOP/s", r.flopsPerSecond, key.c_str()));
    }
    return j;
}

nlohmann::json markJson(const RooflineOfTask& found, const RooflineMark& mark) {
    nlohmann::json j = {{"kernel", mark.label},
                        {"origin", mark.origin},
                        {"right", mark.right},
                        {"milliseconds", mark.work.seconds * 1e3},
                        {"flops", mark.work.flops},
                        {"bytes", mark.work.bytes},
                        {"flops_per_second", mark.work.flops / mark.work.seconds},
                        {"share", nullptr},
                        {"share_of_measured", nullptr},
                        {"bound", nullptr}};
    if (const auto placed = perf::place(found.chart.datasheet, mark.work)) {
        j["share"] = placed->share;
        j["bound"] = placed->bound == perf::Bound::memory ? "memory" : "compute";
    }
    if (found.chart.measured)
        if (const auto placed = perf::place(*found.chart.measured, mark.work)) j["share_of_measured"] = placed->share;
    return j;
}

void printRoofline(Context& context, const RooflineOfTask& found) {
    if (context.json) {
        nlohmann::json j = {
            {"task", fmt::format("{}/{}", found.task.level, found.task.task)},
            {"size", "full"},
            {"device", found.device->id},
            {"flops", found.flops},
            {"bytes", found.bytes},
            {"byte_source", "compulsory"},
            {"roofs", roofsJson(found)},
            {"measured_ms", found.measured ? nlohmann::json(found.measured->dateMs) : nlohmann::json(nullptr)},
            {"points", nlohmann::json::array()}};
        for (const RooflineMark& mark : found.chart.marks)
            j["points"].push_back(markJson(found, mark));
        return printJson(j);
    }
    const perf::MemoryRoof* memory = found.chart.datasheet.find(perf::MemoryLevel::device);
    const perf::ComputeRoof* strong = found.chart.datasheet.find(perf::Precision::fp32);
    fmt::print("task {}/{}, full size: {}, at least {}, {} FLOP/byte\n{}: {}, float32 {}, ridge at {} FLOP/byte{}\n",
               found.task.level, found.task.task, quantities::si(found.flops, "FLOP"), quantities::bytes(found.bytes),
               quantities::number(found.bytes > 0 ? found.flops / found.bytes : 0), found.device->name,
               quantities::si(memory ? memory->bytesPerSecond : 0, "B/s"),
               quantities::si(strong ? strong->flopsPerSecond : 0, "FLOP/s"),
               quantities::number(memory && strong ? perf::ridge(*memory, *strong) : 0),
               found.measured ? "; measured roofs are known" : "");
    TextTable table({{"ms", TextTable::Align::right},
                     {"of the roof", TextTable::Align::right},
                     {"measured roof", TextTable::Align::right},
                     {"bound by", TextTable::Align::left},
                     {"origin", TextTable::Align::left},
                     {"", TextTable::Align::left},
                     {"kernel", TextTable::Align::left}});
    const auto percent = [](const nlohmann::json& share) {
        return share.is_null() ? std::string("-") : quantities::percent(share.get<double>());
    };
    for (const RooflineMark& mark : found.chart.marks) {
        const nlohmann::json j = markJson(found, mark);
        table.add({quantities::number(mark.work.seconds * 1e3, 4), percent(j["share"]), percent(j["share_of_measured"]),
                   j["bound"].is_null() ? "-" : j["bound"].get<std::string>(), mark.origin,
                   mark.right ? "" : "not right", printable(mark.label)});
    }
    fmt::print("{}", table.text());
    for (const std::string& name : found.chart.distrusted)
        fmt::print("unreliable: the measured roof of {}; see `device measure`\n", name);
}

Result<void> writePlot(const RooflineChart& chart, const std::string& path) {
    std::ofstream out(path, std::ios::binary);
    out << rooflineSvg(chart);
    out.close();
    if (out) return {};
    return Error{"unwritable_file", "The plot could not be written to " + path + ".", "Choose another place."};
}

Result<RooflineOfTask> rooflineOfTask(const RooflineOptions& options) {
    const Result<task::TaskKey> key = task::parseTaskKey(options.task);
    if (!key) return key.error();
    RooflineOfTask found;
    found.task = *key;
    found.device = perf::findDeviceSpec(options.device);
    if (!found.device) {
        std::vector<std::string> known;
        for (const perf::DeviceSpec& device : perf::deviceSpecs())
            known.push_back(device.id);
        return Error{"bad_input", "No device is known as " + options.device + ".",
                     fmt::format("Use one of {}.", fmt::join(known, ", "))};
    }
    if (Result<void> cost = addCost(found); !cost) return cost.error();
    addRoofs(found);
    if (Result<void> archived = addArchived(found, options.archive); !archived) return archived.error();
    if (!options.sessionFile.empty())
        if (Result<void> attempts = addAttempts(found, options.sessionFile); !attempts) return attempts.error();
    std::stable_sort(found.chart.marks.begin(), found.chart.marks.end(),
                     [](const RooflineMark& a, const RooflineMark& b) { return a.work.seconds < b.work.seconds; });
    found.chart.title =
        fmt::format("Task {}/{}, full size, under the roofs of {}", key->level, key->task, found.device->name);
    return found;
}

void runRoofline(const RooflineOptions& options, Context& context) {
    Result<RooflineOfTask> found = rooflineOfTask(options);
    if (!found) return void(report(context, found.error()));
    if (!options.plot.empty())
        if (Result<void> written = writePlot(found->chart, options.plot); !written)
            return void(report(context, written.error()));
    printRoofline(context, *found);
    context.exitCode = exitSuccess;
}

} // namespace

void addRooflineCommand(CLI::App& app, Context& context) {
    const auto options = std::make_shared<RooflineOptions>();
    CLI::App* command = app.add_subcommand(
        "roofline",
        "Show where a task's kernels stand under a device's roofs: archived times, and attempts of a session");
    command->add_option("task", options->task, "Task as LEVEL/TASK, for example 1/16")->required();
    command
        ->add_option("--device", options->device,
                     "Device whose roofs are drawn, with those that `device measure` kept; " + options->device +
                         " by default")
        ->option_text(deviceWords())
        ->capture_default_str();
    command->add_option("--plot", options->plot, "Write the chart there")->option_text("FILE.svg");
    command
        ->add_option("--session", options->sessionFile,
                     "Also the attempts of this session file that were timed on the device")
        ->option_text("FILE");
    addArchiveOption(*command, options->archive);
    command->callback([options, &context] { runRoofline(*options, context); });
}

} // namespace kernelarium::cli

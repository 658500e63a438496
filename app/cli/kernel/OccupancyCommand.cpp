// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/OccupancyCommand.h"

#include "app/cli/Context.h"
#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "core/verify/LaunchedBlocks.h"
#include "gpu/protocol/Trial.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::cli {

namespace {

using verify::LaunchedBlock;

struct Placed {
    std::vector<LaunchedBlock> blocks;
    std::vector<std::string> unknown; ///< kernels whose block size nobody knows
    std::vector<std::string> notes;
};

void replaceGiven(perf::BlockNeeds& needs, const OccupancyOptions& options) {
    needs.threads = options.threads.value_or(needs.threads);
    needs.registers = options.registers.value_or(needs.registers);
    needs.sharedBytes = options.sharedBytes.value_or(needs.sharedBytes);
    needs.barriers = options.barriers.value_or(needs.barriers);
}

Result<Placed> placedOf(const OccupancyOptions& options, std::string& arch) {
    KernelJob work(options.job);
    Result<PreparedJob> job = work.prepare();
    if (!job) return job.error();
    arch = work.arch();
    if (!job->unit().ok)
        return Error{"bad_input", "The kernel does not compile (" + job->unit().failedStage + ").", "",
                     protocol::errorsText(job->unit())};
    Placed placed;
    std::vector<verify::Launch> launches;
    const protocol::RunParameters& p = job->parameters;
    if (job->unit().isProgram) { // it is run as it is: whatever it returns, its launches were seen
        const Result<protocol::RunSummary> run = work.run(*job);
        if (!run) return run.error();
        if (run->end != "finished") placed.notes.push_back("The run ended early: " + run->reason);
        launches = run->launches;
    } else if (p.card || !p.arguments.empty()) {
        const Result<protocol::ProfileSummary> profile = work.profile(*job);
        if (!profile) return profile.error();
        if (profile->end != "finished") placed.notes.push_back("The run ended early: " + profile->reason);
        launches = protocol::launchesOf(*profile);
    } else {
        placed.notes.emplace_back("Nothing says how the kernels are called (--task, --arg): no launch is known.");
    }
    for (LaunchedBlock& block : verify::launchedBlocks(protocol::kernelNeedsOf(job->unit()), launches)) {
        replaceGiven(block.needs, options);
        if (block.needs.threads > 0)
            placed.blocks.push_back(std::move(block));
        else
            placed.unknown.push_back(std::move(block.kernel));
    }
    if (placed.blocks.empty() && placed.unknown.empty())
        return Error{"bad_input", "There is no kernel in " + job->source.label + "."};
    if (placed.blocks.empty())
        return Error{"bad_input", "How many threads a block has is not known: no launch was seen.",
                     "Give --threads, or how the kernels are called: --task or --arg."};
    return placed;
}

nlohmann::json limitsJson(const perf::MultiprocessorLimits& l) {
    return {{"threads", l.threads},
            {"warps", l.warps},
            {"blocks", l.blocks},
            {"registers", l.registers},
            {"registers_per_thread", l.registersPerThread},
            {"register_unit", l.registerUnit},
            {"warp_unit", l.warpUnit},
            {"shared_bytes", l.sharedBytes},
            {"shared_bytes_per_block", l.sharedBytesPerBlock},
            {"shared_unit", l.sharedUnit},
            {"reserved_shared_bytes", l.reservedSharedBytes},
            {"threads_per_block", l.threadsPerBlock},
            {"barriers", l.barriers}};
}

void print(const Placed& placed, const std::string& arch, const perf::MultiprocessorLimits& limits) {
    nlohmann::json blocks = nlohmann::json::array();
    for (const LaunchedBlock& b : placed.blocks) {
        nlohmann::json j = perf::occupancyReport(b.needs, limits);
        j["kernel"] = b.kernel.empty() ? nlohmann::json(nullptr) : nlohmann::json(b.kernel);
        j["launches"] = b.launches;
        if (b.launches > 0) j["grid"] = b.grid, j["block"] = b.block;
        blocks.push_back(std::move(j));
    }
    printJson({{"arch", arch},
               {"limits", limitsJson(limits)},
               {"blocks", std::move(blocks)},
               {"block_size_unknown", placed.unknown},
               {"notes", placed.notes}});
}

std::string dimensions(const std::array<std::uint32_t, 3>& d) {
    return fmt::format("{}x{}x{}", d[0], d[1], d[2]);
}

std::string limitWords(const perf::Occupancy& o) {
    std::vector<std::string> names;
    for (const perf::OccupancyLimit limit : o.limits())
        names.emplace_back(limit == perf::OccupancyLimit::shared ? "shared memory" : perf::name(limit));
    return fmt::format("{}", fmt::join(names, " and "));
}

std::string curveText(perf::BlockNeed need, const perf::BlockNeeds& needs, const perf::MultiprocessorLimits& limits) {
    std::string out;
    const std::uint32_t own = perf::valueOf(needs, need);
    for (const perf::OccupancyRun& run : perf::curveOver(need, needs, limits)) {
        constexpr std::uint32_t longest = 32;
        const std::string range = run.from == run.to ? std::to_string(run.to) : fmt::format("{}-{}", run.from, run.to);
        const bool here = own >= run.from && own <= run.to;
        out += fmt::format("    {:>15}  blocks {:>2}  warps {:>2}  {:<32}{}\n", range, run.blocks, run.warps,
                           std::string(run.warps * longest / limits.warps, '#'),
                           here ? fmt::format("  <- {}", own) : std::string());
    }
    return out;
}

std::string blockText(const LaunchedBlock& b, const std::string& arch, const perf::MultiprocessorLimits& limits,
                      const std::string& curve) {
    const perf::Occupancy o = perf::occupancyOf(b.needs, limits);
    std::string out;
    if (!b.kernel.empty()) out += printable(b.kernel);
    if (b.launches > 0)
        out += fmt::format("  {} of {} blocks of {} threads",
                           quantities::counted(double(b.launches), "launch", "launches"), dimensions(b.grid),
                           dimensions(b.block));
    else if (!b.kernel.empty())
        out += "  not launched";
    if (!out.empty()) out += "\n";
    out += fmt::format("  block       {} threads ({}), {} registers a thread, {} bytes of shared memory, on {}\n",
                       b.needs.threads, quantities::counted((b.needs.threads + 31) / 32, "warp"),
                       b.needs.registers ? std::to_string(b.needs.registers) : "unknown", b.needs.sharedBytes, arch);
    if (o.blocks > 0)
        out += fmt::format("  resident    {}, {} of {} warps ({}), limited by {}\n",
                           quantities::counted(o.blocks, "block"), o.warps, limits.warps, quantities::percent(o.share),
                           limitWords(o));
    else
        out += "  resident    none: one block does not fit\n";
    out += fmt::format("  allowed by  warps {}, blocks {}, registers {}, shared memory {}", o.byWarps, o.byBlocks,
                       o.byRegisters, o.byShared);
    if (b.needs.barriers > 0 && limits.barriers > 0) out += fmt::format(", barriers {}", o.byBarriers);
    out += "\n";
    const auto gains = perf::gainsOf(b.needs, limits);
    for (const perf::OccupancyStep& step : gains)
        out += fmt::format("  gain        {}\n", perf::inWords(step));
    if (gains.empty() && !o.oneMore.empty()) out += fmt::format("  gain        {}\n", o.oneMore);
    for (const perf::OccupancyStep& step : perf::lossesOf(b.needs, limits))
        out += fmt::format("  loss        {}\n", perf::inWords(step));
    for (const perf::BlockNeed need : perf::blockNeeds)
        if (curve == perf::name(need)) out += fmt::format("  over {}\n{}", curve, curveText(need, b.needs, limits));
    return out;
}

void printText(const Placed& placed, const std::string& arch, const perf::MultiprocessorLimits& limits,
               const std::string& curve) {
    for (const LaunchedBlock& b : placed.blocks)
        fmt::print("{}", blockText(b, arch, limits, curve));
    for (const std::string& kernel : placed.unknown)
        fmt::print("{}  not launched: give --threads to see it\n", printable(kernel));
    for (const std::string& note : placed.notes)
        fmt::print(stderr, "note: {}\n", printable(note));
}

} // namespace

void addOccupancyOptions(CLI::App& command, OccupancyOptions& options) {
    const auto number = [&command](const char* name, std::optional<std::uint32_t>& value, const char* help, int least,
                                   int most) {
        command.add_option(name, value, help)->check(CLI::Range(least, most))->option_text("NUMBER");
    };
    number("--threads", options.threads, "Threads of a block: without a file, or in place of the launch's", 1, 4096);
    number("--registers", options.registers, "Registers of a thread, likewise", 0, 1024);
    number("--shared", options.sharedBytes, "Bytes of shared memory of a block, static and dynamic, likewise", 0,
           16777216);
    number("--barriers", options.barriers, "Barriers that a block synchronises at, likewise", 0, 64);
    command.add_option("--curve", options.curve, "Print what is resident over this, too; --json has all of them")
        ->check(CLI::IsMember({"threads", "registers", "shared_bytes"}));
}

void runOccupancy(const OccupancyOptions& options, Context& context) {
    const bool numbers = options.job.file.empty() && options.job.kernelId.empty();
    if (numbers && !options.threads)
        return void(report(context, {"bad_usage", "Neither a kernel nor the size of a block was given.",
                                     "Give FILE.cu, --kernel ID or --threads."}));
    std::string arch = options.job.arch.empty() ? "sm_90" : options.job.arch;
    const auto limitsNow = [&]() -> Result<const perf::MultiprocessorLimits*> {
        if (const perf::MultiprocessorLimits* limits = perf::limitsOf(arch)) return limits;
        return Error{"bad_input", "What a multiprocessor of \"" + arch + "\" holds is not known.",
                     "Give --arch one of " + perf::architectureWords() + "."};
    };
    if (const auto known = limitsNow(); !known) return void(report(context, known.error()));
    Placed placed;
    if (numbers) {
        placed.blocks.emplace_back();
        replaceGiven(placed.blocks.back().needs, options);
    } else {
        Result<Placed> found = placedOf(options, arch);
        if (!found) return void(report(context, found.error()));
        placed = std::move(*found);
    }
    const auto limits = limitsNow(); // the GPU's own, where kernels run on one
    if (!limits) return void(report(context, limits.error()));
    if (context.json)
        print(placed, arch, **limits);
    else
        printText(placed, arch, **limits, options.curve);
    const bool fits = std::all_of(placed.blocks.begin(), placed.blocks.end(),
                                  [&](const LaunchedBlock& b) { return perf::residentBlocks(b.needs, **limits) > 0; });
    context.exitCode = fits ? exitSuccess : exitCheckFailed;
}

} // namespace kernelarium::cli

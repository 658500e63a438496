// SPDX-License-Identifier: GPL-3.0-or-later
//
// How fast real kernels run in the emulator: each row's forward at its task's small size, one thread, with every check
// and with none. Prints million warp instructions a second (median of the repetitions and their spread), slowest first,
// and for the slowest ten what their counters say of why.
//
//   benchmark_kernels ROWS.jsonl... [--repeat N] [--only LEVEL/TASK] [--size small|full]
#include "core/perf/Counters.h"
#include "core/task/Card.h"
#include "core/verify/CardSubject.h"
#include "core/verify/inputs/InputPlan.h"
#include "gpu/compile/Compiler.h"
#include "gpu/host/run/EmulatorRunner.h"
#include "tests/benchmarks/sample_rows.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

using namespace kernelarium;
using nlohmann::json;

namespace {

struct Rate {
    double median = 0; ///< million warp instructions a second
    double least = 0;
    double most = 0;
};

struct Row {
    std::string key;
    std::string kernel;
    double warpInstructions = 0;
    double launches = 0;
    Rate checked;
    Rate plain;
    perf::LineCounters totals;
    double warps = 0;
};

struct Options {
    std::vector<std::string> files;
    int repeat = 3;
    std::string only;
    std::string size = "small";
};

Result<host::EmulatorRunner> runnerOf(compile::Compiler& compiler, const std::string& code) {
    auto unit = compiler.compile(code, {});
    if (!unit) return unit.error();
    if (!unit->ok) return Error{"compile_error", "does not compile (" + unit->failedStage + ")"};
    host::HostProgram program;
    program.ptx = unit->ptx;
    program.definesModule = unit->usesTensorExtension;
    host::EmulatorSettings settings;
    settings.jobs = 1;
    return host::EmulatorRunner(std::move(program), settings);
}

Result<verify::RunResult> runOnce(host::EmulatorRunner& runner, const verify::InputPlan& plan, bool checks,
                                  bool counters) {
    verify::RunRequest request;
    request.arguments = verify::argumentsOf(plan, verify::drawTensors(plan, 1));
    request.checks = checks;
    request.counters = counters;
    request.timeLimit = std::chrono::minutes(5);
    auto result = runner.run(request);
    if (result && result->end != verify::RunEnd::finished) return Error{"not_finished", result->reason};
    return result;
}

Result<Rate> rateOf(host::EmulatorRunner& runner, const verify::InputPlan& plan, bool checks, int repeat) {
    std::vector<double> rates;
    for (int k = 0; k < repeat; ++k) {
        auto result = runOnce(runner, plan, checks, false);
        if (!result) return result.error();
        double instructions = 0, seconds = 0;
        for (const verify::Launch& launch : result->launches) {
            instructions += double(launch.warpInstructions);
            seconds += launch.seconds;
        }
        if (seconds <= 0) return Error{"no_launch", "launches nothing of its own"};
        rates.push_back(instructions / seconds / 1e6);
    }
    std::sort(rates.begin(), rates.end());
    return Rate{rates[rates.size() / 2], rates.front(), rates.back()};
}

Result<Row> measure(compile::Compiler& compiler, const json& line, const Options& options) {
    const int level = line.at("Level_ID").get<int>(), number = line.at("Task_ID").get<int>();
    auto card = task::loadCard(level, number);
    if (!card) return card.error();
    auto plan = verify::planOf(*card, options.size);
    if (!plan) return plan.error();
    auto runner = runnerOf(compiler, line.at("CUDA_Code").get<std::string>());
    if (!runner) return runner.error();
    auto counted = runOnce(*runner, *plan, false, true);
    if (!counted) return counted.error();
    Row row;
    row.key = fmt::format("{}/{}", level, number);
    row.kernel = line.value("Kernel_Name", std::string());
    row.totals = perf::mergedTotals(counted->counters);
    row.launches = double(counted->launches.size());
    for (const verify::Launch& launch : counted->launches) {
        row.warpInstructions += double(launch.warpInstructions);
        row.warps += double(launch.grid[0]) * launch.grid[1] * launch.grid[2] *
                     ((double(launch.block[0]) * launch.block[1] * launch.block[2] + 31) / 32);
    }
    auto checked = rateOf(*runner, *plan, true, options.repeat);
    if (!checked) return checked.error();
    auto plain = rateOf(*runner, *plan, false, options.repeat);
    if (!plain) return plain.error();
    row.checked = *checked;
    row.plain = *plain;
    return row;
}

/// What makes a kernel's warp instructions dear, from its counters: a warp instruction that does one lane's work, or
/// that touches a line for each lane, costs as much as 32 of the cheap ones.
std::string why(const Row& r) {
    const perf::LineCounters& t = r.totals;
    const double all = std::max(1.0, t.warpInstructions);
    std::vector<std::string> reasons;
    const auto note = [&](bool holds, std::string text) {
        if (holds) reasons.push_back(std::move(text));
    };
    note(r.warpInstructions < 20'000 * r.launches,
         fmt::format("{:.0f} instructions a launch: starting threads and blocks shows",
                     r.warpInstructions / std::max(1.0, r.launches)));
    note(r.warpInstructions < 60 * r.warps,
         fmt::format("{:.0f} instructions a warp: starting it shows", r.warpInstructions / std::max(1.0, r.warps)));
    note(t.special > 0.04 * all, fmt::format("{:.0f}% exponentials, roots and divisions", 100 * t.special / all));
    note(t.atomic > 0.01 * all, fmt::format("{:.1f}% atomics, lane after lane", 100 * t.atomic / all));
    note(t.shuffle > 0.05 * all, fmt::format("{:.0f}% exchanges between lanes", 100 * t.shuffle / all));
    note(t.tensor > 0.005 * all,
         fmt::format("{:.1f}% matrix instructions of thousands of operations each", 100 * t.tensor / all));
    note(t.barrier > 0.02 * all, fmt::format("a barrier every {:.0f} instructions", all / t.barrier));
    const double sectors = perf::sectorsPerRequest(t).value_or(0);
    const double memory = t.loadGlobal + t.storeGlobal;
    note(sectors > 8 && memory > 0.03 * all,
         fmt::format("{:.0f}% global accesses of {:.0f} sectors each", 100 * memory / all, sectors));
    note(sectors <= 8 && memory > 0.12 * all, fmt::format("{:.0f}% global accesses", 100 * memory / all));
    const double shared = t.loadShared + t.storeShared;
    note(shared > 0.15 * all, fmt::format("{:.0f}% shared accesses", 100 * shared / all));
    const double local = t.loadLocal + t.storeLocal;
    note(local > 0.02 * all, fmt::format("{:.0f}% local accesses, a place for each lane", 100 * local / all));
    note(t.divergentBranches > 0.005 * all,
         fmt::format("lanes part at {:.1f}% of the instructions", 100 * t.divergentBranches / all));
    std::string text;
    for (const std::string& reason : reasons)
        text += (text.empty() ? "" : "; ") + reason;
    return text.empty() ? "no single cause" : text;
}

void print(std::vector<Row> rows) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.checked.median < b.checked.median; });
    fmt::print("{:>6}  {:>12} {:>26} {:>26} {:>7}  {}\n", "task", "warp instr.", "all checks, M/s (spread)",
               "none, M/s (spread)", "lanes", "kernel");
    std::vector<double> checked, plain;
    for (const Row& r : rows) {
        const auto text = [](const Rate& rate) {
            return fmt::format("{:.1f} ({:.1f}-{:.1f})", rate.median, rate.least, rate.most);
        };
        fmt::print("{:>6}  {:>12.0f} {:>26} {:>26} {:>7.1f}  {}\n", r.key, r.warpInstructions, text(r.checked),
                   text(r.plain), perf::activeLanes(r.totals).value_or(0), r.kernel);
        checked.push_back(r.checked.median);
        plain.push_back(r.plain.median);
    }
    if (rows.empty()) return;
    std::sort(plain.begin(), plain.end());
    fmt::print("\n{} kernels, M warp instructions/s of one core: median {:.1f} with every check, {:.1f} with none\n",
               rows.size(), checked[checked.size() / 2], plain[plain.size() / 2]);
    fmt::print("\nThe slowest ten, with every check:\n");
    for (std::size_t i = 0; i < rows.size() && i < 10; ++i)
        fmt::print("{:>6}  {}\n", rows[i].key, why(rows[i]));
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (i + 1 < argc && word == "--repeat")
            options.repeat = std::max(1, std::atoi(argv[++i]));
        else if (i + 1 < argc && word == "--only")
            options.only = argv[++i];
        else if (i + 1 < argc && word == "--size")
            options.size = argv[++i];
        else
            options.files.push_back(word);
    }
    if (options.files.empty()) {
        fmt::print(stderr,
                   "usage: benchmark_kernels ROWS.jsonl... [--repeat N] [--only LEVEL/TASK] [--size small|full]\n");
        return 2;
    }
    auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        fmt::print(stderr, "{}\n", compiler.error().text());
        return 3;
    }
    std::vector<Row> rows;
    for (const std::string& file : options.files)
        for (const json& line : benchmarks::readLines(file)) {
            const std::string key = fmt::format("{}/{}", line.at("Level_ID").get<int>(), line.at("Task_ID").get<int>());
            if (!options.only.empty() && key != options.only) continue;
            auto row = measure(**compiler, line, options);
            if (row)
                rows.push_back(std::move(*row));
            else
                fmt::print("{:>6}  left out: {}\n", key, row.error().message);
        }
    print(std::move(rows));
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// How well modelled time ranks real kernels: profiles the sample kernels at full size, models their time on an H200 and
// prints the Spearman rank correlation with what a real H200 measured (h200_oracle_sample.jsonl), over the kernels that
// launch anything of their own.
//
//   benchmark_model SHARED_FOLDER [--save FILE] [--load FILE] [--only TEXT]
//
// --save keeps each profile as a JSON line; --load models saved profiles again instead of making new ones.
#include "core/perf/ModelledTime.h"
#include "core/task/Card.h"
#include "gpu/compile/Compiler.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/service/RunService.h"
#include "tests/benchmarks/sample_rows.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

using namespace kernelarium;
using benchmarks::readLines;
using nlohmann::json;

namespace {

struct Row {
    std::string key; ///< "1/16"
    double measured = 0;
    double modelled = 0;
    double floor = 0; ///< compulsory bytes at the device's bandwidth, and the kernel's FLOPs at its peak
    std::string limiter;
    double share = 1;
    double seconds = 0;
    bool library = false;
};

int taskNumber(const std::string& name) {
    return std::atoi(name.c_str());
}

std::vector<double> ranks(const std::vector<double>& values) {
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return values[a] < values[b]; });
    std::vector<double> rank(values.size());
    for (std::size_t i = 0; i < order.size();) {
        std::size_t end = i;
        while (end < order.size() && values[order[end]] == values[order[i]])
            ++end;
        for (std::size_t k = i; k < end; ++k)
            rank[order[k]] = double(i + end - 1) / 2;
        i = end;
    }
    return rank;
}

double spearman(const std::vector<double>& a, const std::vector<double>& b) {
    const std::vector<double> ra = ranks(a), rb = ranks(b);
    const double mean = double(a.size() - 1) / 2;
    double ab = 0, aa = 0, bb = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        ab += (ra[i] - mean) * (rb[i] - mean);
        aa += (ra[i] - mean) * (ra[i] - mean);
        bb += (rb[i] - mean) * (rb[i] - mean);
    }
    return aa > 0 && bb > 0 ? ab / std::sqrt(aa * bb) : 0;
}

Result<protocol::ProfileSummary> profileKernel(compile::Compiler& compiler, const json& row, int level, int task) {
    auto card = task::loadCard(level, task);
    if (!card) return card.error();
    compile::CompileOptions options;
    auto unit = compiler.compile(row.at("CUDA_Code").get<std::string>(), options);
    if (!unit) return unit.error();
    if (!unit->ok) return Error{"compile_error", "does not compile (" + unit->failedStage + ")"};
    protocol::ProfileParameters p;
    p.run.unit = std::make_shared<const compile::CompiledUnit>(std::move(*unit));
    p.run.card = std::make_shared<const task::Card>(std::move(*card));
    p.run.size = "full";
    p.run.timeLimit = std::chrono::milliseconds(40000);
    service::RunService service(8ull << 30);
    protocol::Request request;
    request.method = "profile";
    request.params = protocol::toJson(p);
    auto answer = service.handle(request, {[](const std::string&) {}, {}}, {});
    if (!answer) return answer.error();
    return protocol::profileSummaryFromJson(*answer);
}

Row rowOf(const protocol::ProfileSummary& summary, const std::string& key, double measured,
          const perf::DeviceSpec& device) {
    const perf::ModelledTime time = perf::modelRun(summary.counters, summary.libraryCalls, device);
    Row row{key, measured, time.seconds * 1e3, 0, time.limiter, 1, summary.seconds, !summary.libraryCalls.empty()};
    for (const perf::LaunchCounters& c : summary.counters) {
        row.floor += 1e3 * std::max(c.uniqueBytes / device.memoryBandwidth, perf::totalFlops(c.totals) / device.fp32);
        row.share = std::min(row.share, c.sampling.share());
    }
    return row;
}

void print(std::vector<Row> rows) {
    std::sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) { return a.measured < b.measured; });
    fmt::print("{:>6} {:>12} {:>12} {:>7} {:>12}  {:<16} {:>8} {:>8}\n", "task", "measured ms", "modelled ms", "ratio",
               "floor ms", "limiter", "blocks", "seconds");
    std::vector<double> measured, modelled, floors, ownMeasured, ownModelled, ratios;
    for (const Row& r : rows) {
        fmt::print("{:>6} {:>12.4f} {:>12.4f} {:>7.2f} {:>12.4f}  {:<16} {:>7.2f}% {:>8.1f}{}\n", r.key, r.measured,
                   r.modelled, r.modelled / r.measured, r.floor, r.limiter, 100 * r.share, r.seconds,
                   r.library ? "  library" : "");
        measured.push_back(r.measured);
        modelled.push_back(r.modelled);
        floors.push_back(r.floor);
        ratios.push_back(std::abs(std::log(r.modelled / r.measured)));
        if (r.library) continue;
        ownMeasured.push_back(r.measured);
        ownModelled.push_back(r.modelled);
    }
    if (rows.size() < 3) return;
    std::sort(ratios.begin(), ratios.end());
    fmt::print("\n{} kernels with launches of their own: Spearman {:.3f} (the roofline bound alone: {:.3f})\n",
               rows.size(), spearman(measured, modelled), spearman(measured, floors));
    fmt::print("{} of them without library calls: Spearman {:.3f}\n", ownMeasured.size(),
               spearman(ownMeasured, ownModelled));
    fmt::print("median factor between modelled and measured: {:.2f}, 90th percentile: {:.2f}\n",
               std::exp(ratios[ratios.size() / 2]), std::exp(ratios[ratios.size() * 9 / 10]));
}

} // namespace

int main(int argc, char** argv) {
    std::string shared, save, load, only;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (i + 1 < argc && word == "--save")
            save = argv[++i];
        else if (i + 1 < argc && word == "--load")
            load = argv[++i];
        else if (i + 1 < argc && word == "--only")
            only = argv[++i];
        else
            shared = word;
    }
    if (shared.empty()) {
        fmt::print(stderr, "usage: benchmark_model SHARED_FOLDER [--save FILE] [--load FILE] [--only LEVEL/TASK]\n");
        return 2;
    }
    std::map<std::string, double> measured;
    for (const json& row : readLines(shared + "/facts/h200_oracle_sample.jsonl"))
        if (row.contains("kernel_ms") && row.at("kernel_ms").is_number())
            measured[fmt::format("{}/{}", row.at("level").get<int>(), taskNumber(row.at("name").get<std::string>()))] =
                row.at("kernel_ms").get<double>();
    const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
    std::vector<Row> rows;
    if (!load.empty()) {
        for (const json& line : readLines(load)) {
            const std::string key = line.at("key").get<std::string>();
            auto summary = protocol::profileSummaryFromJson(line.at("profile"));
            if (summary && (only.empty() || key == only))
                rows.push_back(rowOf(*summary, key, measured.at(key), device));
        }
        print(rows);
        return 0;
    }
    auto compiler = compile::Compiler::create(compile::Toolkit::find());
    if (!compiler) {
        fmt::print(stderr, "{}\n", compiler.error().text());
        return 3;
    }
    std::ofstream out;
    if (!save.empty()) out.open(save);
    for (const json& row : readLines(shared + "/archive_sample/one_kernel_per_task.jsonl")) {
        const int level = row.at("Level_ID").get<int>();
        const int task = row.at("Task_ID").get<int>();
        const std::string key = fmt::format("{}/{}", level, task);
        if (!measured.count(key) || (!only.empty() && key != only)) continue;
        auto summary = profileKernel(**compiler, row, level, task);
        if (!summary || summary->end != "finished") {
            fmt::print("{:>6} left out: {}\n", key,
                       summary ? summary->end + ": " + summary->reason : summary.error().message);
            continue;
        }
        if (summary->counters.empty()) {
            fmt::print("{:>6} left out: launches nothing of its own\n", key);
            continue;
        }
        if (out) out << json{{"key", key}, {"profile", protocol::toJson(*summary)}}.dump() << std::endl;
        rows.push_back(rowOf(*summary, key, measured.at(key), device));
        fmt::print(stderr, "{} {:.1f} s\n", key, summary->seconds);
    }
    print(rows);
    return 0;
}

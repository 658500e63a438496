// SPDX-License-Identifier: GPL-3.0-or-later
// Where the time of a modelled point of a sweep goes: each point of a list is compiled and profiled in children that
// are warm, and the seconds of the stages are printed with the processor's time for all of it.
//
//   benchmark_points POINTS.json [FILE.cu]      only points of that file
//
// POINTS.json: [{"file": beside the list, "task": "1/1", "macros": {"TILE": 16, ...}}, ...]
#include "core/task/Card.h"
#include "gpu/protocol/CompileMessages.h"
#include "gpu/protocol/ProfileMessages.h"
#include "gpu/service/CompileService.h"
#include "gpu/service/RunService.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include <sys/resource.h>

using namespace kernelarium;
using nlohmann::json;

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// This process's and its children's, that have ended.
double processorSeconds() {
    double sum = 0;
    for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
        rusage usage{};
        getrusage(who, &usage);
        for (const timeval& t : {usage.ru_utime, usage.ru_stime})
            sum += double(t.tv_sec) + double(t.tv_usec) * 1e-6;
    }
    return sum;
}

std::string textOf(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Sums over the points of one file.
struct Stages {
    int points = 0;
    double processor = 0, wall = 0, nvrtc = 0, link = 0, compile = 0, profile = 0, run = 0, launches = 0;
};

class Sweep {
public:
    Sweep()
        : m_run(std::uint64_t(4) << 30) {}

    Result<double> model(const std::string& source, const json& macros, const task::Card& card, Stages& stages) {
        protocol::CompileParameters compile;
        compile.source = source;
        compile.early = false;
        for (const auto& [name, value] : macros.items())
            compile.settings.macros.push_back(fmt::format("-D{}={}", name, value.dump()));
        const double begin = now();
        const auto answer = m_compile.handle({1, 0, "compile", "", protocol::toJson(compile)}, m_quiet, {});
        if (!answer) return answer.error();
        Result<compile::CompiledUnit> unit = protocol::unitFromJson(*answer);
        if (!unit) return unit.error();
        if (!unit->ok) return Error{"compile_error", "It does not compile.", "", unit->log};
        const double compiled = now();
        protocol::ProfileParameters profile;
        stages.nvrtc += unit->seconds.nvrtc;
        stages.link += unit->seconds.link;
        profile.run.unit = std::make_shared<const compile::CompiledUnit>(std::move(*unit));
        profile.run.card = std::make_shared<const task::Card>(card);
        profile.run.size = "full";
        const auto profiled = m_run.handle({2, 0, "profile", "", protocol::toJson(profile)}, m_quiet, {});
        if (!profiled) return profiled.error();
        const auto summary = protocol::profileSummaryFromJson(*profiled);
        if (!summary) return summary.error();
        const double end = now();
        ++stages.points;
        stages.wall += end - begin;
        stages.compile += compiled - begin;
        stages.profile += end - compiled;
        stages.run += summary->seconds;
        for (const perf::LaunchCounters& c : summary->counters)
            stages.launches += c.seconds;
        return summary->time.seconds;
    }

private:
    service::CompileService m_compile;
    service::RunService m_run;
    service::Service::Progress m_quiet{[](const std::string&) {}, [](json) {}};
};

} // namespace

int main(int argc, char** argv) {
    if (argc < 2) {
        std::fputs("usage: benchmark_points POINTS.json [FILE.cu]\n", stderr);
        return 2;
    }
    const std::filesystem::path list = argv[1];
    const json points = json::parse(textOf(list), nullptr, false);
    if (!points.is_array()) {
        fmt::print(stderr, "{} is no list of points.\n", argv[1]);
        return 2;
    }
    Sweep sweep;
    std::map<std::string, Stages> byFile;
    for (const json& point : points) {
        const std::string file = point.at("file").get<std::string>();
        if (argc > 2 && file != argv[2]) continue;
        const std::string task = point.at("task").get<std::string>();
        const auto card = task::loadCard(std::atoi(task.c_str()), std::atoi(task.substr(task.find('/') + 1).c_str()));
        if (!card) {
            fmt::print(stderr, "{}\n", card.error().text());
            return 1;
        }
        const double begin = processorSeconds();
        Stages& stages = byFile[file];
        const Result<double> seconds =
            sweep.model(textOf(list.parent_path() / file), point.at("macros"), *card, stages);
        stages.processor += processorSeconds() - begin;
        if (!seconds) {
            fmt::print(stderr, "{} {}: {}\n", file, point.at("macros").dump(), seconds.error().text());
            return 1;
        }
    }
    fmt::print("{:<20} {:>6} {:>9} | milliseconds a point: {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}\n", "file",
               "points", "wall s", "processor", "compile", "nvrtc", "ptxas", "profile", "run", "launches");
    for (const auto& [file, s] : byFile) {
        const double each = 1e3 / std::max(1, s.points);
        fmt::print("{:<20} {:>6} {:>9.1f} | {:>31.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f} {:>8.0f}\n", file,
                   s.points, s.wall, s.processor * each, s.compile * each, s.nvrtc * each, s.link * each,
                   s.profile * each, s.run * each, s.launches * each);
    }
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program whose run child has a GPU as far as the messages go: verdicts are the emulator's, times and
// ceilings are written down here. `worker compile` is the real program's. The file that KERNELARIUM_TEST_GPU
// names takes the GPU away.
#include "core/hgemm/laboratory/Measurement.h"
#include "core/perf/MeasuredCeilings.h"
#include "core/sass/instruction/Decoder.h"
#include "core/schedule/StaticCost.h"
#include "gpu/protocol/DeviceMessages.h"
#include "gpu/protocol/TimeMessages.h"
#include "gpu/protocol/WorkerClient.h"
#include "gpu/protocol/schedules/RaceMessages.h"
#include "gpu/service/Server.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <thread>
#include <unistd.h>

using namespace kernelarium;
using namespace kernelarium::protocol;
using namespace kernelarium::service;
using nlohmann::json;

namespace {

constexpr const char* realProgram = KERNELARIUM_BIN_DIR "/kernelarium-cli";

bool isGone() {
    const char* file = std::getenv("KERNELARIUM_TEST_GPU");
    return file && std::filesystem::exists(file);
}

json devicesJson() {
    DeviceList list;
    list.devices.push_back({"emulator", "emulator", "sm_90", 132, 1 << 30});
    if (isGone())
        list.missing = Error{"missing_component", "No NVIDIA driver answers.", "Install one."};
    else
        list.devices.push_back(
            {"cuda", "NVIDIA H200", "sm_90", 132, 150'000'000'000, 1980, 3201, 6144, 60 << 20, true, "13.0"});
    return toJson(list);
}

json timeJson(const TimeParameters& p) {
    TimeSummary s;
    s.device = "NVIDIA H200";
    s.arch = "sm_90";
    s.driver = "580.65.06";
    s.mode = p.mode;
    s.size = p.run.size;
    s.seed = p.run.seed;
    s.dateMs = 1'770'000'000'000;
    s.highestClockMHz = 1980;
    for (int i = 0; i < 40; ++i)
        s.samples.push_back({1e-3 * (1 + 0.002 * ((i * 7) % 11)), i == 3 ? 1000.0 : 1965.0});
    s.summary = perf::summarise(s.samples, s.highestClockMHz);
    s.steps.push_back({"first_kernel", true, {132, 1, 1}, {256, 1, 1}, 0.6e-3});
    s.steps.push_back({"second_kernel", true, {66, 1, 1}, {128, 1, 1}, 0.35e-3});
    s.peakBytes = 123456789;
    s.joulesPerCall = 0.42;
    if (p.against) {
        PairedSummary pairs;
        pairs.name = p.againstName;
        for (int i = 0; i < 20; ++i)
            pairs.pairs.push_back({1e-3, i == 5 ? 0.9e-3 : 1.25e-3, i % 2 == 0});
        pairs.times = perf::comparePairs(pairs.pairs, eventResolution);
        s.against = pairs;
    }
    if (p.baselines == "all") {
        BaselineSummary baseline{"cuBLAS", "13.1", p.mode, p.python, std::vector<perf::Sample>(11, {0.8e-3, 1965}),
                                 1980,     {}};
        baseline.summary = perf::summarise(baseline.samples, baseline.highestClockMHz);
        s.baselines.push_back(std::move(baseline));
    }
    return toJson(s);
}

/// Before the rest is taken.
json firstTimeJson(const TimeParameters& p) {
    TimeSummary s;
    s.device = "NVIDIA H200";
    s.mode = p.mode;
    s.size = p.run.size;
    s.highestClockMHz = 1980;
    s.samples.assign(12, {1.25e-3, 1965});
    return toJson(s);
}

json ceilingsJson() {
    perf::MeasuredCeilings m;
    m.device = "NVIDIA H200";
    m.arch = "sm_90";
    m.driver = "580.65.06";
    m.highestClockMHz = 1980;
    m.dateMs = 1'770'000'000'000;
    m.seconds = 4;
    m.ceilings = {{"device_read", 4.3e12, 1980, "loads"},
                  {"l2", 9e12, 1980, "loads"},
                  {"fp32", 50e12, 1400, "fma.f32"},
                  {"tensor_fp16", 800e12, 1700, "wgmma"}};
    return perf::toJson(m);
}

/// 4 us for the first library, 3 for its second choice, 2 for the autotuned one, and 1 for ours.
Result<json> productsJson(const Request& request, const std::stop_token& stop) {
    const Result<hgemm::MeasureRequest> wanted = hgemm::measureRequestFromJson(request.params);
    if (!wanted) return wanted.error();
    // A shape that takes for ever.
    while (wanted->shape.m == 8 && !stop.stop_requested())
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
    hgemm::MeasureAnswer answer;
    answer.device = "NVIDIA H200";
    for (const hgemm::Subject& subject : wanted->subjects) {
        hgemm::Measured& m = answer.measured.emplace_back();
        m.subject = subject;
        const double seconds = subject.kind == hgemm::Subject::Kind::family    ? 1e-6
                               : subject.kind == hgemm::Subject::Kind::cublas  ? 4e-6
                               : subject.kind == hgemm::Subject::Kind::ltFirst ? 3e-6
                                                                               : 2e-6;
        m.time = perf::summarise(std::vector<perf::Sample>(9, {seconds, 1965}), 1980);
        if (wanted->energy) m.joules = 300 * seconds;
    }
    return hgemm::toJson(answer);
}

/// What a unit's native code costs by the model of one warp.
double costOf(const compile::CompiledUnit& unit) {
    const Result<sass::Cubin> cubin = sass::Cubin::read(unit.cubin);
    double cost = 0;
    if (cubin)
        for (const sass::KernelCode& kernel : cubin->kernels()) {
            const auto code = sass::decodeAll(sass::wordsOf(cubin->code(kernel)), cubin->computeCapability());
            cost += schedule::StaticCost(code, sass::blocksOf(code), cubin->computeCapability()).original().cost();
        }
    return cost;
}

/// A race in which native code takes what the model says, and every other pair a thousandth more.
Result<json> raceJson(const json& params) {
    const Result<RaceParameters> p = raceParametersFromJson(params);
    if (!p) return p.error();
    if (p->time.run.backend != "cuda") return Error{"bad_request", "There is no GPU to race on."};
    RaceSummary s;
    s.device = "NVIDIA H200";
    const double ratio = costOf(*p->time.run.unit) / costOf(*p->time.against);
    do
        s.pairs.push_back({1e-3 * ratio * (s.pairs.size() % 2 == 0 ? 1.001 : 1), 1e-3, s.pairs.size() % 2 == 0});
    while (p->race ? schedule::raceGoesOn(s.pairs, *p->race) : s.pairs.size() < p->pairs);
    return toJson(s);
}

class GpuService : public Service {
public:
    std::string kind() const override { return "run"; }
    std::vector<std::string> capabilities() const override { return {"cuda"}; }

    Result<json> handle(const Request& request, const Progress& progress, std::stop_token stop) override {
        if (request.method == "devices") return devicesJson();
        if (isGone()) return Error{"missing_component", "No NVIDIA driver answers.", "Install one."};
        if (request.method == "measure") {
            progress("device memory");
            return ceilingsJson();
        }
        if (request.method == "time") return time(request, progress, stop);
        if (request.method == "race") return raceJson(request.params);
        if (request.method == "race_again") return Error{"unknown_bench", "Nothing stays here."};
        if (request.method == "hgemm.prepare") return json::object();
        if (request.method == "hgemm.measure") return productsJson(request, stop);
        json params = request.params;
        const bool onGpu = params.value("backend", "") == "cuda";
        params["backend"] = "emulator";
        params["size"] = "small";
        Result<json> answer = m_emulator.call(request.method, params,
                                              {std::chrono::minutes(2), progress.sayStage, progress.sendPartial, stop});
        if (answer && onGpu) (*answer)["backend"] = "cuda";
        if (answer && onGpu && request.method == "tensors") (*answer)["names_writers"] = false;
        return answer;
    }

private:
    static Result<json> time(const Request& request, const Progress& progress, const std::stop_token& stop) {
        Result<TimeParameters> p = timeParametersFromJson(request.params);
        if (!p) return p.error();
        if (p->run.backend != "cuda" || p->run.unit->cubin.empty())
            return Error{"bad_request", "There is no cubin to time."};
        progress("samples");
        if (p->mode == "server" && p->rate == 1) std::_Exit(3);
        while (p->mode == "server" && !stop.stop_requested())
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
        if (stop.stop_requested()) return Error{"cancelled", "Cancelled."};
        progress.sendPartial(firstTimeJson(*p));
        progress("energy");
        return timeJson(*p);
    }

    WorkerClient m_emulator{{realProgram, "worker", "run"}};
};

} // namespace

int main(int argc, char** argv) {
    if (argc > 2 && !std::strcmp(argv[2], "run")) {
        GpuService service;
        return serve(service, {});
    }
    argv[0] = const_cast<char*>(realProgram);
    ::execv(realProgram, argv);
    return 127;
}

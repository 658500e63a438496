// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/TimeService.h"

#include "gpu/device/timing/Ceiling.h"
#include "gpu/device/timing/LibraryBaselines.h"
#include "gpu/device/timing/Timing.h"
#include "gpu/service/RunSubject.h"
#include "gpu/tools/TorchBaselines.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace kernelarium::service {

namespace {

device::TimingRequest timingRequestOf(const protocol::TimeParameters& p, const verify::InputPlan& plan,
                                      verify::DrawnInputs& inputs) {
    device::TimingRequest request;
    request.mode = p.mode == "hot"      ? device::TimingMode::hot
                   : p.mode == "server" ? device::TimingMode::server
                                        : device::TimingMode::cold;
    request.requestsPerSecond = p.rate;
    request.requests = p.requests;
    request.arguments = [&plan, &inputs](std::uint64_t seed) {
        return verify::argumentsOf(plan, inputs.draw(plan, seed));
    };
    request.outputs = verify::outputsOf(plan);
    request.seed = p.run.seed;
    request.stop.secondsAtMost = p.sampleSeconds;
    request.energy = p.energy;
    request.timeLimit = p.run.timeLimit;
    return request;
}

std::int64_t nowMs() {
    using namespace std::chrono;
    return duration_cast<milliseconds>(system_clock::now().time_since_epoch()).count();
}

protocol::TimeSummary timeSummaryOf(device::TimingResult result, const protocol::TimeParameters& p) {
    protocol::TimeSummary s;
    s.end = std::string(protocol::name(result.end));
    s.reason = std::move(result.reason);
    s.mode = p.mode;
    s.size = p.run.size;
    s.seed = p.run.seed;
    s.dateMs = nowMs();
    s.deviceOnly = result.deviceOnly;
    s.summary = perf::summarise(result.samples, result.highestClockMHz);
    s.samples = std::move(result.samples);
    s.highestClockMHz = result.highestClockMHz;
    s.serviceSeconds = std::move(result.serviceSeconds);
    for (device::StepTime& step : result.steps)
        s.steps.push_back({std::move(step.name), step.isKernel, step.grid, step.block, step.seconds});
    s.peakBytes = result.peakBytes;
    s.joulesPerCall = result.joulesPerCall;
    s.comparedElements = result.comparedElements;
    s.differingElements = result.differingElements;
    s.remarks = std::move(result.remarks);
    return s;
}

protocol::BaselineSummary baselineSummaryOf(device::BaselineTime time, const std::string& mode) {
    protocol::BaselineSummary s{std::move(time.name),    std::move(time.version), mode, std::move(time.remark),
                                std::move(time.samples), time.highestClockMHz,    {}};
    s.summary = perf::summarise(s.samples, s.highestClockMHz);
    return s;
}

Result<void> openFor(const protocol::RunParameters& run, GpuTarget& gpu) {
    if (run.backend != "cuda")
        return Error{"missing_component",
                     "The emulator has no times to measure: how long it takes says nothing about a GPU.",
                     "Timing needs a GPU: use --backend cuda."};
    if (Result<void> opened = gpu.open(); !opened) return opened;
    gpu.limitMemory(run.gpuBytes);
    return {};
}

device::KernelTimer timerOn(GpuTarget& gpu, const protocol::RunParameters& run) {
    device::CudaSettings settings;
    settings.jobs = run.jobs ? run.jobs : std::max(1u, std::thread::hardware_concurrency());
    settings.operators = gpu.operatorParts();
    return {gpu.context(), gpu.pool(), settings, &gpu.spareQueue()};
}

std::string driverOf(const GpuTarget& gpu, const device::KernelTimer& timer) {
    return timer.driverVersion().empty() ? gpu.context()->info().driver : timer.driverVersion();
}

/// What else is timed. What is missing for one of them is said in its place; what happens to the GPU ends the whole.
Result<void> addBaselines(GpuTarget& gpu, const protocol::TimeParameters& p, const device::TimingRequest& timing,
                          protocol::TimeSummary& summary) {
    if (p.baselines == "none") return {};
    if (!p.run.card) {
        summary.remarks.emplace_back("There are no baselines: without a task, nothing else can compute the same.");
        return {};
    }
    const task::Card& card = *p.run.card;
    if (p.baselines != "torch") {
        Result<std::vector<device::BaselineTime>> libraries =
            device::timeLibraries(gpu.context(), gpu.pool(), gpu.operatorParts(), card, p.run.size, timing);
        if (!libraries) return libraries.error();
        for (device::BaselineTime& time : *libraries)
            summary.baselines.push_back(baselineSummaryOf(std::move(time), p.mode));
        if (libraries->empty())
            summary.remarks.emplace_back(
                "cuBLAS and cuDNN are not baselines here: the task is neither one matrix product nor one convolution.");
    }
    if (p.baselines == "libraries") return {};
    tools::TorchRequest request{p.run.size, p.mode, p.sampleSeconds, p.run.seed, p.python, timing.progress};
    Result<std::vector<protocol::BaselineSummary>> torch = tools::timeTorch(card, request, timing.stopToken);
    if (!torch) return torch.error();
    summary.baselines.insert(summary.baselines.end(), torch->begin(), torch->end());
    return {};
}

constexpr double timesSlower = 20; // than the original; what takes longer is taken for hung

std::function<bool(std::span<const perf::TimedPair>)> ruleOf(const std::optional<schedule::Race>& race,
                                                             std::size_t wanted) {
    return [race, wanted](std::span<const perf::TimedPair> pairs) {
        return race ? schedule::raceGoesOn(pairs, *race) : pairs.size() < wanted;
    };
}

/// Both from the beginning, each in memory of its own.
Result<protocol::RaceSummary> raceApart(device::KernelTimer& timer, const protocol::RaceParameters& p,
                                        const device::CudaProgram& original, const device::TimingRequest& timing) {
    device::PairedRule rule;
    rule.another = ruleOf(p.race, p.pairs);
    rule.sameBits = p.bits;
    rule.timesSlower = timesSlower;
    Result<device::PairedResult> raced =
        timer.compare(cudaProgramOf(*p.time.run.unit, p.time.run.function), original, timing, rule);
    if (!raced) return raced.error();
    protocol::RaceSummary summary;
    summary.end = std::string(protocol::name(raced->end));
    summary.reason = raced->reason;
    summary.endedInOriginal = raced->endedInSecond;
    summary.difference = raced->difference;
    summary.pairs = std::move(raced->pairs);
    return summary;
}

/// The bench that the request wants: the kept one, or a new one; none where its candidates have to run apart, or where
/// the original did not finish, which the summary then says.
Result<void> prepareBench(KeptBench& kept, device::KernelTimer& timer, const device::CudaProgram& original,
                          const device::TimingRequest& timing, const protocol::Request& request,
                          protocol::RaceSummary& summary) {
    nlohmann::json wanted = request.params;
    for (const char* own : {"unit", "race", "pairs", "bits", "mode", "apart", "bench"})
        wanted.erase(own);
    const std::string key = wanted.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    if (key == kept.key) return {};
    kept = {}; // its memory is wanted
    Result<device::MadeBench> made = timer.bench(original, timing);
    if (!made) return made.error();
    if (!made->bench) {
        summary.end = std::string(protocol::name(made->end));
        summary.reason = "The other kernel: " + made->reason;
        summary.endedInOriginal = true;
        return {};
    }
    kept.key = key;
    if (made->bench->whyNot().empty()) kept.bench = std::move(made->bench);
    return {};
}

/// After anything wrong nothing is known of what lies on a bench: whoever gave other bits may have written elsewhere,
/// too.
void forgetAfter(const Result<protocol::RaceSummary>& raced, KeptBench& kept) {
    if (kept.bench && (!raced || !raced->difference.empty())) kept = {};
}

Result<protocol::RaceSummary> raceOnBench(device::RaceBench& bench, const protocol::NextRace& next,
                                          std::stop_token stop) {
    using Clock = std::chrono::steady_clock;
    const device::PairedCalls how{next.mode != "hot", ruleOf(next.race, next.pairs), 0};
    const auto slowest =
        std::chrono::duration_cast<Clock::duration>(timesSlower * bench.callTime() + std::chrono::seconds(2));
    Result<device::RaceResult> raced =
        bench.race(next.cubin, how, slowest, {Clock::now() + next.timeLimit, std::move(stop)});
    if (!raced) return raced.error();
    protocol::RaceSummary summary;
    summary.difference = std::move(raced->difference);
    summary.pairs = std::move(raced->pairs);
    return summary;
}

} // namespace

Result<nlohmann::json> timeKernel(GpuTarget& gpu, verify::DrawnInputs& inputs, const protocol::Request& request,
                                  const Service::Progress& progress, std::stop_token stop) {
    Result<protocol::TimeParameters> p = protocol::timeParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> opened = openFor(p->run, gpu); !opened) return opened.error();
    const Result<verify::InputPlan> plan = planOf(p->run);
    if (!plan) return plan.error();
    device::TimingRequest timing = timingRequestOf(*p, *plan, inputs);
    timing.stopToken = stop;
    timing.progress = [&progress](const std::string& stage) { progress(stage); };
    const auto ofThisGpu = [&](protocol::TimeSummary summary) {
        summary.device = gpu.context()->info().name;
        summary.arch = gpu.context()->info().arch();
        return summary;
    };
    timing.early = [&](const std::vector<perf::Sample>& samples, double highestClockMHz) {
        device::TimingResult first;
        first.samples = samples;
        first.highestClockMHz = highestClockMHz;
        progress.sendPartial(toJson(ofThisGpu(timeSummaryOf(std::move(first), *p))));
    };
    device::KernelTimer timer = timerOn(gpu, p->run);
    const device::CudaProgram program = cudaProgramOf(*p->run.unit, p->run.function);
    Result<device::TimingResult> result = timer.time(program, timing);
    if (!result) return result.error();
    protocol::TimeSummary summary = ofThisGpu(timeSummaryOf(std::move(*result), *p));
    if (p->run.unit->assembler == "nvJitLink")
        summary.remarks.emplace_back("The kernels were assembled as relocatable code (by nvJitLink): compiled as one "
                                     "program, as PyTorch does, they may use other registers and take another time.");
    summary.driver = driverOf(gpu, timer);
    if (summary.end == "finished")
        if (Result<void> added = addBaselines(gpu, *p, timing, summary); !added) return added.error();
    if (p->against && summary.end == "finished") {
        Result<device::PairedResult> pairs = timer.compare(program, cudaProgramOf(*p->against), timing);
        if (!pairs) return pairs.error();
        if (pairs->end != verify::RunEnd::finished)
            summary.remarks.push_back("There is no comparison. " + pairs->reason);
        else
            summary.against = protocol::PairedSummary{
                p->againstName, perf::comparePairs(pairs->pairs, protocol::eventResolution), std::move(pairs->pairs)};
    }
    return toJson(summary);
}

Result<nlohmann::json> raceKernels(GpuTarget& gpu, verify::DrawnInputs& inputs, KeptBench& kept,
                                   const protocol::Request& request, const Service::Progress& progress,
                                   std::stop_token stop) {
    Result<protocol::RaceParameters> p = protocol::raceParametersFromJson(request.params);
    if (!p) return p.error();
    if (Result<void> opened = openFor(p->time.run, gpu); !opened) return opened.error();
    const Result<verify::InputPlan> plan = planOf(p->time.run);
    if (!plan) return plan.error();
    device::TimingRequest timing = timingRequestOf(p->time, *plan, inputs);
    timing.stopToken = stop;
    timing.progress = [&progress](const std::string& stage) { progress(stage); };
    device::KernelTimer timer = timerOn(gpu, p->time.run);
    const device::CudaProgram original = cudaProgramOf(*p->time.against, p->time.run.function);
    Result<protocol::RaceSummary> summary = protocol::RaceSummary();
    bool apart = p->apart || !p->bits;
    if (!apart) {
        if (Result<void> prepared = prepareBench(kept, timer, original, timing, request, *summary); !prepared)
            return prepared.error();
        apart = summary->end == "finished" && !kept.bench;
    }
    if (apart) {
        kept.bench.reset(); // its memory is wanted; that there is none is known by the key
        kept.name.clear();
        summary = raceApart(timer, *p, original, timing);
    } else if (kept.bench)
        summary = raceOnBench(
            *kept.bench, {p->bench, p->time.run.unit->cubin, p->time.mode, p->race, p->pairs, timing.timeLimit}, stop);
    if (!summary) {
        kept = {}; // whatever went wrong, nothing is known of what lies there
        return summary.error();
    }
    summary->device = gpu.context()->info().name;
    summary->driver = driverOf(gpu, timer);
    if (kept.bench) kept.name = p->bench;
    kept.device = summary->device;
    kept.driver = summary->driver;
    return toJson(*summary);
}

Result<nlohmann::json> raceAgain(KeptBench& kept, const protocol::Request& request, std::stop_token stop) {
    const Result<protocol::NextRace> next = protocol::nextRaceFromJson(request.params);
    if (!next) return next.error();
    if (!kept.bench || kept.name.empty() || kept.name != next->bench)
        return Error{"unknown_bench", "There is no bench " + next->bench + " here.", "Send the whole race."};
    Result<protocol::RaceSummary> summary = raceOnBench(*kept.bench, *next, std::move(stop));
    if (summary) {
        summary->device = kept.device;
        summary->driver = kept.driver;
    }
    forgetAfter(summary, kept);
    if (!summary) return summary.error();
    return toJson(*summary);
}

Result<nlohmann::json> measureGpu(GpuTarget& gpu, const Service::Progress& progress, std::stop_token stop) {
    if (Result<void> opened = gpu.open(); !opened) return opened.error();
    constexpr std::chrono::seconds longest(60);
    const device::TimingQueue::Limits limits{std::chrono::steady_clock::now() + longest, stop};
    Result<perf::MeasuredCeilings> measured =
        device::measureCeilings(gpu.context(), gpu.pool(), compile::Toolkit::find(), limits,
                                [&progress](const std::string& stage) { progress(stage); });
    if (!measured) return measured.error();
    measured->dateMs = nowMs();
    return perf::toJson(*measured);
}

} // namespace kernelarium::service

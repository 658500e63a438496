// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/Timing.h"

#include "core/quantities/Quantities.h"
#include "core/verify/Comparison.h"
#include "core/verify/Poison.h"
#include "gpu/device/timing/PairedCalls.h"
#include "gpu/device/timing/TimingSampling.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

constexpr std::uint64_t rounds = 2; ///< host runs, each with inputs and addresses of its own

void remark(TimingResult& result, std::string text) {
    if (std::find(result.remarks.begin(), result.remarks.end(), text) == result.remarks.end())
        result.remarks.push_back(std::move(text));
}

/// Elements spread over both that differ by more than one hundredth of the values' root mean square.
void countDifferences(const tensor::Tensor& a, const tensor::Tensor& b, TimingResult& result) {
    if (!a.defined() || !b.defined() || a.shape() != b.shape()) return;
    constexpr std::int64_t most = 1 << 16;
    const std::int64_t step = std::max<std::int64_t>(1, a.count() / most);
    double squares = 0;
    std::int64_t finite = 0;
    for (std::int64_t i = 0; i < a.count(); i += step)
        if (std::isfinite(b.at(i))) squares += b.at(i) * b.at(i), ++finite;
    const double allowed = 0.01 * std::sqrt(finite ? squares / double(finite) : 0);
    for (std::int64_t i = 0; i < a.count(); i += step) {
        const double x = a.at(i), y = b.at(i);
        const bool same = x == y || (std::isnan(x) && std::isnan(y)) || std::abs(x - y) <= allowed;
        ++result.comparedElements;
        if (!same) ++result.differingElements;
    }
}

/// Which output differs in a bit; empty where none does.
std::string differenceOf(const std::vector<tensor::Tensor>& a, const std::vector<tensor::Tensor>& b, const char* when) {
    if (a.size() != b.size()) return fmt::format("{} and {} outputs {}", a.size(), b.size(), when);
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (a[i].defined() != b[i].defined()) return fmt::format("output {} is only one's {}", i, when);
        if (!a[i].defined()) continue;
        const auto x = a[i].bytes(), y = b[i].bytes();
        if (a[i].shape() != b[i].shape() || !std::equal(x.begin(), x.end(), y.begin(), y.end()))
            return fmt::format("output {} differs {}", i, when);
    }
    return {};
}

/// What this machine's processor computes says nothing about a GPU, and is refused.
Result<void> checkOwnWork(const TimingRun& run, const OperatorParts& parts) {
    const std::vector<host::ComputedHere> here = run.computedHere();
    if (here.empty()) return {};
    const std::string& why = here.front().why.empty() ? parts.missing : here.front().why;
    return Error{
        "unsupported",
        fmt::format("forward calls {}, which is computed on this machine's processor here: its time would say nothing "
                    "about the GPU. {}",
                    here.front().name, why),
        "Time a kernel that does this in a kernel of its own."};
}

} // namespace

/// What the steps of one timing share.
struct KernelTimer::Job {
    explicit Job(KernelTimer& timer)
        : spare(timer.m_spare) {}
    ~Job() {
        if (!queue || !spare || !isDone) return; // after an error something may still be queued
        queue->rest();
        *spare = std::move(queue);
    }
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;

    std::unique_ptr<TimingQueue>* spare;
    bool isDone = false; ///< nothing went wrong, and all that was queued has run
    const TimingRequest* request = nullptr;
    TimingQueue::Limits limits;
    std::unique_ptr<TimingQueue> queue;
    TimingResult result;
    std::vector<tensor::Tensor> expected; ///< of the next round's inputs, by a queued call

    void say(const char* stage) const {
        if (request->progress) request->progress(stage);
    }
};

Result<void> KernelTimer::open(Job& job, const TimingRequest& request) {
    if (m_context->isLost()) return m_context->lostError();
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    job.request = &request;
    job.limits = {std::chrono::steady_clock::now() + request.timeLimit, request.stopToken};
    Result<std::unique_ptr<TimingQueue>> queue = takeQueue();
    if (!queue) return queue.error();
    job.queue = std::move(*queue);
    job.result.highestClockMHz = job.queue->highestClockMHz();
    if (job.queue->monitor())
        m_driverVersion = job.queue->monitor()->driverVersion();
    else
        remark(job.result, job.queue->whyNoMonitor());
    return {};
}

Result<std::unique_ptr<TimingQueue>> KernelTimer::takeQueue() {
    if (!m_spare || !*m_spare) return TimingQueue::create(m_context, m_pool);
    std::unique_ptr<TimingQueue> queue = std::move(*m_spare);
    if (Result<void> awake = queue->wake(); !awake) return awake.error();
    return queue;
}

Result<std::unique_ptr<TimingRun>> KernelTimer::run(const CudaProgram& program, Job& job, std::uint64_t seed,
                                                    std::uint64_t addresses) {
    job.say("inputs");
    verify::RunRequest request;
    request.arguments = job.request->arguments(seed);
    job.say("host run");
    request.outputs = job.request->outputs;
    request.poison = verify::firstPoison;
    request.addressSalt = addresses;
    request.checks = false;
    request.returnArguments = false;
    request.stop = job.request->stopToken;
    request.timeLimit = std::max(
        std::chrono::milliseconds(1),
        std::chrono::duration_cast<std::chrono::milliseconds>(job.limits.deadline - std::chrono::steady_clock::now()));
    return TimingRun::execute(m_context, m_pool, program, m_settings, request);
}

void KernelTimer::describe(Job& job, const TimingRun& run) const {
    TimingResult& result = job.result;
    result.peakBytes = std::max(result.peakBytes, run.peakBytes());
    if (const std::size_t lanes = lanesOf(run.trace().actions).lanes; lanes > 1)
        remark(
            result,
            fmt::format(
                "forward uses {} streams, whose work overlaps as it asks for; the times of single steps are those of "
                "one after another.",
                lanes));
    if (run.trace().launches == 0) remark(result, "forward launches no kernel.");
}

/// What the device work of this run gives with new inputs in the same places, for the next round to compare with.
Result<void> KernelTimer::checkNewValues(Job& job, TimingRun& run, const TimedReplay& replay, std::uint64_t nextSeed) {
    job.say("inputs");
    const std::vector<tensor::Value> arguments = job.request->arguments(nextSeed);
    job.say("new values");
    const Result<bool> written = run.writeArguments(arguments);
    if (!written) return written.error();
    if (!*written) {
        remark(job.result,
               "New values could not be put in the arguments' places, so that remembered results would not show.");
        return {};
    }
    if (Result<void> queued = replay.queue(); !queued) return queued;
    if (Result<void> drained = job.queue->drain(job.limits); !drained) return drained;
    if (replay.changedReads() > 0) {
        remark(job.result, "With new inputs host code reads other values and might do something else, so that "
                           "remembered results would not show.");
        return {};
    }
    Result<std::vector<tensor::Tensor>> outputs = run.readOutputs();
    if (!outputs) return outputs.error();
    job.expected = std::move(*outputs);
    return {};
}

Result<void> KernelTimer::timeRound(const CudaProgram& program, Job& job, std::uint64_t round) {
    Result<std::unique_ptr<TimingRun>> made = run(program, job, job.request->seed + round, round);
    if (!made) return made.error();
    TimingRun& run = **made;
    TimingResult& result = job.result;
    if (run.result().end != verify::RunEnd::finished) {
        result.end = run.result().end;
        result.reason = run.result().reason;
        return {};
    }
    if (Result<void> own = checkOwnWork(run, m_settings.operators); !own) return own;
    describe(job, run);
    const std::vector<tensor::Tensor> outputs = verify::flatten(run.result().output);
    for (std::size_t i = 0; i < std::min(outputs.size(), job.expected.size()); ++i)
        countDifferences(job.expected[i], outputs[i], result);
    if (const std::string why = run.whyNotReplayed(); !why.empty()) {
        remark(result, "forward's own time is in the samples: " + why +
                           ". Host code is interpreted here, which is slower than compiled code.");
        return timeCalls(program, job, std::move(*made));
    }
    Result<std::unique_ptr<TimedReplay>> replay = run.replay();
    if (!replay) return replay.error();
    TimingSampler sampler(*job.queue, **replay, job.limits);
    if (Result<void> warm = sampler.warmUp(); !warm) return warm;
    job.say("samples");
    const TimingRequest& request = *job.request;
    perf::StopRule rule = request.stop;
    rule.secondsAtMost /= double(rounds);
    rule.most /= rounds;
    if (request.mode == TimingMode::server) {
        auto served = sampler.serve(request.requestsPerSecond, std::max<std::size_t>(1, request.requests / rounds),
                                    request.seed + round);
        if (!served) return served.error();
        result.samples.insert(result.samples.end(), served->latency.begin(), served->latency.end());
        result.serviceSeconds.insert(result.serviceSeconds.end(), served->service.begin(), served->service.end());
    } else {
        TimingSampler::Early early;
        if (round == 0 && request.early)
            early = [&](const std::vector<perf::Sample>& first) { request.early(first, result.highestClockMHz); };
        auto samples = sampler.sample(request.mode == TimingMode::cold, rule, result.highestClockMHz, std::move(early));
        if (!samples) return samples.error();
        result.samples.insert(result.samples.end(), samples->begin(), samples->end());
    }
    if ((*replay)->reads() > 0)
        remark(result, fmt::format("forward waits for {} that its host code reads back: the gaps that this leaves on "
                                   "the device are in the samples, what host code does with them is not.",
                                   (*replay)->reads() == 1 ? "a value" : fmt::format("{} values", (*replay)->reads())));
    else if (!sampler.fits())
        remark(result, "forward has more launches than can be queued at once: gaps between them may show.");
    if (round + 1 < rounds) return checkNewValues(job, run, **replay, request.seed + round + 1);
    job.say("steps");
    auto steps = sampler.steps(request.mode != TimingMode::hot);
    if (!steps) return steps.error();
    if (steps->empty() && (*replay)->steps() > 0) remark(result, "forward has too many launches to time each of them.");
    std::size_t launch = 0;
    for (std::size_t i = 0; i < steps->size(); ++i) {
        StepTime step{(*replay)->label(i), !(*replay)->kernel(i).empty(), {}, {}, (*steps)[i]};
        if (step.isKernel && run.result().launches.size() == run.trace().launches) {
            const verify::Launch& made = run.result().launches[launch++];
            step.name = made.kernel;
            step.grid = made.grid;
            step.block = made.block;
        } else if (step.isKernel) {
            step.name = (*replay)->kernel(i);
        }
        result.steps.push_back(std::move(step));
    }
    if (!request.energy) return {};
    job.say("energy");
    auto joules = sampler.joulesPerCall();
    if (!joules) return joules.error();
    result.joulesPerCall = *joules;
    return {};
}

/// One host run for each sample, with new inputs and addresses every time.
Result<void> KernelTimer::timeCalls(const CudaProgram& program, Job& job, std::unique_ptr<TimingRun> first) {
    job.result.deviceOnly = false;
    first.reset(); // it was the warm-up
    const auto begin = std::chrono::steady_clock::now();
    for (std::uint64_t round = 1;; ++round) {
        Result<std::unique_ptr<TimingRun>> made = run(program, job, job.request->seed + round, round);
        if (!made) return made.error();
        if ((*made)->result().end != verify::RunEnd::finished) {
            job.result.end = (*made)->result().end;
            job.result.reason = (*made)->result().reason;
            return {};
        }
        const DeviceMonitor* monitor = job.queue->monitor();
        job.result.samples.push_back({(*made)->callSeconds(), monitor ? monitor->clockMHz() : 0});
        const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        if (job.request->stop.isMet(perf::summarise(job.result.samples, job.result.highestClockMHz), seconds))
            return {};
    }
}

Result<TimingResult> KernelTimer::time(const CudaProgram& program, const TimingRequest& request) {
    Job job(*this);
    if (Result<void> opened = open(job, request); !opened) return opened.error();
    for (std::uint64_t round = 0; round < rounds; ++round) {
        if (Result<void> timed = timeRound(program, job, round); !timed) return timed.error();
        if (job.result.end != verify::RunEnd::finished || !job.result.deviceOnly) break;
    }
    job.isDone = true;
    if (job.result.end != verify::RunEnd::finished) job.result.samples.clear();
    const perf::SampleSummary summary = perf::summarise(job.result.samples, job.result.highestClockMHz);
    if (summary.count == 0 && summary.dropped > 0)
        remark(job.result, fmt::format("Every sample ran below {} of the highest clock ({:.0f} MHz): none counts.",
                                       quantities::percent(perf::leastClockShare), job.result.highestClockMHz));
    if (job.result.differingElements > 0)
        remark(
            job.result,
            fmt::format("Queued with new inputs in the same places, {} of {} output elements are not what a fresh call "
                        "gives: results may be remembered from call to call.",
                        job.result.differingElements, job.result.comparedElements));
    return std::move(job.result);
}

Result<MadeBench> KernelTimer::bench(const CudaProgram& program, const TimingRequest& request) {
    Job job(*this);
    if (Result<void> opened = open(job, request); !opened) return opened.error();
    Result<std::unique_ptr<TimingRun>> made = run(program, job, request.seed, 0);
    if (!made) return made.error();
    const verify::RunResult& result = (*made)->result();
    if (result.end != verify::RunEnd::finished) return MadeBench{nullptr, result.end, result.reason};
    if (Result<void> own = checkOwnWork(**made, m_settings.operators); !own) return own.error();
    Result<std::unique_ptr<RaceBench>> bench =
        RaceBench::create(m_context, m_pool, std::move(job.queue), std::move(*made), job.limits);
    if (!bench) return bench.error();
    return MadeBench{std::move(*bench), verify::RunEnd::finished, {}};
}

Result<PairedResult> KernelTimer::compare(const CudaProgram& first, const CudaProgram& second,
                                          const TimingRequest& request, const PairedRule& rule) {
    using Clock = std::chrono::steady_clock;
    Job job(*this);
    PairedResult out;
    if (Result<void> opened = open(job, request); !opened) return opened.error();
    const Clock::time_point deadline = job.limits.deadline;
    std::array<std::unique_ptr<TimingRun>, 2> runs;
    std::array<std::unique_ptr<TimedReplay>, 2> replays;
    for (const std::size_t which :
         rule.timesSlower > 0 ? std::array<std::size_t, 2>{1, 0} : std::array<std::size_t, 2>{0, 1}) {
        const std::string name = which == 0 ? "The kernel" : "The other kernel";
        const Clock::time_point began = Clock::now();
        // Addresses are those of the first or the second that runs, whichever of the kernels it is.
        Result<std::unique_ptr<TimingRun>> made = run(which == 0 ? first : second, job, request.seed, which);
        if (!made) return made.error();
        if ((*made)->result().end != verify::RunEnd::finished) {
            out.end = (*made)->result().end;
            out.reason = name + ": " + (*made)->result().reason;
            out.endedInSecond = which == 1;
            return out;
        }
        if (Result<void> own = checkOwnWork(**made, m_settings.operators); !own) return own.error();
        if (const std::string why = (*made)->whyNotReplayed(); !why.empty())
            return Error{"unsupported", name + " cannot be queued beside another one: " + why + ".",
                         "Time them one by one."};
        Result<std::unique_ptr<TimedReplay>> replay = (*made)->replay();
        if (!replay) return replay.error();
        runs[which] = std::move(*made);
        replays[which] = std::move(*replay);
        TimingSampler sampler(*job.queue, *replays[which], job.limits);
        if (Result<void> warm = sampler.warmUp(); !warm) return warm.error();
        if (rule.timesSlower > 0 && which == 1) {
            const auto took = std::chrono::duration<double>(Clock::now() - began);
            const auto most = std::chrono::duration_cast<Clock::duration>(rule.timesSlower * took);
            job.limits.deadline = std::min(deadline, Clock::now() + most + std::chrono::seconds(2));
        }
    }
    job.limits.deadline = deadline;
    if (rule.sameBits) {
        out.difference = differenceOf(verify::flatten(runs[0]->result().output),
                                      verify::flatten(runs[1]->result().output), "after their first calls");
        if (!out.difference.empty()) return out;
    }
    job.say("pairs");
    auto pairs = takePairs(*job.queue, *replays[0], *replays[1],
                           {request.mode != TimingMode::hot, rule.another, request.stop.secondsAtMost}, job.limits);
    if (!pairs) return pairs.error();
    job.isDone = true;
    out.pairs = std::move(*pairs);
    if (!rule.sameBits) return out;
    std::array<std::vector<tensor::Tensor>, 2> last;
    for (std::size_t which = 0; which < last.size(); ++which) {
        Result<std::vector<tensor::Tensor>> outputs = runs[which]->readOutputs();
        if (!outputs) return outputs.error();
        last[which] = std::move(*outputs);
    }
    out.difference = differenceOf(last[0], last[1], "after their last calls");
    return out;
}

} // namespace kernelarium::device

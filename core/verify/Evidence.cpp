// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Evidence.h"

#include "core/verify/ProfileRequest.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace kernelarium::verify {

namespace {

using Clock = std::chrono::steady_clock;

/// Adds the time of a scope to a stage.
class StageTimer {
public:
    explicit StageTimer(double& total)
        : m_total(total) {}
    ~StageTimer() { m_total += std::chrono::duration<double>(Clock::now() - m_start).count(); }
    StageTimer(const StageTimer&) = delete;
    StageTimer& operator=(const StageTimer&) = delete;

private:
    double& m_total;
    Clock::time_point m_start = Clock::now();
};

/// Copies of the arguments' tensors are what the kernel gets, so what it does to them cannot reach a later run.
RunRequest requestFor(const Case& c, const VerifyOptions& options) {
    const Variation& variation = c.variation;
    RunRequest request;
    request.arguments = c.inputs.arguments;
    request.poison = variation.poison;
    request.addressSalt = variation.addressSalt;
    request.checks = options.checks;
    request.stop = options.stop;
    request.schedule = variation.schedule;
    request.contraryLanes = variation.contraryLanes;
    request.contraryStreams = variation.contraryStreams;
    request.lateCopies = variation.lateCopies;
    request.skipLaunches = variation.skipLaunches;
    request.earlierCalls = variation.earlierCalls;
    request.sameAddresses = variation.sameAddresses;
    return request;
}

/// Parameters that were given as inputs and are not what they were; only of calls whose arguments are all tensors.
std::vector<std::size_t> writtenInstead(const Case& c) {
    std::vector<std::size_t> written;
    const std::vector<std::size_t>& fresh = c.run.freshPlaces;
    if (c.run.argumentsAfter.size() != c.inputs.arguments.size()) return written;
    std::size_t place = 0;
    for (std::size_t i = 0; i < c.inputs.arguments.size(); ++i, ++place) {
        while (std::find(fresh.begin(), fresh.end(), place) != fresh.end())
            ++place;
        const auto* before = c.inputs.arguments[i].as<tensor::Tensor>();
        if (!before) return {};
        // A runner gives the very tensor back where nothing changed.
        if (!before->sharesElements(c.run.argumentsAfter[i])) written.push_back(place);
    }
    return written;
}

} // namespace

Evidence::Evidence(Runner& runner, Reference* reference, const InputPlan& plan, const VerifyOptions& options)
    : m_runner(runner)
    , m_reference(reference)
    , m_plan(plan)
    , m_options(options)
    , m_place(options.place && runner.capabilities().takesPlaced ? *options.place : hostWorkplace())
    , m_outputs(outputsOf(plan))
    , m_deadline(Clock::now() + 2 * options.timeLimit) {
    if (!reference) m_whyUnverifiable = "no task and no reference kernel was given";
}

std::vector<tensor::Tensor> Evidence::draw(std::uint64_t seed, std::uint32_t stream) {
    StageTimer timer(m_seconds["inputs"]);
    std::vector<tensor::Tensor> tensors;
    for (std::size_t i = 0; i < m_plan.tensors.size(); ++i)
        tensors.push_back(given(m_place.draw(m_plan.tensors[i], i, seed, stream)));
    return tensors;
}

const Case& Evidence::base() {
    if (m_base) return *m_base;
    begin("inputs");
    std::vector<tensor::Tensor> tensors = draw(m_options.seed);
    m_sampleAbove = sampleAbove();
    const double before = m_seconds["run"];
    m_base = firstCase(std::move(tensors));
    m_baseSeconds = m_seconds["run"] - before;
    return *m_base;
}

/// Which parameters are outputs is guessed where nobody said: where others are written, these are taken, unless the
/// call then writes what it was given as inputs as well.
Case Evidence::firstCase(std::vector<tensor::Tensor> tensors) {
    Case first = makeCase(m_options.seed, tensors, Variation{});
    // Not what a call changes: a ReLU in place changes nothing where nothing is negative.
    if (!first.run.updatedPlaces.empty()) m_outputs.updated = first.run.updatedPlaces;
    if (!m_outputs.places.empty() || first.run.freshPlaces.empty()) return first;
    const std::vector<std::size_t> guessed = first.run.freshPlaces;
    std::vector<std::size_t> others = writtenInstead(first);
    if (first.run.end == RunEnd::host_exception) { // shapes that do not fit: outputs may come first
        others.resize(guessed.size());
        std::iota(others.begin(), others.end(), std::size_t(0));
    }
    m_outputs.places = others;
    if (others.size() == guessed.size() && others != guessed) {
        Case second = makeCase(m_options.seed, std::move(tensors), Variation{});
        if (second.run.end == RunEnd::finished && writtenInstead(second).empty()) return second;
    }
    m_outputs.places = guessed;
    return first;
}

const Case& Evidence::makeSecond() {
    const std::uint64_t seed = m_options.seed + 1;
    std::vector<tensor::Tensor> tensors;
    for (std::size_t i = 0; i < m_plan.tensors.size(); ++i) {
        TensorPlan plan = m_plan.tensors[i];
        const bool centred = plan.distribution.kind == Distribution::Kind::normal && plan.distribution.a == 0;
        if (centred && !plan.isParameter && tensor::isFloating(plan.dtype))
            plan.distribution.ramp.signs = Signs::stretches;
        StageTimer timer(m_seconds["inputs"]);
        tensors.push_back(given(m_place.draw(plan, i, seed, 0)));
    }
    Variation variation;
    variation.poison = secondPoison;
    variation.addressSalt = 1;
    m_second = makeCase(seed, std::move(tensors), variation);
    // What is right to the last element is not looked at again, and may be gigabytes.
    if (m_second->comparison && m_second->comparison->rightStrictly()) m_second->run.output = tensor::Value();
    return *m_second;
}

Case Evidence::makeCase(std::uint64_t seed, std::vector<tensor::Tensor> tensors, const Variation& variation,
                        std::optional<tensor::Value> expected) {
    Case c;
    c.seed = seed;
    c.inputs.arguments = argumentsOf(m_plan, tensors);
    c.inputs.tensors = std::move(tensors);
    c.variation = variation;
    begin("run");
    {
        StageTimer timer(m_seconds["run"]);
        RunRequest request = requestFor(c, m_options);
        request.outputs = m_outputs;
        request.timeLimit = timeLeft();
        request.sampleAbove = m_sampleAbove;
        request.returnArguments = !m_base; // later runs' are of no interest
        ++m_runs;
        Result<RunResult> run = m_runner.run(request);
        if (!run) throw Interrupted{run.error()};
        c.run = std::move(*run);
    }
    if (c.run.end == RunEnd::cancelled) throw Interrupted{Error{"cancelled", "Cancelled."}};
    if (c.run.end != RunEnd::finished) return c;
    noteReturned(c);
    if (!variation.earlierCalls.empty()) {
        if (!m_reused) m_reused.emplace();
        m_reused->insert(m_reused->end(), c.run.reusedOutputs.begin(), c.run.reusedOutputs.end());
    }
    c.expected = expected ? std::move(expected) : expectedFor(c.inputs);
    if (c.expected) compareCase(c);
    if (c.comparison && !c.comparison->right()) c.withinFloat32Noise = isFloat32Noise(c);
    return c;
}

void Evidence::noteReturned(const Case& c) {
    if (!m_base || c.variation.skipLaunches || m_sometimesReturned) return;
    const std::vector<std::size_t>&before = m_base->run.host.returned, &now = c.run.host.returned;
    std::vector<std::size_t> different;
    std::set_symmetric_difference(before.begin(), before.end(), now.begin(), now.end(), std::back_inserter(different));
    if (!different.empty()) m_sometimesReturned = different.front();
}

void Evidence::compareCase(Case& c) {
    StageTimer timer(m_seconds["compare"]);
    if (c.run.leftOut) c.share = takeUnknownElements(c.run, *c.expected);
    c.comparison = compareWith(c.run.output, *c.expected);
    if (c.share) c.comparison = ofShare(*c.comparison, *c.share);
}

std::optional<std::uint64_t> Evidence::sampleAbove() {
    const bool mayBeLong = m_options.mayLeaveBlocksOut && m_options.size == "full" && m_runner.capabilities().samples;
    const WorkDone* work = mayBeLong ? workDone() : nullptr;
    return work ? instructionsToSampleAbove(work->launches) : std::nullopt;
}

std::optional<WriterInfo> Evidence::runWatched(const Case& c, WatchedElement watched) {
    begin("last writer");
    StageTimer timer(m_seconds["run"]);
    RunRequest request = requestFor(c, m_options);
    request.outputs = m_outputs;
    request.timeLimit = timeLeft();
    request.watch = std::move(watched);
    ++m_runs;
    const Result<RunResult> run = m_runner.run(request);
    if (!run) return std::nullopt;
    if (run->end == RunEnd::cancelled) throw Interrupted{Error{"cancelled", "Cancelled."}};
    return run->end == RunEnd::finished ? run->lastWriter : std::nullopt;
}

bool Evidence::isFloat32Noise(const Case& c) {
    constexpr double mostTimes = 4; // two honest float32 evaluations differ in the order of their sums
    if (!c.comparison->structureError.empty() || c.comparison->unexpectedNan) return false;
    const std::optional<tensor::Value> plain = float32Answer(c.inputs);
    if (!plain) return false;
    const Comparison baseline = compareWith(*plain, *c.expected);
    return baseline.structureError.empty() && !baseline.right() && !baseline.unexpectedNan &&
           c.comparison->rmsError <= mostTimes * baseline.rmsError &&
           c.comparison->maxAbsoluteError <= mostTimes * baseline.maxAbsoluteError;
}

std::optional<tensor::Value> Evidence::expectedFor(const CallInputs& inputs) {
    if (!m_whyUnverifiable.empty()) return std::nullopt;
    begin("reference");
    StageTimer timer(m_seconds["reference"]);
    Result<tensor::Value> value = m_reference->evaluate(inputs, m_options.stop);
    if (value) return std::move(*value);
    if (value.error().code == "cancelled") throw Interrupted{value.error()};
    m_whyUnverifiable = value.error().message;
    return std::nullopt;
}

const std::vector<tensor::Tensor>& Evidence::updatedByTask() {
    if (m_updatedByTask) return *m_updatedByTask;
    m_updatedByTask.emplace();
    if (!m_whyUnverifiable.empty()) return *m_updatedByTask;
    begin("reference");
    StageTimer timer(m_seconds["reference"]);
    Result<std::vector<tensor::Tensor>> tensors = m_reference->updated(base().inputs, m_options.stop);
    if (tensors)
        m_updatedByTask = std::move(*tensors);
    else if (tensors.error().code == "cancelled")
        throw Interrupted{tensors.error()};
    return *m_updatedByTask;
}

std::optional<tensor::Value> Evidence::float32Answer(const CallInputs& inputs) {
    if (!m_whyUnverifiable.empty()) return std::nullopt;
    const bool isBase = m_base && &inputs == &m_base->inputs;
    if (isBase && m_baseFloat32) return m_baseFloat32;
    begin("reference");
    StageTimer timer(m_seconds["reference"]);
    Result<std::optional<tensor::Value>> value = m_reference->evaluateFloat32(inputs, m_options.stop);
    if (value && isBase) m_baseFloat32 = *value;
    if (value) return std::move(*value);
    if (value.error().code == "cancelled") throw Interrupted{value.error()};
    return std::nullopt;
}

tensor::DType Evidence::narrowestOutput() const {
    tensor::DType narrowest = tensor::DType::Float32;
    if (!m_reference) return narrowest;
    for (const tensor::DType type : m_reference->outputTypes())
        if (tensor::isFloating(type) && unitRoundoff(type) > unitRoundoff(narrowest)) narrowest = type;
    return narrowest;
}

Comparison Evidence::compareWith(const tensor::Value& got, const tensor::Value& expected) const {
    return given(m_place.compare(got, expected, m_reference->outputTypes(), m_options.tolerance));
}

ErrorMap Evidence::errorMapOf(const Case& c, std::size_t output) const {
    return given(m_place.errorMap(c.run.output, *c.expected, output, m_reference->outputTypes(), m_options.tolerance));
}

const WorkDone* Evidence::workDone() {
    if (std::exchange(m_workTried, true)) return m_work ? &*m_work : nullptr;
    if (!m_runner.capabilities().profiles) return nullptr;
    constexpr std::uint64_t budget = 1'000'000; // warp instructions of a launch: shares, not times, are asked for
    constexpr std::chrono::milliseconds longest(20000);
    begin("work done");
    StageTimer timer(m_seconds["work done"]);
    ProfileOptions profile;
    profile.instructionBudget = budget;
    RunRequest request =
        profileRequest(m_options.published ? m_options.published->plan : m_plan, m_options.seed, std::move(profile));
    request.timeLimit = std::min(longest, timeLeft());
    request.stop = m_options.stop;
    ++m_runs;
    Result<RunResult> run = m_runner.run(request);
    if (!run) return nullptr;
    if (run->end == RunEnd::cancelled) throw Interrupted{Error{"cancelled", "Cancelled."}};
    if (run->end != RunEnd::finished) return nullptr;
    m_work = WorkDone{std::move(run->counters), std::move(run->libraryCosts), m_options.published != nullptr};
    return &*m_work;
}

bool Evidence::affordable() const {
    return m_base && Clock::now() < m_deadline &&
           std::chrono::duration<double>(timeLeft()).count() > 1.5 * m_baseSeconds + 0.05;
}

std::chrono::milliseconds Evidence::timeLeft() const {
    const auto spent = m_seconds.find("run");
    const auto used = std::chrono::duration<double>(spent == m_seconds.end() ? 0.0 : spent->second);
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(m_options.timeLimit - used);
    return std::max(left, std::chrono::milliseconds(1));
}

void Evidence::begin(const std::string& stage) {
    if (m_options.stop.stop_requested()) throw Interrupted{Error{"cancelled", "Cancelled."}};
    if (m_options.progress) m_options.progress(stage);
}

} // namespace kernelarium::verify

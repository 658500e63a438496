// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/perf/DeviceSpec.h"
#include "core/verify/Comparison.h"
#include "core/verify/ErrorMap.h"
#include "core/verify/Poison.h"
#include "core/verify/Reference.h"
#include "core/verify/Runner.h"
#include "core/verify/ShareOfBlocks.h"
#include "core/verify/Workplace.h"
#include "core/verify/inputs/InputPlan.h"

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::verify {

/// The same task at a size that no block size divides.
struct OtherShape {
    std::string size; ///< "odd"
    InputPlan plan;
    std::unique_ptr<Reference> reference;
};

/// The task at its published size, for what can be said without running it whole.
struct PublishedSize {
    InputPlan plan;
    double compulsoryBytes = 0; ///< each input read once, each output written once
    double flops = 0;           ///< of the reference, by the card's cost model
};

/// A time that somebody claims for one call at the published size.
struct ClaimedTime {
    double seconds = 0;
    perf::DeviceSpec device;
    std::string source; ///< "the archive"
};

/// How a kernel is verified. What is pointed to outlives the verification.
struct VerifyOptions {
    std::uint64_t seed = 1;
    Tolerance tolerance;
    std::chrono::milliseconds timeLimit{60000}; ///< of all runs together; the whole verification ends
                                                ///< adding optional runs after twice as long
    /// At the published size: leave blocks out of launches that would take over a minute (ShareOfBlocks.h).
    bool mayLeaveBlocksOut = true;
    bool checks = true; ///< memory checks of the backend, and the checks that run the kernel again
    /// Say more of what is not right than that: who wrote the first wrong element, which takes another run, and where
    /// errors are. No check and no verdict hangs on it.
    bool explain = true;
    std::string size = "small";
    const OtherShape* otherShape = nullptr; ///< where the card has one
    std::string whyWeak; ///< why the task cannot tell a right kernel from a trivial answer, where its card says so
    const PublishedSize* published = nullptr; ///< where there is a card
    std::optional<ClaimedTime> claim;
    Workplace* place = nullptr;     ///< where tensors are made and looked at; null: in this process's memory
    std::size_t mostPerturbed = 12; ///< tensors that are moved one by one, at most
    std::stop_token stop;
    std::function<void(const std::string& stage)> progress; ///< called as each stage begins
};

/// The verification cannot go on for a reason that is not the kernel's. Stays inside core/verify.
struct Interrupted {
    Error error;
};

/// What a workplace gave; throws Interrupted where it failed.
template <class T> T given(Result<T> result) {
    if (!result) throw Interrupted{result.error()};
    return std::move(*result);
}

/// How a run differs from the plain one.
struct Variation {
    std::uint32_t poison = firstPoison;
    std::uint64_t addressSalt = 0;
    std::uint64_t schedule = 0;   ///< RunRequest::schedule
    bool contraryLanes = false;   ///< RunRequest::contraryLanes
    bool contraryStreams = false; ///< RunRequest::contraryStreams
    bool lateCopies = false;      ///< RunRequest::lateCopies
    bool skipLaunches = false;
    std::vector<std::vector<tensor::Value>> earlierCalls = {};
    bool sameAddresses = false; ///< every call's arguments lie where the first one's lay
};

/// What one call does at the published size, from a run of a share of its blocks (RunRequest::profile).
struct WorkDone {
    std::vector<perf::LaunchCounters> launches; ///< scaled to whole grids
    std::vector<perf::LibraryCall> library;
    bool published = false; ///< else at the size that is verified
};

/// One run of the kernel and what it should have given.
struct Case {
    std::uint64_t seed = 0;
    CallInputs inputs;
    Variation variation;
    std::optional<tensor::Value> expected; ///< empty without a reference
    RunResult run;
    std::optional<Comparison> comparison; ///< when the run finished and there is a reference
    /// Beyond the tolerance, but a plain float32 evaluation of the task is beyond it too, and by about as much: the
    /// task is ill-conditioned with these inputs.
    bool withinFloat32Noise = false;
    std::optional<ComparedShare> share; ///< of a run that left blocks out: the comparison is of these elements only

    [[nodiscard]] bool right() const { return comparison && (comparison->right() || withinFloat32Noise); }
};

/// What is known about the kernel so far, and the means to find out more. Throws Interrupted where the runner itself
/// fails or the work is cancelled.
class Evidence {
public:
    Evidence(Runner& runner, Reference* reference, const InputPlan& plan, const VerifyOptions& options);

    /// The run that everything else is measured against: first seed, first poison.
    [[nodiscard]] const Case& base();
    /// The run with the second seed, poison and addresses. Made by the check of that name; null before.
    [[nodiscard]] const Case* second() const { return m_second ? &*m_second : nullptr; }
    const Case& makeSecond();

    /// Every tensor of the plan, where this verification has its tensors.
    [[nodiscard]] std::vector<tensor::Tensor> draw(std::uint64_t seed, std::uint32_t stream = 0);
    /// Runs and compares. `expected` saves evaluating the reference again.
    [[nodiscard]] Case makeCase(std::uint64_t seed, std::vector<tensor::Tensor> tensors, const Variation& variation,
                                std::optional<tensor::Value> expected = std::nullopt);
    /// What runs with earlier calls found of those calls' results; null where there was no such run.
    [[nodiscard]] const std::vector<ReusedOutput>* reusedOutputs() const { return m_reused ? &*m_reused : nullptr; }
    /// An argument's tensor, depth first, whose memory some runs return and others, with the same shapes, do not.
    [[nodiscard]] std::optional<std::size_t> sometimesReturned() const { return m_sometimesReturned; }
    /// Reference::updated() of the base run's inputs; asked for once, since it walks the whole graph. Empty where there
    /// is no such thing.
    [[nodiscard]] const std::vector<tensor::Tensor>& updatedByTask();
    /// Repeats the case's run and tells who last wrote that element; empty where it did not go as before.
    [[nodiscard]] std::optional<WriterInfo> runWatched(const Case& c, WatchedElement watched);
    /// The reference's answer; empty when there is no reference (whyUnverifiable() then says why).
    [[nodiscard]] std::optional<tensor::Value> expectedFor(const CallInputs& inputs);
    /// What a plain float32 evaluation gives; empty where there is no such thing.
    [[nodiscard]] std::optional<tensor::Value> float32Answer(const CallInputs& inputs);
    /// The narrowest floating type that the task declares for an output; float32 where it declares none.
    [[nodiscard]] tensor::DType narrowestOutput() const;
    [[nodiscard]] Comparison compareWith(const tensor::Value& got, const tensor::Value& expected) const;

    /// Counted once, when first asked for; null where the backend cannot, or the kernel does not finish that way.
    [[nodiscard]] const WorkDone* workDone();
    [[nodiscard]] double baseSeconds() const { return m_baseSeconds; } ///< of the base run
    [[nodiscard]] int runs() const { return m_runs; }                  ///< of the kernel, so far

    [[nodiscard]] ErrorMap errorMapOf(const Case& c, std::size_t output) const; ///< of a compared case

    /// Whether another run of the base run's length fits in the time that is left.
    [[nodiscard]] bool affordable() const;
    [[nodiscard]] const std::string& whyUnverifiable() const { return m_whyUnverifiable; }
    [[nodiscard]] const InputPlan& plan() const { return m_plan; }
    [[nodiscard]] const VerifyOptions& options() const { return m_options; }
    [[nodiscard]] Runner& runner() { return m_runner; }
    [[nodiscard]] Workplace& place() const { return m_place; }
    [[nodiscard]] const std::map<std::string, double>& seconds() const { return m_seconds; }

private:
    [[nodiscard]] std::chrono::milliseconds timeLeft() const;
    [[nodiscard]] bool isFloat32Noise(const Case& c);
    /// RunRequest::sampleAbove of every run, from what the launches are expected to cost.
    [[nodiscard]] std::optional<std::uint64_t> sampleAbove();
    void compareCase(Case& c);
    [[nodiscard]] Case firstCase(std::vector<tensor::Tensor> tensors);
    void noteReturned(const Case& c);
    void begin(const std::string& stage);

    Runner& m_runner;
    Reference* m_reference;
    const InputPlan& m_plan;
    const VerifyOptions& m_options;
    Workplace& m_place;
    OutputArguments m_outputs;                        ///< of every run
    std::chrono::steady_clock::time_point m_deadline; ///< for optional work
    std::optional<Case> m_base;
    std::optional<Case> m_second;
    std::optional<std::vector<ReusedOutput>> m_reused;
    std::optional<std::size_t> m_sometimesReturned;
    std::optional<tensor::Value> m_baseFloat32;                 ///< of the base run's inputs
    std::optional<std::vector<tensor::Tensor>> m_updatedByTask; ///< the same
    std::optional<WorkDone> m_work;
    bool m_workTried = false;
    std::optional<std::uint64_t> m_sampleAbove;
    int m_runs = 0;
    double m_baseSeconds = 0;
    std::string m_whyUnverifiable;
    std::map<std::string, double> m_seconds;
};

} // namespace kernelarium::verify

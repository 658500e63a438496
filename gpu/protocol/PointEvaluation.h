// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/NamedShape.h"
#include "core/text/CompilerSettings.h"
#include "core/tuning/search/Judged.h"
#include "core/tuning/space/TunableText.h"
#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/TrialJudge.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::protocol {

/// How the points of a sweep are looked at.
struct PointSettings {
    text::CompilerSettings compiler; ///< of the kernel, beside what the space sets
    bool fastMath = false;
    std::string arch = "sm_90";
    /// Of every run: backend, card or arguments, seed, time limit. Its unit is the point's. With the backend "cuda" a
    /// point's value is its measured time, else its modelled one on `device`.
    RunParameters run;
    std::string size = "full"; ///< at which it is modelled or timed
    /// Of the card, instead of `size`: each point is looked at at every one of them. Two at least, or none.
    std::vector<std::string> sizes = {};
    std::string device = "h200"; ///< core/perf/DeviceSpec.h
    /// promising: those as good as the best so far, which nothing else can become; every; none: the results of no point
    /// are looked at, and the sweep says so.
    enum class Verify { promising, every, none };
    Verify verify = Verify::promising;
    std::string mode = "cold";   ///< of timing
    double sampleSeconds = 0.25; ///< of a first look on a GPU; four times as long against the best so far
};

/// Whether the emulator verifies at that size of the card within seconds: it runs the kernel many times, every block.
[[nodiscard]] bool affordableToVerify(const task::Card& card, const std::string& size);

/// At which sizes a point is looked at.
[[nodiscard]] inline std::vector<std::string> sizesOf(const PointSettings& settings) {
    return settings.sizes.empty() ? std::vector{settings.size} : settings.sizes;
}

/// Looks at points at these sizes of this card, of which there is one at least.
inline void setSizes(PointSettings& settings, task::CardSizes sizes) {
    settings.run.card = std::make_shared<const task::Card>(std::move(sizes.card));
    settings.size = sizes.names.front();
    settings.sizes = sizes.names.size() > 1 ? std::move(sizes.names) : std::vector<std::string>();
}

/// Judges the points of a kernel's text: compiles, models or times, and verifies. Each of several threads at once has a
/// compile child and a run child of its own; a GPU is measured on by one of them at a time, while the others compile.
///
/// A modelled or measured time in seconds is the value. Only a verified point becomes the best (but with Verify::none),
/// and only once it is kept (know()): a point whose time is not above that of the best so far is verified before its
/// outcome is told, so that in what is kept a verified one is as good as any other, wherever it ends. One that is not
/// verified is marked so (Outcome::unproven). On a GPU one that seems as fast is timed once more in pairs with the
/// best, and its value is then the best's time by the pairs' ratio: clocks that drift do not decide.
///
/// With several sizes (PointSettings::sizes) the value is the geometric mean of the times at each: its ratio to the
/// start's value is the geometric mean of the ratios. What is said above of the best holds for each size on its own and
/// for the mean: a point is verified at the sizes at which no verified one is faster, at all of them where its mean may
/// be the best. One that is refused or wrong at one of them is so altogether.
///
/// The emulator verifies at the size itself where the task's work there is small (affordableToVerify()), otherwise at
/// "small".
///
/// The outcome's details are a JSON object: "text" (SHA-256 of the point's text), "device", "registers",
/// "shared_bytes", "spill_bytes", "seconds" {compile, model, time, verify, and of "time" each of its stages: "inputs",
/// "host run", "samples", ...}; where it was modelled "modelled_ms",
/// "limiter", "why", "occupancy"; where it was timed "measured_ms", "noise", "samples", "clock_mhz", and "pairs"
/// {ratio, count, faster} where it was raced; where it was verified "verdict", "message", "remarks", "size" (at which
/// it was verified). With several sizes "sizes" is an array of objects: "at" (the size's name), "ms" (its time, races
/// included) and those of these fields that depend on it; the object itself has "verdict" where it was verified at all
/// of them.
class PointEvaluation : public tuning::Evaluation {
public:
    PointEvaluation(const tuning::TunableText& tunable, PointSettings settings, TrialJudge::Commands commands);
    ~PointEvaluation() override;

    /// What this run or an earlier one has kept: the best of it is what promising points have to beat.
    void know(const tuning::Judged& judged);

    [[nodiscard]] Result<std::string> secondKey(const tuning::Candidate& candidate) override;
    [[nodiscard]] Result<tuning::Outcome> evaluate(const tuning::Candidate& candidate, std::stop_token stop) override;

private:
    class Look; ///< at one point
    struct Children {
        KernelClient compiler, runner;
    };
    struct Best {
        double seconds = 0;
        KernelClient::Unit unit; ///< null where it is known from an earlier run
    };
    using Bests = std::map<std::string, Best>; ///< of verified points, by size; the mean's by ""
    struct Found {                             ///< by a look whose outcome is not kept yet
        std::string size;
        double seconds = 0;
        KernelClient::Unit unit;
    };

    std::unique_ptr<Children> takeChildren();
    void giveBack(std::unique_ptr<Children> children);
    [[nodiscard]] std::optional<Best> best(const std::string& size) const;
    void offer(const std::string& size, double seconds, const KernelClient::Unit& unit);

    const tuning::TunableText& m_tunable;
    PointSettings m_settings;
    TrialJudge::Commands m_commands;
    mutable std::mutex m_mutex; ///< of what follows
    std::vector<std::unique_ptr<Children>> m_idle;
    Bests m_bests;
    std::map<std::string, std::vector<Found>> m_found; ///< by the point's key
    std::mutex m_gpu;                                  ///< one measurement at a time
};

} // namespace kernelarium::protocol

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/algebra/explain/Explanation.h"
#include "core/kernelgen/file/Emitted.h"
#include "core/perf/DeviceSpec.h"
#include "core/perf/ModelledTime.h"
#include "core/proof/Proof.h"
#include "core/task/Card.h"

#include <cstddef>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

/// Kernel files that could be written for a task, held against one another before any of them is run.
namespace kernelarium::superopt {

/// What the program's verifier said of a candidate's file at one size. Filled by who has a machine to run it on.
struct Verified {
    std::string size;    ///< of the card
    std::string backend; ///< "emulator", "cuda"
    std::string verdict; ///< the verdict's kind: "verified", "wrong", ...
    std::string summary; ///< a sentence or two: the reasons
    bool passed = false;
};

/// A time that was taken on a device.
struct Measured {
    std::string device;
    double seconds = 0; ///< median of calls with a cold L2, device time
    double noise = 0;   ///< relative
    std::size_t samples = 0;
};

/// One file. Amounts are those of the size that was asked for.
struct Candidate {
    std::string name;        ///< unique in its list: the emitter's, and + how many chosen rewrites: "naive", "fused+2"
    std::string emitter;     ///< kernelgen::Emitter::name
    kernelgen::Emitted file; ///< text, skeleton, why, levels
    /// How many of the derivation's chosen steps (algebra::chosenSteps) its graph is after; none: the card's own graph.
    std::optional<std::size_t> stages;
    std::vector<std::string> rewrites; ///< names of the rules behind it: those steps', then the emitter's own
    double flops = 0;                  ///< of all launches, analytic
    double bytes = 0;                  ///< of device memory, modelled: distinct bytes, and those that come again
    std::size_t launches = 0;
    perf::ModelledTime modelled; ///< from analytic counters (Launch::counters): ranks candidates, is no measurement
    double boundSeconds = 0;     ///< of the task, after the rewrites: the same for all candidates
    double overBound = 0;        ///< modelled over bound; 0 where there is no bound
    std::optional<proof::Proof> proof; ///< of the graph that the file was written from, if it was asked for
    std::vector<Verified> verified;
    std::optional<Measured> measured;

    [[nodiscard]] double seconds() const { return modelled.seconds; }
};

/// An emitter that has no file for the task, and why.
struct Refused {
    std::string name;
    Error reason;
};

struct Candidates {
    std::string task, name, size;
    const perf::DeviceSpec* device = nullptr;
    algebra::Explanation explanation; ///< bounds before and after, rewrites, formulas
    /// What files may be written from: without what holds for the inputs alone that the card draws.
    algebra::Derivation derivation;
    std::vector<Candidate> all; ///< the shortest modelled time first
    std::vector<Refused> refused;

    [[nodiscard]] const Candidate* find(const std::string& candidate) const; ///< by name; null if there is none
    [[nodiscard]] Candidate* find(const std::string& candidate);
};

struct CandidateOptions {
    std::stop_token stop;
    /// Hears what is done next and how many of how many are done, from the thread that works.
    std::function<void(const std::string& what, std::size_t done, std::size_t all)> progress;
    algebra::SearchLimits limits; ///< of the derivations; their own stop and progress are not looked at
};

/// All candidates of a card at one of its sizes on a device. A candidate whose text another one has already is left
/// out. Takes up to some seconds. Errors: as algebra::explain; "cancelled".
[[nodiscard]] Result<Candidates> candidatesOf(const task::Card& card, const std::string& size,
                                              const perf::DeviceSpec& device, const CandidateOptions& options = {});

/// The candidate of a name; an empty one is the first. Error "bad_input", which lists the names, and says why where it
/// was refused.
[[nodiscard]] Result<const Candidate*> named(const Candidates& candidates, const std::string& candidate);

/// Climbs the ladder of core/proof for the graph that a candidate was written from; seconds. Kept in the candidate.
/// Errors: as proof::prove; "unsupported" for an emitter that rewrites by itself, without a graph of the result.
[[nodiscard]] Result<void> proveCandidate(const task::Card& card, const Candidates& candidates, Candidate& candidate,
                                          const proof::Options& options = {});

/// All of it; texts only if asked for.
[[nodiscard]] nlohmann::json toJson(const Candidates& candidates, bool withTexts = false);
[[nodiscard]] nlohmann::json toJson(const Candidate& candidate, bool withText = false);

} // namespace kernelarium::superopt

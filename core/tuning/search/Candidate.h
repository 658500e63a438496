// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::tuning {

/// What a proposer draws and an evaluation judges. The key is its canonical form, one line that the proposer and the
/// evaluation can both read: two candidates of one key are the same.
struct Candidate {
    std::string key;
    /// The share of a full look's cost that is to be spent on it, above 0, at most 1. Below 1 an evaluation that can
    /// takes a cheaper, less exact look (a model for a measurement, a small size); one that cannot looks fully. Looks
    /// of different efforts are different candidates, and their values are never compared.
    double effort = 1;
};

/// What became of a candidate.
struct Outcome {
    enum class Kind {
        valued,  ///< it is right as far as it was looked at, and `value` says how good
        refused, ///< it cannot be compiled or launched: `reason` says why
        wrong,   ///< its results are not: `reason` is the evidence
        failed   ///< nothing is known of it: its child died, the machine was gone
    };
    Kind kind = Kind::failed;
    std::optional<double> value; ///< what is minimised: seconds, mostly. Also of a wrong one, where it was modelled
    std::string reason;
    /// Of the full account (parameters, verdict, counters, samples): a JSON object on one line, or nothing.
    std::string details;
    /// It may not be called best: what would show that it is wrong was not looked at. Of a valued one.
    bool unproven = false;
};

/// Draws candidates and learns from what became of them. Used from one thread at a time.
class Proposer {
public:
    virtual ~Proposer() = default;
    /// At most `most` new ones. Fewer, or none, where it waits for outcomes of earlier ones; none while nothing is
    /// under way means that it has no more.
    [[nodiscard]] virtual std::vector<Candidate> propose(std::size_t most) = 0;
    /// Each proposed candidate once, in any order; also those of an earlier run that is resumed, before the first
    /// propose(): these are never proposed again. One that had failed may be heard of again, with another outcome.
    virtual void hear(const Candidate& candidate, const Outcome& outcome) = 0;
    /// How many there are in all, where it is known.
    [[nodiscard]] virtual std::optional<std::uint64_t> total() const { return std::nullopt; }
};

/// Judges candidates. Called from several threads at once.
class Evaluation {
public:
    virtual ~Evaluation() = default;
    /// What is the same for two candidates of different keys whose outcome must be the same, such as the hash of the
    /// text that is made of them; nothing where there is no such thing. Cheap: it is asked before evaluate(). Errors as
    /// there.
    [[nodiscard]] virtual Result<std::string> secondKey(const Candidate& /*candidate*/) { return std::string(); }
    /// The efforts (Candidate::effort) whose looks differ, rising to 1.
    [[nodiscard]] virtual std::vector<double> efforts() const { return {1}; }
    /// An error ends the whole search: "cancelled" where it was stopped, or what makes every candidate fail (no
    /// compiler).
    [[nodiscard]] virtual Result<Outcome> evaluate(const Candidate& candidate, std::stop_token stop) = 0;
};

} // namespace kernelarium::tuning

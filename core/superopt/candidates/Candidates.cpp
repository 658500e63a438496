// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/candidates/Candidates.h"

#include "core/algebra/rewrite/Replay.h"
#include "core/kernelgen/Emit.h"
#include "core/kernelgen/fused/Plan.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>

#include <fmt/format.h>

namespace kernelarium::superopt {

namespace {

using algebra::Graph;

/// Prefixes of a derivation of which files are written; of longer ones, the first and the last ones.
constexpr std::size_t mostPrefixes = 6;
/// Larger graphs take minutes to be rewritten at a dozen sizes.
constexpr std::size_t mostTensors = 60;

/// A derivation's graphs at every size, each replayed once.
class Prefixes {
public:
    Prefixes(const algebra::Derivation& derivation, const perf::DeviceSpec& device, algebra::SearchLimits limits)
        : m_chosen(algebra::chosenSteps(derivation))
        , m_device(device)
        , m_limits(std::move(limits)) {}

    [[nodiscard]] std::size_t chosen() const { return m_chosen.size(); }

    /// The graph after tidying and so many chosen steps.
    Result<Graph> at(std::size_t steps, const Graph& lowered) {
        std::string key;
        for (const algebra::Tensor& t : lowered.tensors)
            for (const std::int64_t e : t.extents)
                key += fmt::format("{},", e);
        auto found = m_known.find(key);
        if (found == m_known.end()) {
            Result<std::vector<Graph>> graphs = algebra::replayed(m_chosen, lowered, m_device, m_limits);
            if (!graphs) return graphs.error();
            found = m_known.emplace(std::move(key), *std::move(graphs)).first;
        }
        if (steps < found->second.size()) return found->second[steps];
        const algebra::Rewrite& missing = m_chosen[found->second.size() - 1];
        return Error{"unsupported",
                     fmt::format("The rule {} does not fit the task at every size.", missing.rule->name)};
    }

private:
    std::vector<algebra::Rewrite> m_chosen;
    const perf::DeviceSpec& m_device;
    algebra::SearchLimits m_limits;
    std::map<std::string, std::vector<Graph>> m_known;
};

/// Names and details of the steps up to the chosen one of this number: for Candidate::rewrites and a file's header.
std::vector<std::string> rulesOf(const algebra::Derivation& d, std::size_t chosen, bool withDetails) {
    std::vector<std::string> out;
    std::size_t seen = 0;
    for (const algebra::Rewrite& step : d.steps) {
        if (algebra::isSearched(*step.rule) && ++seen > chosen) break;
        std::string text(withDetails ? step.rule->title : step.rule->name);
        if (withDetails && !step.details.empty() && !step.details.front().empty()) text += ": " + step.details.front();
        out.push_back(std::move(text));
    }
    return out;
}

bool tidies(const algebra::Derivation& d) {
    return !d.steps.empty() && !algebra::isSearched(*d.steps.front().rule);
}

/// The text without its header, which names the rewrites.
std::string_view codeOf(const std::string& text) {
    return std::string_view(text).substr(std::min(text.find("#include"), text.size()));
}

/// What is tried: an emitter, on the card's own graph or on that after some steps.
struct Attempt {
    const kernelgen::Emitter* emitter = nullptr;
    std::optional<std::size_t> stages;
    [[nodiscard]] std::string name() const {
        std::string text(emitter->name);
        return stages ? text + fmt::format("+{}", *stages) : text;
    }
};

std::vector<Attempt> attemptsOf(const algebra::Derivation& d, std::size_t chosen) {
    std::vector<std::size_t> prefixes;
    for (std::size_t n = tidies(d) ? 0 : 1; n <= chosen; ++n)
        if (n <= mostPrefixes / 2 || n + mostPrefixes / 2 > chosen) prefixes.push_back(n);
    std::vector<Attempt> attempts;
    for (const kernelgen::Emitter& e : kernelgen::emitters()) {
        attempts.push_back({&e, {}});
        if (e.takesRewritten)
            for (const std::size_t n : prefixes)
                attempts.push_back({&e, n});
    }
    return attempts;
}

class Collector {
public:
    Collector(const task::Card& card, Candidates& to, const CandidateOptions& options)
        : m_card(card)
        , m_to(to)
        , m_options(options)
        , m_limits(options.limits)
        , m_device(*to.device) {
        m_limits.stop = options.stop;
        m_limits.progress = {};
        m_limits.useStatedStructure = false;
    }

    Result<void> run() {
        Prefixes prefixes(m_to.derivation, m_device, m_limits);
        const std::vector<Attempt> attempts = attemptsOf(m_to.derivation, prefixes.chosen());
        for (std::size_t i = 0; i < attempts.size(); ++i) {
            if (m_options.stop.stop_requested()) return Error{"cancelled", "The candidates were cancelled."};
            if (m_options.progress) m_options.progress("writing " + attempts[i].name(), i, attempts.size());
            if (Result<void> done = take(attempts[i], prefixes); !done) return done;
        }
        std::stable_sort(m_to.all.begin(), m_to.all.end(),
                         [](const Candidate& a, const Candidate& b) { return a.seconds() < b.seconds(); });
        return {};
    }

private:
    Result<void> take(const Attempt& attempt, Prefixes& prefixes) {
        kernelgen::EmitOptions how;
        how.size = m_to.size;
        // Emitters ask for the graph at one size after another: that is where they can be stopped.
        how.rewriting = [&](Graph lowered) -> Result<Graph> {
            if (m_options.stop.stop_requested()) return Error{"cancelled", "The candidates were cancelled."};
            return attempt.stages ? prefixes.at(*attempt.stages, lowered) : Result<Graph>(std::move(lowered));
        };
        if (attempt.stages) {
            how.rewrites = rulesOf(m_to.derivation, *attempt.stages, true);
        }
        if (attempt.stages && m_to.derivation.original.tensors.size() > mostTensors) {
            m_to.refused.push_back(
                {attempt.name(), Error{"unsupported", "The task's graph is too large to be rewritten "
                                                      "at every size in reasonable time."}});
            return {};
        }
        Result<kernelgen::Emitted> file = attempt.emitter->write(m_card, how);
        if (!file) {
            if (file.error().code == "cancelled") return file.error();
            m_to.refused.push_back({attempt.name(), file.error()});
            return {};
        }
        for (const Candidate& other : m_to.all)
            if (codeOf(other.file.text) == codeOf(file->text)) return {};
        m_to.all.push_back(candidateOf(attempt, *std::move(file)));
        return {};
    }

    Candidate candidateOf(const Attempt& attempt, kernelgen::Emitted file) const {
        Candidate c;
        c.name = attempt.name();
        c.emitter = attempt.emitter->name;
        c.stages = attempt.stages;
        if (attempt.stages) c.rewrites = rulesOf(m_to.derivation, *attempt.stages, false);
        c.file = std::move(file);
        std::vector<perf::LaunchCounters> launches;
        for (const kernelgen::Launch& l : c.file.levels.launches)
            launches.push_back(l.counters);
        c.modelled = perf::modelRun(launches, {}, m_device);
        c.modelled.seconds = 0;
        for (std::size_t i = 0; i < launches.size(); ++i) {
            const auto times = double(c.file.levels.launches[i].times.value);
            c.flops += times * perf::totalFlops(launches[i].totals);
            c.bytes += times * c.modelled.launches[i].deviceMemoryBytes;
            c.launches += std::size_t(times);
            c.modelled.seconds += times * c.modelled.launches[i].seconds;
        }
        c.modelled.kernelSeconds = c.modelled.seconds;
        c.boundSeconds = m_to.explanation.after.seconds;
        c.overBound = c.boundSeconds > 0 ? c.modelled.seconds / c.boundSeconds : 0;
        return c;
    }

    const task::Card& m_card;
    Candidates& m_to;
    const CandidateOptions& m_options;
    algebra::SearchLimits m_limits;
    const perf::DeviceSpec& m_device;
};

bool usesDrawn(const algebra::Derivation& d) {
    return std::any_of(d.steps.begin(), d.steps.end(),
                       [](const algebra::Rewrite& s) { return s.rule->exactness == algebra::Exactness::drawn; });
}

} // namespace

const Candidate* Candidates::find(const std::string& candidate) const {
    const auto it = std::find_if(all.begin(), all.end(), [&](const Candidate& c) { return c.name == candidate; });
    return it == all.end() ? nullptr : &*it;
}
Candidate* Candidates::find(const std::string& candidate) {
    return const_cast<Candidate*>(std::as_const(*this).find(candidate));
}

Result<Candidates> candidatesOf(const task::Card& card, const std::string& size, const perf::DeviceSpec& device,
                                const CandidateOptions& options) {
    if (options.progress) options.progress("rewriting", 0, 1);
    algebra::SearchLimits limits = options.limits;
    limits.stop = options.stop;
    limits.progress = {};
    Result<algebra::Explanation> explained = algebra::explain(card, size, device, limits);
    if (!explained) return explained.error();
    Candidates out{card.key(), card.name, size, &device, *std::move(explained), {}, {}, {}};
    out.derivation = out.explanation.derivation;
    if (usesDrawn(out.derivation)) {
        limits.useStatedStructure = false;
        Result<algebra::Derivation> plain = algebra::derive(out.derivation.original, device, limits);
        if (!plain) return plain.error();
        out.derivation = *std::move(plain);
    }
    if (Result<void> done = Collector(card, out, options).run(); !done) return done.error();
    return out;
}

Result<const Candidate*> named(const Candidates& candidates, const std::string& candidate) {
    if (candidate.empty() && !candidates.all.empty()) return &candidates.all.front();
    if (const Candidate* found = candidates.find(candidate)) return found;
    for (const Refused& r : candidates.refused)
        if (r.name == candidate || candidate.empty()) return r.reason;
    std::string names;
    for (const Candidate& c : candidates.all)
        names += (names.empty() ? "" : ", ") + c.name;
    return Error{"bad_input", fmt::format("Task {} has no candidate {}.", candidates.task, candidate),
                 fmt::format("Choose one of these: {}.", names)};
}

Result<void> proveCandidate(const task::Card& card, const Candidates& candidates, Candidate& candidate,
                            const proof::Options& options) {
    const auto& all = kernelgen::emitters();
    const auto emitter =
        std::find_if(all.begin(), all.end(), [&](const kernelgen::Emitter& e) { return e.name == candidate.emitter; });
    if (emitter == all.end() || !emitter->takesRewritten)
        return Error{
            "unsupported",
            fmt::format("The emitter {} moves what it fuses by itself: there is no graph to prove.", candidate.emitter),
            "`superopt show --verify` judges the file that it writes."};
    algebra::SearchLimits limits;
    limits.useStatedStructure = false;
    limits.stop = options.stop;
    Prefixes prefixes(candidates.derivation, *candidates.device, limits);
    const auto rewriting = [&](const Graph& lowered, const task::Symbols&) -> Result<Graph> {
        Result<Graph> graph = candidate.stages ? prefixes.at(*candidate.stages, lowered) : Result<Graph>(lowered);
        if (!graph || candidate.emitter != "fused") return graph;
        return kernelgen::tidied(*std::move(graph)); // as emitFused does
    };
    Result<proof::Proof> proof = proof::prove(card, rewriting, options);
    if (!proof) return proof.error();
    candidate.proof = *std::move(proof);
    return {};
}

} // namespace kernelarium::superopt

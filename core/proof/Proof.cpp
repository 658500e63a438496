// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/Proof.h"

#include "core/algebra/graph/Interpreter.h"
#include "core/algebra/lowering/Lowering.h"
#include "core/proof/Shrink.h"
#include "core/proof/rungs/Rungs.h"
#include "core/proof/values/Machine.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

namespace kernelarium::proof {

namespace {

using algebra::Graph;

Result<Sized> atSize(const task::Card& card, const std::string& name, const task::Symbols& symbols,
                     const Rewriting& rewriting) {
    Result<Graph> original = algebra::lower(card, symbols);
    if (!original) return original.error();
    Result<Graph> rewritten = rewriting(*original, symbols);
    if (!rewritten) return rewritten.error();
    if (Result<void> fit = checkPair(*original, *rewritten); !fit) return fit.error();
    Sized sized{name, card, *std::move(original), *std::move(rewritten)};
    std::erase_if(sized.card.sizes, [&](const auto& s) { return s.first == name; });
    sized.card.sizes.emplace_back(name, symbols);
    return sized;
}

/// The tiny size first, then the card's others without the published ones. A rewriting that cannot be done at the tiny
/// size is held against the card's own sizes alone.
Result<std::vector<Sized>> sizesOf(const task::Card& card, const Rewriting& rewriting,
                                   std::vector<std::string>& leftOut) {
    std::vector<Sized> sizes;
    const Result<task::Symbols> tiny = tinySize(card);
    if (!tiny) return tiny.error();
    std::optional<Error> failure;
    std::vector<std::pair<std::string, task::Symbols>> wanted{{"tiny", *tiny}};
    for (const std::string name : {"odd", "small"})
        if (const Result<task::Symbols> symbols = card.size(name)) wanted.emplace_back(name, *symbols);
    if (wanted.size() == 1)
        for (const auto& size : card.sizes)
            wanted.push_back(size);
    for (const auto& [name, symbols] : wanted) {
        Result<Sized> sized = atSize(card, name, symbols, rewriting);
        if (sized)
            sizes.push_back(*std::move(sized));
        else if (sized.error().code == "cancelled" || sized.error().code == "bad_graph")
            return sized.error();
        else {
            failure = sized.error();
            leftOut.push_back(name + ": " + sized.error().message);
        }
    }
    if (sizes.empty()) return *failure;
    return sizes;
}

} // namespace

Verdict verdictOf(const std::vector<Evidence>& rungs) {
    bool algebraic = false, numeric = false;
    for (const Evidence& e : rungs) {
        if (e.outcome == Outcome::failed) return Verdict::different;
        if (e.outcome != Outcome::passed) continue;
        algebraic = algebraic || e.rung < Rung::float64;
        numeric = numeric || e.rung == Rung::float64;
    }
    return algebraic && numeric ? Verdict::equal : Verdict::notDecided;
}

Result<std::vector<Evidence>> proveAlgebraically(const Graph& original, const Graph& rewritten,
                                                 const std::vector<InputKind>& kinds, const Options& options) {
    if (Result<void> fit = checkPair(original, rewritten); !fit) return fit.error();
    const Pair pair(original, rewritten);
    std::vector<Evidence> rungs;
    try {
        for (const auto rung : {fieldRung, keyedRung, orderedRung}) {
            rungs.push_back(rung(pair, kinds, options));
            if (rungs.back().outcome == Outcome::failed) break;
        }
    } catch (const Stopped&) {
        return Error{"cancelled", "The proof was stopped."};
    }
    return rungs;
}

Result<Proof> prove(const task::Card& card, const Rewriting& rewriting, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    Proof proof;
    const Result<std::vector<Sized>> sizes = sizesOf(card, rewriting, proof.leftOut);
    if (!sizes) return sizes.error();
    const Sized& tiny = sizes->front();
    proof.tinySize = tiny.card.sizes.back().second;
    Result<std::vector<Evidence>> algebraic =
        proveAlgebraically(tiny.original, tiny.rewritten, inputKinds(tiny.card, proof.tinySize), options);
    if (!algebraic) return algebraic.error();
    proof.rungs = *std::move(algebraic);
    try {
        for (const auto rung : {float64Rung, rangeRung}) {
            if (proof.failed()) break;
            Result<Evidence> e = rung(*sizes, options);
            if (!e) return e.error();
            proof.rungs.push_back(*std::move(e));
        }
    } catch (const Stopped&) {
        return Error{"cancelled", "The proof was stopped."};
    }
    proof.verdict = verdictOf(proof.rungs);
    proof.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return proof;
}

std::vector<InputKind> inputKinds(const task::Card& card, const task::Symbols&) {
    using Fill = task::Fill::Kind;
    using Kind = InputKind::Kind;
    std::vector<InputKind> kinds;
    for (const task::CardTensor& t : card.tensors) {
        InputKind kind;
        switch (t.fill.kind) {
        case Fill::integers: kind = {Kind::integers, std::int64_t(t.fill.a), std::int64_t(t.fill.b)}; break;
        case Fill::booleans: kind = {Kind::integers, 0, 1}; break;
        case Fill::signs: kind.kind = Kind::signs; break;
        case Fill::probabilities:
        case Fill::variedProbabilities: kind.kind = Kind::positive; break;
        case Fill::uniform:
            if (t.fill.a >= 0) kind.kind = Kind::positive;
            break;
        case Fill::constant: // a running variance, say
            if (t.fill.a > 0) kind.kind = Kind::positive;
            break;
        default: break;
        }
        if (!tensor::isFloating(t.dtype) && kind.kind == Kind::free) kind = {Kind::integers, 0, 1};
        kinds.push_back(kind);
    }
    return kinds;
}

const Evidence* Proof::find(Rung rung) const {
    const auto at = std::find_if(rungs.begin(), rungs.end(), [rung](const Evidence& e) { return e.rung == rung; });
    return at == rungs.end() ? nullptr : &*at;
}

const Evidence* Proof::failed() const {
    const auto at =
        std::find_if(rungs.begin(), rungs.end(), [](const Evidence& e) { return e.outcome == Outcome::failed; });
    return at == rungs.end() ? nullptr : &*at;
}

std::string Proof::summary() const {
    std::set<std::string> passed;
    for (const Evidence& e : rungs)
        if (e.outcome == Outcome::passed) passed.insert(std::string(name(e.rung)));
    switch (verdict) {
    case Verdict::different:
        return fmt::format("Different: the rung {} says so. {}", name(failed()->rung), failed()->reason);
    case Verdict::equal: return fmt::format("Equal by the rungs {}, at the sizes that they name.", listed(passed));
    case Verdict::notDecided:
        return rungs.empty()    ? "Not decided: the rewrite could not be done at a size of the proof."
               : passed.empty() ? "Not decided: no rung applies."
                                : fmt::format("Not decided: {} passed, which is not enough.", listed(passed));
    }
    return {};
}

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::equal: return "equal";
    case Verdict::different: return "different";
    case Verdict::notDecided: return "not_decided";
    }
    return {};
}

} // namespace kernelarium::proof

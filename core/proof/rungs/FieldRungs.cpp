// SPDX-License-Identifier: GPL-3.0-or-later
// The rungs that compute both graphs at drawn points: field, keyed, ordered.
#include "core/algebra/graph/Interpreter.h"
#include "core/proof/rungs/DrawnPair.h"

#include <chrono>

namespace kernelarium::proof {

namespace {

class Stopwatch {
public:
    [[nodiscard]] double seconds() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - m_start).count();
    }

private:
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

double workOf(const Pair& pair) {
    return algebra::evaluationWork(pair.original) + algebra::evaluationWork(pair.rewritten);
}

/// As many draws as are wanted and the work allows; nothing where one batch is too much.
std::optional<std::size_t> affordable(std::size_t wanted, const Pair& pair, const Options& options) {
    const double each = std::max(workOf(pair), 1.0);
    if (each * double(laneCount) > 32 * options.mostFieldWork) return std::nullopt;
    const double most = std::max(options.mostFieldWork / each, double(laneCount));
    return std::min(wanted, std::size_t(std::min(most, 1e6)));
}

Evidence notApplicable(Rung rung, std::string reason) {
    Evidence e;
    e.rung = rung;
    e.reason = std::move(reason);
    return e;
}
std::string tooMuchWork(const Pair& pair) {
    return fmt::format("A draw visits {:.3g} points, which is more than is allowed.", workOf(pair));
}

/// A literal that was rounded in one of the graphs and not in the same way in the other explains any difference.
bool roundsAlike(const Pair& pair) {
    return featuresOf(pair.original).rounded == featuresOf(pair.rewritten).rounded;
}

/// What one draw misses with, at most: degree / |F| (Schwartz and Zippel, for a rational function whose denominators
/// are not 0 there), with every pair of arguments of keyed functions that could fall together; and with k exponentials
/// 8 d k^4 / q + q^(-1/k^2) (Mirage, OSDI 2025, theorem 2). Does not know of maxima.
double errorOfDraw(const Evidence& e, const Degrees& original, const Degrees& rewritten, bool hasExp) {
    const double opaque = original.opaqueValues + rewritten.opaqueValues;
    const double within = std::max(original.within, rewritten.within);
    const double k = double(e.exponentials), degree = *e.degree;
    double error = (degree + opaque * opaque * within) / PlainField::size;
    if (hasExp && k > 0) {
        const double q = ExpField::size;
        error = std::max(error, (degree + opaque * opaque * within) / double(PrimeOverQ::prime)) +
                8 * std::max(degree, 1.0) * k * k * k * k / q + std::pow(q, -1 / (k * k));
    }
    return std::min(error, 1.0);
}

template <Order order>
DrawnPair drawn(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options, std::size_t draws) {
    if (pair.features.hasExp) return PairRun<ExpField, order>(pair, kinds, options).run(draws);
    return PairRun<PlainField, order>(pair, kinds, options).run(draws);
}

void note(Evidence& e, const DrawnPair& found, const Pair& pair, std::string_view from) {
    e.draws = found.draws;
    e.voidDraws = found.voidDraws;
    e.drawn = fmt::format("{} draws {}, {}", found.draws, from, pair.extents());
    if (found.metLawlessExp)
        e.remarks.push_back(
            "An exponential of what was computed from an exponential is taken for a function without laws.");
}

std::string fieldWords(const Pair& pair) {
    return pair.features.hasExp
               ? fmt::format("of pairs modulo p = {} and q = {}, which divides p - 1, e^x being w^x for "
                             "a random w of order q",
                             PrimeOverQ::prime, Mersenne31::prime)
               : "of elements of GF(2^61 - 1)";
}

constexpr std::string_view onlyHere = "It is evidence for the extents that were drawn; larger ones, full rows among "
                                      "them, are not covered.";

/// What the rungs field and keyed share: draws, degree, exponentials and what they bound.
Evidence drawnInField(Rung rung, const Pair& pair, const std::vector<InputKind>& kinds, const Options& options) {
    const Stopwatch watch;
    Evidence e;
    e.rung = rung;
    const Degrees original = degreesOf(pair.original), rewritten = degreesOf(pair.rewritten);
    e.degree = std::max(degreeOfDifference(original.outputs, rewritten.outputs), 1.0);
    if (pair.features.hasExp)
        e.exponentials =
            std::max(exponentialsOf(pair.original, options.stop), exponentialsOf(pair.rewritten, options.stop));
    const double each = errorOfDraw(e, original, rewritten, pair.features.hasExp);
    double wanted = double(options.draws);
    if (each < 1) wanted = std::max(wanted, std::ceil(std::log(options.largestError) / std::log(each)));
    // One value left out of n: a draw shows it if it is the largest by the key, 1 time in n.
    const double combined = std::max(original.mostCombined, rewritten.mostCombined);
    const bool isLattice = rung == Rung::keyed && combined > 1;
    if (isLattice) wanted = std::max(wanted, std::ceil(std::log(options.largestError) / std::log(1 - 1 / combined)));
    wanted = std::min(wanted, double(std::max(options.mostDraws, options.draws)));
    const std::optional<std::size_t> draws = affordable(std::size_t(wanted), pair, options);
    if (!draws) return notApplicable(rung, tooMuchWork(pair));
    const DrawnPair found = drawn<Order::keyed>(pair, kinds, options, *draws);
    note(e, found, pair, fieldWords(pair));
    e.counterexample = found.difference;
    e.leavesOut = onlyHere;
    if (found.draws == 0)
        e.reason = "Every draw divides by 0.";
    else if (found.undefined > 0)
        e.reason = fmt::format("{} elements have no value in a field: an infinity times a number, or less another.",
                               found.undefined);
    else if (!found.difference) {
        e.outcome = Outcome::passed;
        e.errorBound = std::max(std::pow(each, double(found.draws)), 1e-300); // never 0
        if (isLattice) {
            e.errorBound = std::max(*e.errorBound, std::pow(1 - 1 / combined, double(found.draws)));
            e.remarks.push_back(
                fmt::format("Maxima and minima are of up to {:.0f} values: a draw shows one that is missing "
                            "in an output element with a probability of at least 1/{:.0f}.",
                            combined, combined));
        }
    }
    e.seconds = watch.seconds();
    return e;
}

} // namespace

Evidence fieldRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options) {
    if (!pair.features.isRational()) {
        std::set<std::string> all = pair.features.ordered;
        all.insert(pair.features.opaque.begin(), pair.features.opaque.end());
        return notApplicable(Rung::field, fmt::format("A field does not know {}.", listed(all)));
    }
    Evidence e = drawnInField(Rung::field, pair, kinds, options);
    e.covers = pair.features.hasExp ? "Sums, products, quotients, and that e^x e^y = e^(x + y)."
                                    : "Sums, products and quotients: all identities of rational functions.";
    if (!e.counterexample) return e;
    if (roundsAlike(pair)) {
        e.outcome = Outcome::failed;
        e.reason = "The two differ as functions of their inputs.";
    } else {
        e.reason = "They differ, but they write different rounded literals (a product of roots, say), which a field "
                   "takes exactly as they are written.";
    }
    return e;
}

Evidence keyedRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options) {
    if (pair.features.isRational())
        return notApplicable(Rung::keyed, "There is no function that a field does not know.");
    Evidence e = drawnInField(Rung::keyed, pair, kinds, options);
    const std::string ordered = listed(pair.features.ordered), opaque = listed(pair.features.opaque);
    e.covers = "As the rung field";
    if (!opaque.empty()) e.covers += fmt::format("; {} give the same for the same arguments", opaque);
    if (!ordered.empty()) e.covers += fmt::format("; of {} the laws that hold in any order of the numbers", ordered);
    e.covers += ".";
    if (e.counterexample) {
        e.reason =
            "They differ by these laws alone: either they are different, or by a law of the real numbers' order or "
            "of one of these functions, which the next rungs know.";
        e.counterexample.reset();
    }
    return e;
}

Evidence orderedRung(const Pair& pair, const std::vector<InputKind>& kinds, const Options& options) {
    if (pair.features.isRational()) return notApplicable(Rung::ordered, "Nothing asks which of two numbers is larger.");
    const Stopwatch watch;
    const std::optional<std::size_t> draws = affordable(options.draws, pair, options);
    if (!draws) return notApplicable(Rung::ordered, tooMuchWork(pair));
    Evidence e;
    e.rung = Rung::ordered;
    const DrawnPair found = drawn<Order::real>(pair, kinds, options, *draws);
    note(e, found, pair,
         "of small multiples of 1/8, 1/4, 1/2, 1 and 2, computed exactly (modulo a prime) and ordered as real "
         "numbers");
    e.covers = "The laws of order: max, min, relu, clamp, abs and their like as the real numbers have them";
    if (!pair.features.opaque.empty())
        e.covers += fmt::format("; {} give the same for the same arguments", listed(pair.features.opaque));
    e.covers += ".";
    e.leavesOut = fmt::format("{} Points where none of the draws lies, and numbers farther from 0, are not covered; no "
                              "probability is stated.",
                              onlyHere);
    if (found.difference && found.differsInReals) {
        e.outcome = Outcome::failed;
        e.counterexample = found.difference;
        e.reason = "The two give different numbers.";
    } else if (found.difference) {
        e.reason = "They differ exactly, but by less than 1e-9: a law of a function that is not known here, rounded "
                   "literals, or too small a difference for float64.";
    } else if (found.undefined > 0) {
        e.reason = fmt::format("{} elements have no value: an infinity times 0, or less another.", found.undefined);
    } else if (found.draws == 0 || found.untold > 0) {
        e.reason = fmt::format("Of {} elements of the outputs no draw said anything: an order could not be told, a "
                               "divisor was 0, or a function left its range.",
                               found.untold);
    } else {
        e.outcome = Outcome::passed;
    }
    e.seconds = watch.seconds();
    return e;
}

} // namespace kernelarium::proof

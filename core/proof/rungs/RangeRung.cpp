// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/algebra/graph/Interpreter.h"
#include "core/proof/analysis/Magnitudes.h"
#include "core/proof/rungs/CardInputs.h"

#include <chrono>
#include <limits>
#include <map>

#include <fmt/format.h>

namespace kernelarium::proof {

namespace {

using tensor::DType;

/// The largest finite number of a type; infinity of those that are no floating types.
double largestOf(DType type) {
    switch (type) {
    case DType::Float16: return 65504;
    case DType::BFloat16: return 0x1.fep127;
    case DType::Float32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::infinity();
    }
}
bool overflows(const Magnitude& m, DType type) {
    return m.hasInfinite || m.largest > largestOf(type);
}
double mostLost(const std::vector<Magnitude>& magnitudes) {
    double bits = 0;
    for (const Magnitude& m : magnitudes)
        bits = std::max(bits, m.lostBits);
    return bits;
}

std::string_view words(Drawing drawing) {
    switch (drawing) {
    case Drawing::asOnTheCard: return "the card's inputs";
    case Drawing::uneven: return "uneven inputs";
    case Drawing::far: return "inputs far from 0";
    }
    return {};
}

class RangeRun {
public:
    RangeRun(Evidence& e, const Options& options)
        : m_e(e)
        , m_options(options) {}

    Result<void> look(const Sized& s, Drawing drawing, bool withLoss) {
        const Result<CardInputs> inputs = cardInputs(s, drawing, m_options.seed);
        if (!inputs) return inputs.error();
        const auto original = magnitudesOf(s.original, inputs->elements, withLoss, m_options.stop);
        const auto rewritten = magnitudesOf(s.rewritten, inputs->elements, withLoss, m_options.stop);
        if (withLoss) noteLoss(s, drawing, original, rewritten);
        if (drawing == Drawing::far) return {}; // no inputs that anybody promised to bear
        std::map<std::string, Magnitude> before;
        bool masks = false; // infinities that the card itself computes with
        for (std::size_t id = 0; id < original.size(); ++id) {
            before[s.original.at(id).name] = original[id];
            masks = masks || original[id].hasInfinite;
        }
        for (std::size_t id = 0; id < rewritten.size(); ++id) {
            const algebra::Tensor& t = s.rewritten.at(id);
            if (t.input() || !isStored(t, before)) continue;
            Magnitude m = rewritten[id];
            if (masks) m.hasInfinite = false;
            const double share = m.largest / largestOf(t.dtype);
            if (share > m_fullest) {
                m_fullest = share;
                m_fullestWords = fmt::format("{} holds up to {:.4g} of {:.4g} in {} ({} at {})", t.name, m.largest,
                                             largestOf(t.dtype), tensor::name(t.dtype), words(drawing), s.size);
            }
            if (overflows(m, t.dtype) && m_e.outcome != Outcome::failed) fail(s, drawing, t, m);
        }
        ++m_e.draws;
        return {};
    }

    void finish() {
        constexpr double worthSaying = 1e-3;
        if (m_fullest > worthSaying) m_e.remarks.push_back("Nearest to its type's limit: " + m_fullestWords + ".");
    }

private:
    /// Whether the tensor is kept in its type. What overflows in the card's own graph as well is what an operator
    /// computes within, in float32.
    [[nodiscard]] bool isStored(const algebra::Tensor& t, const std::map<std::string, Magnitude>& before) const {
        if (!m_options.stored.empty()) return m_options.stored.contains(t.name);
        const auto at = before.find(t.name);
        return at == before.end() || !overflows(at->second, t.dtype);
    }

    void fail(const Sized& s, Drawing drawing, const algebra::Tensor& t, const Magnitude& m) {
        m_e.outcome = Outcome::failed;
        m_e.reason =
            fmt::format("{} takes {} with {} at {}; {} holds up to {:.6g}.", t.name,
                        m.hasInfinite ? "values that are not finite" : fmt::format("values of {:.4g}", m.largest),
                        words(drawing), s.size, tensor::name(t.dtype), largestOf(t.dtype));
        Counterexample c;
        c.element = placeOf(m.largestAt, t.extents);
        c.expected = fmt::format("at most {:.6g} in {}", largestOf(t.dtype), t.name);
        c.got = m.hasInfinite ? "infinity" : fmt::format("{:.17g}", m.largest);
        c.seed = m_options.seed;
        c.size = s.size;
        m_e.counterexample = c;
    }

    void noteLoss(const Sized& s, Drawing drawing, const std::vector<Magnitude>& original,
                  const std::vector<Magnitude>& rewritten) {
        constexpr double worthSaying = 4; // bits more than the card's own formulas lose
        const double before = mostLost(original);
        for (std::size_t id = 0; id < rewritten.size(); ++id)
            if (rewritten[id].lostBits > before + worthSaying && rewritten[id].lostBits > m_saidLoss) {
                m_saidLoss = rewritten[id].lostBits;
                m_e.remarks.push_back(
                    fmt::format("With {} at {} {} is a small difference of large numbers and loses {:.0f} "
                                "bits, where the card's own formulas lose {:.0f} at most.",
                                words(drawing), s.size, s.rewritten.at(id).name, rewritten[id].lostBits, before));
            }
    }

    Evidence& m_e;
    const Options& m_options;
    double m_fullest = 0, m_saidLoss = 0;
    std::string m_fullestWords;
};

} // namespace

Result<Evidence> rangeRung(const std::vector<Sized>& sizes, const Options& options) {
    const auto start = std::chrono::steady_clock::now();
    constexpr double mostLossWork = 1e6; // every sum is looked at
    Evidence e;
    e.rung = Rung::range;
    RangeRun run(e, options);
    std::string looked, left;
    for (const Sized& s : sizes) {
        const double work = algebra::evaluationWork(s.original) + algebra::evaluationWork(s.rewritten);
        if (work > options.mostFloat64Work / 8) { // four evaluations, of every tensor
            left += fmt::format("{}{}", left.empty() ? "" : ", ", s.size);
            continue;
        }
        for (Drawing drawing : {Drawing::asOnTheCard, Drawing::uneven, Drawing::far}) {
            if (drawing == Drawing::far && work > mostLossWork) continue;
            if (Result<void> r = run.look(s, drawing, work <= mostLossWork); !r) return r.error();
        }
        looked += fmt::format("{}{}", looked.empty() ? "" : ", ", s.size);
    }
    run.finish();
    e.drawn = fmt::format("the card's inputs and uneven ones at {}, seed {}", looked.empty() ? "no size" : looked,
                          options.seed);
    e.covers = "The values that tensors take there, against the largest of their types.";
    e.leavesOut = "Larger sizes, whose sums are longer and whose largest of many numbers is larger; values between "
                  "stored tensors; what rounding does.";
    if (!left.empty()) e.remarks.push_back(fmt::format("Left out for their work: {}.", left));
    if (looked.empty())
        e.reason = "Every size is more work than is allowed.";
    else if (e.outcome != Outcome::failed)
        e.outcome = Outcome::passed;
    e.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return e;
}

} // namespace kernelarium::proof

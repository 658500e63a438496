// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Comparison.h"

#include "core/verify/Chunks.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::verify {

namespace {

using tensor::DType;
using tensor::Tensor;

tensor::Shape indexOf(std::int64_t flat, const tensor::Shape& shape) {
    tensor::Shape index(shape.size());
    for (std::size_t d = shape.size(); d-- > 0;) {
        index[d] = flat % shape[d];
        flat /= shape[d];
    }
    return index;
}

/// What every element of an output tensor is judged by.
struct OutputRule {
    std::size_t output = 0;
    const tensor::Shape& shape;
    bool exact = false;
    Tolerance tolerance;
    double scale = 0;
    double largest = 0; ///< finite value of the expected type
};

/// Judges elements of one output tensor.
class ElementJudge {
public:
    ElementJudge(const OutputRule& rule, Comparison& comparison)
        : m_rule(rule)
        , m_comparison(comparison) {}

    void judge(std::int64_t i, double got, double expected) {
        if (got == expected) return;
        if (std::isnan(got)) {
            if (std::isnan(expected)) return;
            ++m_comparison.unexpectedNan;
            return beyondBoth(i, got, expected);
        }
        if (std::isinf(got) && std::abs(expected) > m_rule.largest && std::signbit(got) == std::signbit(expected))
            return;
        if (!std::isfinite(got) || !std::isfinite(expected)) return beyondBoth(i, got, expected);
        judgeFinite(i, got, expected);
    }

    [[nodiscard]] double squaredError() const { return m_squaredError; }

private:
    void judgeFinite(std::int64_t i, double got, double expected) {
        const double error = std::abs(got - expected);
        m_squaredError += error * error;
        m_comparison.maxAbsoluteError = std::max(m_comparison.maxAbsoluteError, error);
        m_comparison.maxRelativeError =
            std::max(m_comparison.maxRelativeError, error / std::max(std::abs(expected), m_rule.scale));
        if (m_rule.exact) return beyondBoth(i, got, expected);
        const double allowance = m_rule.scale + std::abs(expected);
        if (error > m_rule.tolerance.strict * allowance) {
            ++m_comparison.beyondStrict;
            remember(m_comparison.firstBeyondStrict, i, got, expected);
        }
        if (error > m_rule.tolerance.legacy * allowance) {
            ++m_comparison.beyondLegacy;
            remember(m_comparison.firstBeyondLegacy, i, got, expected);
        }
    }

    void beyondBoth(std::int64_t i, double got, double expected) {
        ++m_comparison.beyondStrict;
        ++m_comparison.beyondLegacy;
        remember(m_comparison.firstBeyondStrict, i, got, expected);
        remember(m_comparison.firstBeyondLegacy, i, got, expected);
    }

    void remember(std::optional<Mismatch>& first, std::int64_t i, double got, double expected) const {
        if (!first) first = Mismatch{m_rule.output, indexOf(i, m_rule.shape), expected, got};
    }

    const OutputRule& m_rule;
    Comparison& m_comparison;
    double m_squaredError = 0;
};

/// What was found in a part of the elements.
struct JudgedPart {
    Comparison comparison;
    double squaredError = 0;
};

JudgedPart judgePart(const OutputRule& rule, const Tensor& got, const Tensor& reference, std::int64_t from,
                     std::int64_t to) {
    JudgedPart part;
    ElementJudge judge(rule, part.comparison);
    if (got.dtype() == DType::Float32 && reference.dtype() == DType::Float64) {
        const float* g = got.data<float>();
        const double* r = reference.data<double>();
        for (std::int64_t i = from; i < to; ++i)
            judge.judge(i, g[i], r[i]);
    } else {
        for (std::int64_t i = from; i < to; ++i)
            judge.judge(i, got.at(i), reference.at(i));
    }
    part.squaredError = judge.squaredError();
    return part;
}

void addPart(Comparison& whole, const Comparison& part) {
    whole.beyondStrict += part.beyondStrict;
    whole.beyondLegacy += part.beyondLegacy;
    whole.unexpectedNan += part.unexpectedNan;
    whole.maxAbsoluteError = std::max(whole.maxAbsoluteError, part.maxAbsoluteError);
    whole.maxRelativeError = std::max(whole.maxRelativeError, part.maxRelativeError);
    if (!whole.firstBeyondStrict) whole.firstBeyondStrict = part.firstBeyondStrict;
    if (!whole.firstBeyondLegacy) whole.firstBeyondLegacy = part.firstBeyondLegacy;
}

/// The sum of the squared errors.
double judgeAll(const OutputRule& rule, const Tensor& got, const Tensor& reference, Comparison& whole) {
    double squaredError = 0;
    const auto judge = [&](std::int64_t from, std::int64_t to) { return judgePart(rule, got, reference, from, to); };
    for (const JudgedPart& part : chunkwise<JudgedPart>(reference.count(), judge)) {
        addPart(whole, part.comparison);
        squaredError += part.squaredError;
    }
    return squaredError;
}

/// Empty when the shapes agree up to unit dimensions.
std::string shapeError(std::size_t output, const Tensor& got, const Tensor& reference, bool& unitDimensions) {
    if (got.shape() == reference.shape()) return {};
    if (withoutUnits(got.shape()) == withoutUnits(reference.shape())) {
        unitDimensions = true;
        return {};
    }
    return "output " + std::to_string(output) + " has shape " + tensor::toString(got.shape()) + ", the reference " +
           tensor::toString(reference.shape());
}

std::string named(DType type) {
    return std::string(tensor::name(type));
}

} // namespace

tensor::Shape withoutUnits(const tensor::Shape& shape) {
    tensor::Shape rest;
    std::copy_if(shape.begin(), shape.end(), std::back_inserter(rest), [](std::int64_t n) { return n != 1; });
    return rest;
}

double largestFinite(DType type) {
    switch (type) {
    case DType::Float8E5m2: return 57344.0;
    case DType::Float8E4m3fn: return 448.0;
    case DType::Float16: return 65504.0;
    case DType::BFloat16:
    case DType::Float32: return std::numeric_limits<float>::max();
    default: return std::numeric_limits<double>::max();
    }
}

std::string containerError(const tensor::Value& got, const tensor::Value& reference) {
    if (!reference.as<Tensor>()) return {};
    const auto* list = got.as<tensor::List>();
    const auto* dict = got.as<tensor::Dict>();
    if (!list && !dict) return {};
    const std::size_t items = list ? list->size() : dict->size();
    return std::string("forward returned a ") + (list ? "list" : "dict") + " of " + std::to_string(items) +
           (items == 1 ? " item" : " items") + ", the reference is a tensor";
}

double rootMeanSquare(const Tensor& tensor) {
    struct Squares {
        double sum = 0;
        std::int64_t finite = 0;
    };
    const double* doubles = tensor.dtype() == DType::Float64 ? tensor.data<double>() : nullptr;
    Squares all;
    const auto squares = [&](std::int64_t from, std::int64_t to) {
        Squares part;
        for (std::int64_t i = from; i < to; ++i) {
            const double value = doubles ? doubles[i] : tensor.at(i);
            if (!std::isfinite(value)) continue;
            part.sum += value * value;
            ++part.finite;
        }
        return part;
    };
    for (const Squares& part : chunkwise<Squares>(tensor.count(), squares)) {
        all.sum += part.sum;
        all.finite += part.finite;
    }
    return all.finite ? std::sqrt(all.sum / double(all.finite)) : 0.0;
}

std::vector<Tensor> flatten(const tensor::Value& value) {
    const auto scalar = [](DType type, double number) {
        Tensor t(type, {});
        t.set(0, number);
        return std::vector<Tensor>{t};
    };
    if (const auto* t = value.as<Tensor>()) return {*t};
    if (const auto* b = value.as<bool>()) return scalar(DType::Bool, *b);
    if (const auto* i = value.as<std::int64_t>()) return scalar(DType::Int64, double(*i));
    if (const auto* d = value.as<double>()) return scalar(DType::Float64, *d);
    std::vector<Tensor> all;
    const auto append = [&all](const tensor::Value& item) {
        for (Tensor& t : flatten(item))
            all.push_back(std::move(t));
    };
    if (const auto* list = value.as<tensor::List>())
        for (const tensor::Value& item : *list)
            append(item);
    if (const auto* dict = value.as<tensor::Dict>())
        for (const auto& [key, item] : *dict)
            append(item);
    return all;
}

Comparison compare(const tensor::Value& gotValue, const tensor::Value& referenceValue,
                   const std::vector<DType>& expectedTypes, const Tolerance& tolerance) {
    Comparison result;
    result.structureError = containerError(gotValue, referenceValue);
    if (!result.structureError.empty()) return result;
    const std::vector<Tensor> got = flatten(gotValue);
    const std::vector<Tensor> reference = flatten(referenceValue);
    if (got.size() != reference.size()) {
        result.structureError = "forward returned " + std::to_string(got.size()) + " tensors, the reference has " +
                                std::to_string(reference.size());
        return result;
    }
    double squaredError = 0;
    double squaredReference = 0;
    for (std::size_t o = 0; o < reference.size(); ++o) {
        if (!got[o].defined()) {
            result.structureError = "output " + std::to_string(o) + " is an undefined tensor";
            return result;
        }
        result.structureError = shapeError(o, got[o], reference[o], result.unitDimensions);
        if (!result.structureError.empty()) return result;
        const DType expected = o < expectedTypes.size() ? expectedTypes[o] : reference[o].dtype();
        const bool exact = !tensor::isFloating(expected);
        if (exact == tensor::isFloating(got[o].dtype())) {
            result.structureError =
                "output " + std::to_string(o) + " is " + named(got[o].dtype()) + ", the reference " + named(expected);
            return result;
        }
        if (got[o].dtype() != expected && !(exact && expectedTypes.empty()))
            result.dtypeRemarks.push_back("output " + std::to_string(o) + " is " + named(got[o].dtype()) +
                                          ", the reference " + named(expected));
        const double rms = rootMeanSquare(reference[o]);
        const OutputRule rule{o,
                              reference[o].shape(),
                              exact,
                              tolerance,
                              std::max(rms, Tolerance::smallestScale),
                              largestFinite(expected)};
        squaredError += judgeAll(rule, got[o], reference[o], result);
        squaredReference += rms * rms * double(reference[o].count());
        result.elements += reference[o].count();
    }
    if (result.elements) {
        result.rmsError = std::sqrt(squaredError / double(result.elements));
        result.referenceRms = std::sqrt(squaredReference / double(result.elements));
    }
    return result;
}

} // namespace kernelarium::verify

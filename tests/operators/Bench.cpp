// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/operators/Bench.h"

#include <QTest>
#include <cmath>
#include <limits>
#include <thread>

namespace kernelarium::test {

using tensor::Tensor;

namespace {
Result<std::unique_ptr<operators::KernelLibrary>>& opened() {
    static auto result = operators::KernelLibrary::create(compile::Toolkit::find());
    return result;
}

void sameMismatch(const std::optional<verify::Mismatch>& a, const std::optional<verify::Mismatch>& b) {
    QCOMPARE(a.has_value(), b.has_value());
    if (!a) return;
    QCOMPARE(a->output, b->output);
    QCOMPARE(a->index, b->index);
    QVERIFY(a->expected == b->expected || std::isnan(a->expected));
    QVERIFY(a->got == b->got || (std::isnan(a->got) && std::isnan(b->got)));
}
} // namespace

operators::KernelLibrary* library() {
    return opened() ? opened()->get() : nullptr;
}
const std::string& libraryError() {
    static const std::string none;
    return opened() ? none : opened().error().message;
}

EmulatedDevice::EmulatedDevice(bool checks, std::uint64_t capacity)
    : machine({capacity, checks, std::max(1u, std::thread::hardware_concurrency()), {}})
    , device(machine, library()) {}

double scaledError(const tensor::Value& gotValue, const tensor::Value& expectedValue) {
    const std::vector<Tensor> got = verify::flatten(gotValue), expected = verify::flatten(expectedValue);
    if (got.size() != expected.size()) return std::numeric_limits<double>::infinity();
    double worst = 0;
    for (std::size_t t = 0; t < got.size(); ++t) {
        if (got[t].shape() != expected[t].shape()) return std::numeric_limits<double>::infinity();
        const double scale = std::max(verify::rootMeanSquare(expected[t]), 1e-30);
        for (std::int64_t i = 0; i < got[t].count(); ++i) {
            const double g = got[t].at(i), e = expected[t].at(i);
            if (g == e || (std::isnan(g) && std::isnan(e))) continue;
            if (!std::isfinite(g) || !std::isfinite(e)) return std::numeric_limits<double>::infinity();
            worst = std::max(worst, std::abs(g - e) / (scale + std::abs(e)));
        }
    }
    return worst;
}

bool near(double a, double b) {
    return a == b || (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= 1e-12 * (std::abs(a) + std::abs(b));
}

void sameComparison(const verify::Comparison& a, const verify::Comparison& b) {
    QCOMPARE(a.structureError, b.structureError);
    QCOMPARE(a.unitDimensions, b.unitDimensions);
    QCOMPARE(a.dtypeRemarks, b.dtypeRemarks);
    QCOMPARE(a.elements, b.elements);
    QCOMPARE(a.beyondStrict, b.beyondStrict);
    QCOMPARE(a.beyondLegacy, b.beyondLegacy);
    QCOMPARE(a.unexpectedNan, b.unexpectedNan);
    QCOMPARE(a.maxAbsoluteError, b.maxAbsoluteError);
    QVERIFY(near(a.maxRelativeError, b.maxRelativeError));
    QVERIFY(near(a.rmsError, b.rmsError));
    QVERIFY(near(a.referenceRms, b.referenceRms));
    sameMismatch(a.firstBeyondStrict, b.firstBeyondStrict);
    sameMismatch(a.firstBeyondLegacy, b.firstBeyondLegacy);
}

Tensor noise(tensor::Shape shape, std::uint32_t seed, tensor::DType type) {
    Tensor t(type, std::move(shape));
    std::uint32_t state = seed * 2654435761u + 1u;
    for (std::int64_t i = 0; i < t.count(); ++i) {
        state = state * 1664525u + 1013904223u;
        t.set(i, double(state >> 8) / double(1 << 23) - 1.0);
    }
    return t;
}

} // namespace kernelarium::test

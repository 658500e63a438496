// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/operators/Bench.h"

#include "core/verify/Comparison.h"

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

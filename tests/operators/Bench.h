// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Comparison.h"
#include "core/verify/inputs/InputPlan.h"
#include "gpu/operators/DeviceGraph.h"
#include "gpu/operators/EmulatorMachine.h"
#include "tests/TestRegistry.h"

#include <QObject>
#include <functional>
#include <memory>
#include <vector>

namespace kernelarium::test {

/// The library that all tests share; null, with the reason in libraryError(), where the toolkit is absent.
operators::KernelLibrary* library();
const std::string& libraryError();

/// An emulated machine with our kernels.
struct EmulatedDevice {
    explicit EmulatedDevice(bool checks = false, std::uint64_t capacity = 2ull << 30);
    operators::EmulatorMachine machine;
    operators::Device device;
};

/// Largest |got - expected| / (rms + |expected|) over the finite elements of all tensors; infinity where the
/// shapes differ or only one of two elements is finite (the same infinity, or two NaN, are equal).
double scaledError(const tensor::Value& got, const tensor::Value& expected);

/// Equal but for the order of a sum; two NaN are.
bool near(double a, double b);

/// Fails the running test where the two differ in more than the order of their sums.
void sameComparison(const verify::Comparison& a, const verify::Comparison& b);

/// Numbers in [-1, 1) without a pattern.
tensor::Tensor noise(tensor::Shape shape, std::uint32_t seed, tensor::DType type = tensor::DType::Float32);

} // namespace kernelarium::test

#define REQUIRE_LIBRARY()                                                                                              \
    if (!kernelarium::test::library()) QSKIP(kernelarium::test::libraryError().c_str())

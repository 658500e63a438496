// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/ShapeClass.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::hgemm {

namespace {

constexpr double flopsPerSecond = 790e12, bytesPerSecond = 4.0e12;
constexpr double tileRows = 128, tileColumns = 256, multiprocessors = 132;

double operationSeconds(const Shape& s) {
    return 2.0 * double(s.m) * double(s.n) * double(s.k) / flopsPerSecond;
}

double byteSeconds(const Shape& s) {
    const double m = double(s.m), n = double(s.n), k = double(s.k);
    return 2.0 * (m * k + k * n + m * n) / bytesPerSecond;
}

} // namespace

double floorSeconds(const Shape& shape) {
    return std::max(operationSeconds(shape), byteSeconds(shape));
}

ShapeClass classOf(const Shape& shape) {
    const double floor = floorSeconds(shape);
    if (floor < 1e-6) return ShapeClass::launchBound;
    if (floor < 5e-6) return ShapeClass::brief;
    if (byteSeconds(shape) > operationSeconds(shape)) return ShapeClass::memoryBound;
    const double waves =
        std::ceil(double(shape.m) / tileRows) * std::ceil(double(shape.n) / tileColumns) / multiprocessors;
    return waves < 1 ? ShapeClass::partialWave : waves <= 4 ? ShapeClass::fewWaves : ShapeClass::manyWaves;
}

std::string_view name(ShapeClass shapeClass) {
    switch (shapeClass) {
    case ShapeClass::launchBound: return "launch-bound";
    case ShapeClass::brief: return "brief";
    case ShapeClass::memoryBound: return "memory-bound";
    case ShapeClass::partialWave: return "under a wave";
    case ShapeClass::fewWaves: return "1 to 4 waves";
    case ShapeClass::manyWaves: return "over 4 waves";
    }
    return {};
}

} // namespace kernelarium::hgemm

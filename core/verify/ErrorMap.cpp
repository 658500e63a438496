// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/ErrorMap.h"

#include "core/verify/Excess.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kernelarium::verify {

namespace {

using tensor::DType;
using tensor::Tensor;

constexpr float notANumber = std::numeric_limits<float>::quiet_NaN();

/// NaN is worse than anything, and stays.
float worse(float a, float b) {
    if (std::isnan(a) || std::isnan(b)) return notANumber;
    return std::max(a, b);
}

template <class Get> void fillMap(ErrorMap& map, const Excess& excess, const Tensor& reference, const Get& get) {
    const double* doubles = reference.dtype() == DType::Float64 ? reference.data<double>() : nullptr;
    const std::int64_t columns = map.matrixColumns();
    for (std::int64_t i = 0, row = 0; row < map.matrixRows(); ++row) {
        float* cells = map.worst.data() + row / map.cellSize[0] * map.columns;
        for (std::int64_t column = 0; column < columns; ++column, ++i) {
            const float value = excess(get(i), doubles ? doubles[i] : reference.at(i));
            if (value == 0) continue;
            float& cell = cells[column / map.cellSize[1]];
            cell = worse(cell, value);
        }
    }
}

std::int64_t roundedUp(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

void divide(ErrorMap& map) {
    const std::int64_t sides[2] = {map.matrixRows(), map.matrixColumns()};
    int cells[2] = {0, 0};
    for (int d = 0; d < 2; ++d) {
        map.cellSize[std::size_t(d)] = std::max<std::int64_t>(1, roundedUp(sides[d], ErrorMap::mostCells));
        cells[d] = int(roundedUp(sides[d], map.cellSize[std::size_t(d)]));
    }
    map.rows = cells[0];
    map.columns = cells[1];
    map.worst.assign(std::size_t(map.rows) * std::size_t(map.columns), 0.0F);
}

} // namespace

std::int64_t ErrorMap::matrixColumns() const {
    return shape.empty() ? 1 : shape.back();
}
std::int64_t ErrorMap::matrixRows() const {
    const std::int64_t columnCount = matrixColumns();
    return columnCount ? tensor::elementCount(shape) / columnCount : 0;
}

ErrorMap emptyErrorMap(std::size_t output, tensor::Shape shape) {
    ErrorMap map;
    map.output = output;
    map.shape = std::move(shape);
    divide(map);
    return map;
}

ErrorMap errorMap(const tensor::Value& gotValue, const tensor::Value& referenceValue, std::size_t output,
                  const std::vector<DType>& expectedTypes, const Tolerance& tolerance) {
    const Tensor got = flatten(gotValue).at(output);
    const Tensor reference = flatten(referenceValue).at(output);
    ErrorMap map = emptyErrorMap(output, reference.shape());
    const DType expected = output < expectedTypes.size() ? expectedTypes[output] : reference.dtype();
    const Excess excess(reference, expected, tolerance);
    if (got.dtype() == DType::Float32) {
        const float* elements = got.data<float>();
        fillMap(map, excess, reference, [elements](std::int64_t i) { return double(elements[i]); });
    } else {
        fillMap(map, excess, reference, [&got](std::int64_t i) { return got.at(i); });
    }
    return map;
}

} // namespace kernelarium::verify

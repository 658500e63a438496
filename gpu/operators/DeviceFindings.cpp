// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceFindings.h"

#include "gpu/operators/DeviceComparison.h"
#include "gpu/operators/Elementwise.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;

namespace {

/// What each block found, of a kernel that writes one `Part` for each block to Arguments::parts.
template <class Part, class Arguments>
std::vector<Part> partsOf(Device& device, const std::string& function, const char* arguments, Arguments a) {
    device.checkStop();
    const std::int64_t blocks = std::clamp<std::int64_t>(a.count / 1024, 1, 4096);
    const DeviceTensor parts = device.make(DType::UInt8, {blocks * std::int64_t(sizeof(Part))});
    a.parts = parts.address();
    device.launch({"checks", function, arguments, true}, {std::uint32_t(blocks), 1, 1}, Device::threadsPerBlock, a);
    std::vector<Part> found(static_cast<std::size_t>(blocks));
    valueOf(device.machine().read(a.parts, std::as_writable_bytes(std::span(found))));
    return found;
}

} // namespace

ElementSum sumOf(Device& device, const DeviceTensor& t) {
    ElementSum all;
    if (t.count() == 0) return all;
    SumArguments a{};
    a.in = t.address();
    a.count = t.count();
    for (const SumPart& part : partsOf<SumPart>(device, fmt::format("sumOf<{}>", cudaName(t.dtype)), "SumArguments", a)) {
        all.sum += part.sum;
        all.notFinite += part.notFinite;
    }
    return all;
}

verify::MovementSums movementOf(Device& device, const DeviceTensor& output0, const DeviceTensor& output1,
                                const DeviceTensor& reference0, const DeviceTensor& reference1) {
    verify::MovementSums all;
    if (reference0.count() == 0) return all;
    MovementArguments a{};
    a.out0 = output0.address();
    a.out1 = output1.address();
    a.reference0 = reference0.address();
    a.reference1 = reference1.address();
    a.count = reference0.count();
    const std::string function = fmt::format("movementOf<{}, {}>", cudaName(output0.dtype), cudaName(reference0.dtype));
    for (const MovementPart& part : partsOf<MovementPart>(device, function, "MovementArguments", a)) {
        all.reference += part.reference;
        all.output += part.output;
        all.difference += part.difference;
        all.scale += part.scale;
    }
    return all;
}

verify::ErrorMap errorMapOf(Device& device, const DeviceTensor& got, const DeviceTensor& reference, std::size_t output,
                            bool exact, const verify::Tolerance& tolerance) {
    verify::ErrorMap map = verify::emptyErrorMap(output, reference.shape);
    if (map.worst.empty()) return map;
    const DeviceTensor worst = device.make(DType::Float32, {std::int64_t(map.worst.size())});
    ErrorMapArguments a{};
    a.got = got.address();
    a.expected = reference.address();
    a.worst = worst.address();
    a.rows = map.matrixRows();
    a.columns = map.matrixColumns();
    a.cellRows = map.cellSize[0];
    a.cellColumns = map.cellSize[1];
    a.mapColumns = map.columns;
    a.scale = std::max(valueOf(rootMeanSquare(device, reference)), verify::Tolerance::smallestScale);
    a.legacy = tolerance.legacy;
    a.largest = verify::largestFinite(got.dtype);
    a.exact = exact;
    device.launch({"checks", fmt::format("mapErrors<{}, {}>", cudaName(got.dtype), cudaName(reference.dtype)),
                   "ErrorMapArguments", true},
                  {std::uint32_t(map.worst.size()), 1, 1}, Device::threadsPerBlock, a);
    valueOf(device.machine().read(worst.address(), std::as_writable_bytes(std::span(map.worst))));
    return map;
}

std::vector<double> sampled(Device& device, const DeviceTensor& t, std::int64_t first, std::int64_t step, std::int64_t count) {
    std::vector<double> found(std::size_t(std::max<std::int64_t>(count, 0)));
    if (found.empty()) return found;
    const DeviceTensor chosen = device.make(DType::Float64, {count});
    copyInto(device, chosen, restrided(t, {count}, {step}, first));
    valueOf(device.machine().read(chosen.address(), std::as_writable_bytes(std::span(found))));
    return found;
}

} // namespace kernelarium::operators

// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceFindings.h"

#include "gpu/operators/DeviceComparison.h"
#include "gpu/operators/Elementwise.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;

namespace {

constexpr std::int64_t mostBlocks = 4096;

/// What each block found, of a kernel that writes one `Part` for each block to its arguments' `parts`; `parts` has room
/// for mostBlocks of them.
template <class Part, class Arguments>
std::vector<Part> partsOf(Device& device, const std::string& function, const char* arguments, Arguments a,
                          const DeviceTensor& parts) {
    device.checkStop();
    const std::int64_t blocks = std::clamp<std::int64_t>(a.count / 1024, 1, mostBlocks);
    a.parts = parts.address();
    device.launch({"checks", function, arguments, true}, {std::uint32_t(blocks), 1, 1}, Device::threadsPerBlock, a);
    std::vector<Part> found(static_cast<std::size_t>(blocks));
    valueOf(device.machine().read(a.parts, std::as_writable_bytes(std::span(found))));
    return found;
}

template <class Part> DeviceTensor roomForParts(Device& device) {
    return device.make(DType::UInt8, {mostBlocks * std::int64_t(sizeof(Part))});
}

void addMovement(Device& device, verify::MovementSums& all, const MovementArguments& a, DType outputs, DType references,
                 const DeviceTensor& parts) {
    const std::string function = fmt::format("movementOf<{}, {}>", cudaName(outputs), cudaName(references));
    for (const MovementPart& part : partsOf<MovementPart>(device, function, "MovementArguments", a, parts)) {
        all.reference += part.reference;
        all.output += part.output;
        all.difference += part.difference;
        all.scale += part.scale;
    }
}

/// A tensor's elements by tiles, on the device.
struct TileOfTensor {
    PlacedTensors::Lying lying;
    DeviceTensor buffer; ///< of a tile, which the next one overwrites

    [[nodiscard]] Address take(Device& device, std::int64_t first, std::int64_t count) const {
        const std::size_t size = tensor::byteSize(buffer.dtype);
        if (lying.there) return lying.there->address() + std::uint64_t(first) * size;
        valueOf(device.machine().write(
            buffer.address(), lying.here.bytes().subspan(std::size_t(first) * size, std::size_t(count) * size)));
        return buffer.address();
    }
};

} // namespace

ElementSum sumOf(Device& device, const DeviceTensor& t) {
    ElementSum all;
    if (t.count() == 0) return all;
    SumArguments a{};
    a.in = t.address();
    a.count = t.count();
    for (const SumPart& part : partsOf<SumPart>(device, fmt::format("sumOf<{}>", cudaName(t.dtype)), "SumArguments", a,
                                                roomForParts<SumPart>(device))) {
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
    addMovement(device, all, a, output0.dtype, reference0.dtype, roomForParts<MovementPart>(device));
    return all;
}

verify::MovementSums movementByTiles(PlacedTensors& place, const std::array<tensor::Tensor, 4>& tensors,
                                     std::int64_t tileElements) {
    verify::MovementSums all;
    Device& device = place.device();
    const std::int64_t count = tensors[2].count();
    // All room is taken before anything is held, so that it can be made.
    const DeviceTensor parts = roomForParts<MovementPart>(device);
    std::array<TileOfTensor, 4> tiles;
    for (std::size_t k = 0; k < tiles.size(); ++k)
        tiles[k].buffer = device.make(tensors[k].dtype(), {std::min(tileElements, count)});
    for (std::size_t k = 0; k < tiles.size(); ++k)
        tiles[k].lying = place.lying(tensors[k]);
    for (std::int64_t first = 0; first < count; first += tileElements) {
        MovementArguments a{};
        a.count = std::min(tileElements, count - first);
        a.out0 = tiles[0].take(device, first, a.count);
        a.out1 = tiles[1].take(device, first, a.count);
        a.reference0 = tiles[2].take(device, first, a.count);
        a.reference1 = tiles[3].take(device, first, a.count);
        addMovement(device, all, a, tensors[0].dtype(), tensors[2].dtype(), parts);
    }
    return all;
}

verify::ErrorMap errorMapOf(Device& device, const DeviceTensor& got, const DeviceTensor& reference, std::size_t output,
                            DType expected, const verify::Tolerance& tolerance) {
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
    a.largest = verify::largestFinite(expected);
    a.exact = !tensor::isFloating(expected);
    device.launch({"checks", fmt::format("mapErrors<{}, {}>", cudaName(got.dtype), cudaName(reference.dtype)),
                   "ErrorMapArguments", true},
                  {std::uint32_t(map.worst.size()), 1, 1}, Device::threadsPerBlock, a);
    valueOf(device.machine().read(worst.address(), std::as_writable_bytes(std::span(map.worst))));
    return map;
}

std::vector<double> sampled(Device& device, const DeviceTensor& t, std::int64_t first, std::int64_t step,
                            std::int64_t count) {
    std::vector<double> found(std::size_t(std::max<std::int64_t>(count, 0)));
    if (found.empty()) return found;
    const DeviceTensor chosen = device.make(DType::Float64, {count});
    copyInto(device, chosen, seen(t, {{count}, {step}, t.offset + first}));
    valueOf(device.machine().read(chosen.address(), std::as_writable_bytes(std::span(found))));
    return found;
}

} // namespace kernelarium::operators

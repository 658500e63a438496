// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/DeviceFill.h"

#include <fmt/format.h>

namespace kernelarium::operators {

namespace {
void requireAligned(std::uint64_t address) {
    if (address % 4 != 0)
        throw Failure{{"bad_argument", fmt::format("A pattern starts at a multiple of four, not at {:#x}.", address)}};
}
std::int64_t blocksFor(std::uint64_t bytes) {
    return std::clamp<std::int64_t>(std::int64_t(bytes / 4096), 1, 1024);
}
/// The least of what blocks found, -1 being nothing.
std::optional<std::uint64_t> firstOf(Device& device, const DeviceTensor& firsts) {
    const tensor::Tensor found = device.download(firsts);
    std::optional<std::uint64_t> first;
    for (std::int64_t b = 0; b < found.count(); ++b)
        if (const std::int64_t at = found.data<std::int64_t>()[b]; at >= 0)
            first = std::min(first.value_or(std::uint64_t(at)), std::uint64_t(at));
    return first;
}
} // namespace

Result<void> fillPattern(Device& device, std::uint64_t address, std::uint64_t bytes, std::uint32_t pattern) {
    try {
        requireAligned(address);
        const PatternArguments a{address, 0, Long(bytes), pattern};
        device.launchOver({"checks", "writePattern", "PatternArguments", true}, std::int64_t((bytes + 3) / 4), a);
        return {};
    } catch (const Failure& failure) {
        return failure.error;
    }
}

Result<std::optional<std::uint64_t>> firstDifference(Device& device, std::uint64_t address, std::uint64_t bytes,
                                                     std::uint32_t pattern) {
    try {
        requireAligned(address);
        if (bytes == 0) return std::optional<std::uint64_t>();
        const DeviceTensor firsts = device.make(tensor::DType::Int64, {blocksFor(bytes)});
        const PatternArguments a{address, firsts.address(), Long(bytes), pattern};
        device.launch({"checks", "findDifference", "PatternArguments", true}, {std::uint32_t(firsts.count()), 1, 1},
                      Device::threadsPerBlock, a);
        return firstOf(device, firsts);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

Result<std::optional<std::uint64_t>> firstDifferentByte(Device& device, std::uint64_t a, std::uint64_t b,
                                                        std::uint64_t bytes) {
    try {
        if (bytes == 0 || a == b) return std::optional<std::uint64_t>();
        const DeviceTensor firsts = device.make(tensor::DType::Int64, {blocksFor(bytes)});
        const DifferenceArguments arguments{a, b, firsts.address(), Long(bytes)};
        device.launch({"checks", "compareBytes", "DifferenceArguments", true}, {std::uint32_t(firsts.count()), 1, 1},
                      Device::threadsPerBlock, arguments);
        return firstOf(device, firsts);
    } catch (const Failure& failure) {
        return failure.error;
    }
}

} // namespace kernelarium::operators

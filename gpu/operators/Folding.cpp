// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/Folding.h"

#include "core/task/operators/Types.h"

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;

namespace {

/// The dimensions that stay and those that are folded, with the strides of each.
struct Split {
    Shape kept, keptStrides, folded, foldedStrides, result;
};
Split splitOf(const DeviceTensor& x, const Shape& dims, bool keep) {
    Split s;
    for (std::size_t d = 0; d < x.shape.size(); ++d) {
        const bool folds = std::find(dims.begin(), dims.end(), std::int64_t(d)) != dims.end();
        (folds ? s.folded : s.kept).push_back(x.shape[d]);
        (folds ? s.foldedStrides : s.keptStrides).push_back(x.strides[d]);
        if (!folds)
            s.result.push_back(x.shape[d]);
        else if (keep)
            s.result.push_back(1);
    }
    return s;
}

/// Whether neighbouring threads should take neighbouring outputs: their elements lie closer together than
/// those of one output, or there are only a few of these.
bool threadPerOutput(const ReduceArguments& a) {
    const Long acrossOutputs = a.outer.strides[0][a.outer.rank - 1];
    const Long within = a.inner.strides[0][a.inner.rank - 1];
    if (a.length <= 32) return true;
    return a.outputs > 1 && acrossOutputs == 1 && within != 1;
}

/// Enough chunks that the device is filled although there are few outputs.
void cutIntoChunks(ReduceArguments& a, bool perOutput, std::uint32_t multiprocessors) {
    const Long wanted = perOutput ? Long(multiprocessors) * 1024 : Long(multiprocessors) * 4;
    const Long shortest = perOutput ? 64 : 4096;
    Long chunks = a.outputs < wanted ? wanted / std::max<Long>(a.outputs, 1) : 1;
    chunks = std::clamp<Long>(chunks, 1, std::max<Long>(a.length / shortest, 1));
    a.chunk = std::max<Long>((a.length + chunks - 1) / chunks, 1);
    a.chunks = std::max<Long>((a.length + a.chunk - 1) / a.chunk, 1);
}

} // namespace

Folded foldDims(Device& device, const Folding& f, const DeviceTensor& x, const Shape& dims, bool keep) {
    const Split split = splitOf(x, dims, keep);
    Folded out;
    out.first = device.make(f.first, split.result);
    if (f.wantsSecond) out.second = device.make(f.second, split.result);
    ReduceArguments a{};
    a.outputs = out.first.count();
    if (a.outputs == 0) return out;
    a.in = x.address();
    a.out = out.first.address();
    a.secondOut = f.wantsSecond ? out.second.address() : 0;
    a.length = tensor::elementCount(split.folded);
    std::copy(f.parameters.begin(), f.parameters.end(), a.p);
    a.outer = walkOf(split.kept, std::array{split.keptStrides});
    a.inner = walkOf(split.folded, std::array{split.foldedStrides});
    const bool perOutput = threadPerOutput(a);
    cutIntoChunks(a, perOutput, device.machine().facts().multiprocessors);

    const std::string accumulator = !isFloating(x.dtype)                    ? "Long"
                                    : f.single && x.dtype != DType::Float64 ? "float"
                                                                            : "double";
    const std::string types = fmt::format("<{}<{}>, {}, {}, {}, {}>", f.function, accumulator, accumulator,
                                          cudaName(x.dtype), cudaName(f.first), cudaName(f.second));
    DeviceTensor partial;
    if (a.chunks > 1) {
        constexpr std::int64_t stateBytes = 16; // the largest state
        partial = device.make(DType::UInt8, {a.chunks * a.outputs * stateBytes});
        a.partial = partial.address();
    }
    constexpr Long longestOfWarp = 2048;
    if (!perOutput && a.chunks == 1 && a.length <= longestOfWarp) {
        device.launchOver({"reduce", "reduceWarps" + types, "ReduceArguments"}, a.outputs * 32, a);
    } else if (perOutput) {
        device.launchOver({"reduce", "reduceThreads" + types, "ReduceArguments"}, a.outputs * a.chunks, a);
    } else {
        const auto blocks = std::uint32_t(std::min<Long>(a.outputs * a.chunks, 1 << 20));
        device.launch({"reduce", "reduceBlocks" + types, "ReduceArguments"}, {blocks, 1, 1}, Device::threadsPerBlock,
                      a);
    }
    if (a.chunks > 1) device.launchOver({"reduce", "reduceChunks" + types, "ReduceArguments"}, a.outputs, a);
    return out;
}

} // namespace kernelarium::operators

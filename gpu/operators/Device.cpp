// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/operators/Device.h"

#include <algorithm>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;

void Device::checkStop() const {
    if (m_stop.stop_requested()) throw Failure{{"cancelled", "The evaluation was cancelled."}};
}

DeviceTensor Device::make(DType dtype, Shape shape) {
    DeviceTensor t;
    t.dtype = dtype;
    static_cast<tensor::Layout&>(t) = tensor::Layout(std::move(shape));
    const std::uint64_t bytes = std::uint64_t(t.count()) * tensor::byteSize(dtype);
    const std::uint64_t address = valueOf(m_machine.allocate(std::max<std::uint64_t>(bytes, 1), "reference"));
    t.storage = std::make_shared<const Storage>(m_machine, address, bytes);
    return t;
}

DeviceTensor Device::upload(const tensor::Tensor& t) {
    DeviceTensor out = make(t.dtype(), t.shape());
    if (t.defined() && t.count() > 0) valueOf(m_machine.write(out.address(), t.bytes()));
    return out;
}

tensor::Tensor Device::download(const DeviceTensor& t) {
    if (!t.isContiguous()) throw Failure{{"internal", "Only a dense tensor can be read."}};
    tensor::Tensor out = tensor::Tensor::uninitialised(t.dtype, t.shape);
    if (t.count() > 0) valueOf(m_machine.read(t.address(), out.bytes()));
    return out;
}

std::uint32_t Device::blocksFor(std::int64_t count) const {
    const std::int64_t blocks = (count + threadsPerBlock - 1) / threadsPerBlock;
    constexpr std::int64_t wavesOfBlocks = 32; // blocks of a multiprocessor, more of them loop
    return std::uint32_t(std::clamp<std::int64_t>(blocks, 1, wavesOfBlocks * m_machine.facts().multiprocessors));
}

void Device::launchBytes(const Kernel& kernel, std::array<std::uint32_t, 3> grid, std::uint32_t threads,
                         std::span<const std::byte> parameters) {
    checkStop();
    m_kernels.insert(kernel);
    const std::string name = kernel.name();
    if (m_library && !m_machine.has(name)) valueOf(m_library->prepare(m_machine, std::span(&kernel, 1)));
    valueOf(m_machine.launch({name, grid, {threads, 1, 1}, 0, parameters}));
}

std::string cudaName(DType type) {
    switch (type) {
    case DType::UInt8: return "unsigned char";
    case DType::Int8: return "signed char";
    case DType::Int16: return "short";
    case DType::Int32: return "int";
    case DType::Int64: return "Long";
    case DType::Float16: return "Half";
    case DType::Float32: return "float";
    case DType::Float64: return "double";
    case DType::Bool: return "Bool";
    case DType::BFloat16: return "BFloat";
    case DType::Float8E5m2:
    case DType::Float8E4m3fn:
        throw Failure{{"unsupported", fmt::format("Operators on a GPU for tensors of {}.", tensor::name(type))}};
    }
    return "float";
}

Walk walkOf(const Shape& shape, std::span<const Shape> strides) {
    if (strides.size() > std::size_t(maxOperands)) throw Failure{{"internal", "A walk has at most six operands."}};
    std::array<Shape, maxOperands> all;
    for (std::size_t k = 0; k < all.size(); ++k)
        all[k] = k < strides.size() ? strides[k] : Shape(shape.size(), 0);
    const auto merged = tensor::mergeDimensions<maxOperands>(shape, all);
    if (merged.shape.size() > std::size_t(maxRank))
        throw Failure{{"unsupported", fmt::format("Strided tensors of {} dimensions are not supported on a device.",
                                                  merged.shape.size())}};
    Walk w{};
    w.rank = int(merged.shape.size());
    for (std::size_t d = 0; d < merged.shape.size(); ++d) {
        w.sizes[d] = merged.shape[d];
        for (std::size_t k = 0; k < std::size_t(maxOperands); ++k)
            w.strides[k][d] = merged.strides[k][d];
    }
    return w;
}

} // namespace kernelarium::operators

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Layout.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::host {

using tensor::DType;
using tensor::Shape;

/// Bytes that one or more tensors look at. They live until the run ends.
struct Storage {
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    bool onHost = false; ///< in the interpreted program's heap (a CPU tensor) rather than on the device
    std::string label;
};

/// A tensor as PyTorch has it: a storage and how elements lie in it.
struct TensorView : tensor::Layout {
    std::shared_ptr<Storage> storage;
    DType dtype = DType::Float32;
    bool requiresGrad = false;

    [[nodiscard]] std::uint64_t address() const {
        return storage->address + std::uint64_t(offset) * tensor::byteSize(dtype);
    }
};

/// The shim's numbers of at::MemoryFormat.
enum class MemoryFormat : int { contiguous = 0, preserve = 1, channelsLast = 2, channelsLast3d = 3 };
/// Strides of a dense tensor in that format; raises where the rank does not fit (4 for channels last, 5 in
/// 3D).
[[nodiscard]] Shape formatStrides(const Shape& sizes, MemoryFormat format);

/// `dim` brought into [0, rank); raises IndexError in PyTorch's words. A tensor without dimensions counts as
/// one.
[[nodiscard]] std::int64_t wrapDim(std::int64_t dim, std::int64_t rank);

// Views: the same storage seen otherwise. All raise what PyTorch raises on arguments that do not fit.
[[nodiscard]] TensorView view(const TensorView& self, const Shape& sizes);
[[nodiscard]] TensorView permute(const TensorView& self, const Shape& dims);
[[nodiscard]] TensorView transpose(const TensorView& self, std::int64_t a, std::int64_t b);
[[nodiscard]] TensorView matrixTranspose(const TensorView& self); ///< t(): at most two dimensions
[[nodiscard]] TensorView reverseDims(const TensorView& self);     ///< numpy_T
[[nodiscard]] TensorView select(const TensorView& self, std::int64_t dim, std::int64_t index);
[[nodiscard]] TensorView slice(const TensorView& self, std::int64_t dim, std::optional<std::int64_t> start,
                               std::optional<std::int64_t> end, std::int64_t step);
[[nodiscard]] TensorView narrow(const TensorView& self, std::int64_t dim, std::int64_t start, std::int64_t length);
[[nodiscard]] TensorView unsqueeze(const TensorView& self, std::int64_t dim);
[[nodiscard]] TensorView squeeze(const TensorView& self);
[[nodiscard]] TensorView squeeze(const TensorView& self, const Shape& dims);
[[nodiscard]] TensorView expand(const TensorView& self, const Shape& sizes);
[[nodiscard]] Shape flattenedSizes(const TensorView& self, std::int64_t start, std::int64_t end);
/// The sizes that view() or reshape() is asked for, with one -1 worked out.
[[nodiscard]] Shape inferSize(const Shape& sizes, std::int64_t count);
[[nodiscard]] Shape unflattenedSizes(const TensorView& self, std::int64_t dim, const Shape& sizes);
[[nodiscard]] TensorView asStrided(const TensorView& self, const Shape& sizes, const Shape& strides,
                                   std::optional<std::int64_t> offset);
[[nodiscard]] TensorView diagonal(const TensorView& self, std::int64_t offset, std::int64_t a, std::int64_t b);
[[nodiscard]] TensorView unfold(const TensorView& self, std::int64_t dim, std::int64_t size, std::int64_t step);
[[nodiscard]] TensorView moveDim(const TensorView& self, const Shape& from, const Shape& to);
/// The same bytes as another type of the same element size.
[[nodiscard]] TensorView viewAs(const TensorView& self, DType dtype);
[[nodiscard]] std::vector<TensorView> split(const TensorView& self, const Shape& lengths, std::int64_t dim);
[[nodiscard]] std::vector<TensorView> splitEvery(const TensorView& self, std::int64_t length, std::int64_t dim);
[[nodiscard]] std::vector<TensorView> chunk(const TensorView& self, std::int64_t chunks, std::int64_t dim);
[[nodiscard]] std::vector<TensorView> unbind(const TensorView& self, std::int64_t dim);

} // namespace kernelarium::host

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/tensor/Tensor.h"
#include "gpu/host/tensors/TensorView.h"

namespace kernelarium::host {

/// The way of elements between a run's memory and tensors that stay on its device from run to run
/// (tensor::Tensor::elsewhere). Views are of device memory.
class TensorKeeper {
public:
    virtual ~TensorKeeper() = default;
    /// Writes a kept tensor's elements over a view of its shape and type.
    virtual Result<void> put(const TensorView& view, const tensor::Tensor& kept) = 0;
    /// A kept tensor with the view's elements.
    virtual Result<tensor::Tensor> keep(const TensorView& view) = 0;
    /// Whether the view has the kept tensor's elements, to the bit and in their order, under whatever shape.
    virtual Result<bool> holds(const TensorView& view, const tensor::Tensor& kept) = 0;
};

} // namespace kernelarium::host

// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/tensors/TensorKeeper.h"
#include "gpu/operators/PlacedTensors.h"

namespace kernelarium::device {

/// Moves elements between a run's memory and the tensors of a verification on the same device, by copies within it.
class WorkplaceKeeper final : public host::TensorKeeper {
public:
    /// The tensors outlive it.
    explicit WorkplaceKeeper(operators::PlacedTensors& tensors)
        : m_tensors(tensors) {}

    Result<void> put(const host::TensorView& view, const tensor::Tensor& kept) override;
    Result<tensor::Tensor> keep(const host::TensorView& view) override;
    Result<bool> holds(const host::TensorView& view, const tensor::Tensor& kept) override;

private:
    operators::PlacedTensors& m_tensors;
};

} // namespace kernelarium::device

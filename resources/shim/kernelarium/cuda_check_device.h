// SPDX-License-Identifier: GPL-3.0-or-later
//
// <ATen/cuda/CUDAUtils.h>.
#pragma once
#include "kernelarium/aten_tensor.h"
#include "kernelarium/cuda_stream.h"

namespace at::cuda {
/// Whether all of them lie on the current device.
inline bool check_device(ArrayRef<Tensor> tensors) {
    for (const Tensor& t : tensors)
        if (!t.is_cuda() || t.get_device() != c10::cuda::current_device()) return false;
    return true;
}
} // namespace at::cuda

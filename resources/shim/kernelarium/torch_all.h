// SPDX-License-Identifier: GPL-3.0-or-later
//
// <torch/torch.h>: torch:: over at::.
#pragma once
#include "kernelarium/nn_attention.h"
#include "kernelarium/nn_functional.h"
#include "kernelarium/nn_recurrent.h"
#include "kernelarium/torch_autograd.h"
#include "kernelarium/torch_types.h"

namespace torch {
using namespace at;
using Dtype = at::ScalarType;
using at::indexing::TensorIndex;
using c10::nullopt;
using c10::optional;
namespace indexing = at::indexing;
namespace linalg {
inline Tensor norm(const Tensor& x, const optional<Scalar>& p = nullopt) {
    return kl::call("aten.linalg_vector_norm.default", {x, p.has_value() ? *p : Scalar(2)});
}
inline Tensor vector_norm(const Tensor& x, const Scalar& p = 2, IntArrayRef dim = {}, bool keep = false) {
    return kl::call("aten.linalg_vector_norm.default", {x, p, dim.empty() ? kl::Arg() : kl::Arg(dim), keep});
}
} // namespace linalg
namespace special {
inline Tensor erf(const Tensor& x) {
    return at::erf(x);
}
} // namespace special
} // namespace torch

namespace c10 {
/// <c10/core/DeviceGuard.h>
class DeviceGuard {
public:
    explicit DeviceGuard(Device device) {
        cudaGetDevice(&m_before);
        if (device.index() >= 0) cudaSetDevice(device.index());
    }
    DeviceGuard(const DeviceGuard&) = delete;
    ~DeviceGuard() { cudaSetDevice(m_before); }

private:
    int m_before = 0;
};
class OptionalDeviceGuard {
public:
    OptionalDeviceGuard() = default;
    explicit OptionalDeviceGuard(Device device) { enter(device); }
    explicit OptionalDeviceGuard(const optional<Device>& device) {
        if (device.has_value()) enter(*device);
    }
    OptionalDeviceGuard(const OptionalDeviceGuard&) = delete;
    ~OptionalDeviceGuard() {
        if (m_before >= 0) cudaSetDevice(m_before);
    }

private:
    void enter(Device device) {
        cudaGetDevice(&m_before);
        if (device.index() >= 0) cudaSetDevice(device.index());
    }
    int m_before = -1;
};
} // namespace c10

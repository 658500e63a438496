// SPDX-License-Identifier: GPL-3.0-or-later
//
// <c10/cuda/CUDAGuard.h>.
#pragma once
#include "kernelarium/cuda_stream.h"

namespace c10::cuda {
class CUDAGuard {
public:
    explicit CUDAGuard(DeviceIndex index) { enter(index); }
    explicit CUDAGuard(Device device) { enter(device.index()); }
    CUDAGuard(const CUDAGuard&) = delete;
    ~CUDAGuard() { cudaSetDevice(m_before); }
    void set_index(DeviceIndex index) { cudaSetDevice(index); }
    void set_device(Device device) { cudaSetDevice(device.index()); }
    void reset_device(Device device) { cudaSetDevice(device.index()); }
    Device original_device() const { return Device(kCUDA, DeviceIndex(m_before)); }

private:
    void enter(DeviceIndex index) {
        cudaGetDevice(&m_before);
        if (index >= 0) cudaSetDevice(index);
    }
    int m_before = 0;
};
class OptionalCUDAGuard {
public:
    OptionalCUDAGuard() = default;
    explicit OptionalCUDAGuard(optional<Device> device) {
        if (device.has_value()) cudaSetDevice(device->index());
    }
    explicit OptionalCUDAGuard(Device device) { cudaSetDevice(device.index()); }
};
class CUDAStreamGuard {
public:
    explicit CUDAStreamGuard(CUDAStream s) : m_before(getCurrentCUDAStream()), m_now(s) { setCurrentCUDAStream(s); }
    CUDAStreamGuard(const CUDAStreamGuard&) = delete;
    ~CUDAStreamGuard() { setCurrentCUDAStream(m_before); }
    void reset_stream(CUDAStream s) { setCurrentCUDAStream(m_now = s); }
    CUDAStream original_stream() const { return m_before; }
    CUDAStream current_stream() const { return m_now; }

private:
    CUDAStream m_before;
    CUDAStream m_now;
};
} // namespace c10::cuda
namespace at::cuda {
using c10::cuda::CUDAGuard;
using c10::cuda::CUDAStreamGuard;
using c10::cuda::OptionalCUDAGuard;
} // namespace at::cuda

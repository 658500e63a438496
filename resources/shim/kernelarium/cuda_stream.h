// SPDX-License-Identifier: GPL-3.0-or-later
//
// Streams and guards of c10::cuda and at::cuda. Split as PyTorch splits its headers: names that a file's includes do not
// bring in stay unknown.
#pragma once
#include "kernelarium/c10_check.h"
#include "kernelarium/cuda_api.h"

namespace c10::cuda {
class CUDAStream {
public:
    constexpr explicit CUDAStream(cudaStream_t s, DeviceIndex device = 0) : m_stream(s), m_device(device) {}
    cudaStream_t stream() const { return m_stream; }
    operator cudaStream_t() const { return m_stream; }
    Device device() const { return Device(kCUDA, m_device); }
    DeviceIndex device_index() const { return m_device; }
    unsigned long id() const { return reinterpret_cast<unsigned long>(m_stream); }
    void synchronize() const { cudaStreamSynchronize(m_stream); }
    bool query() const { return cudaStreamQuery(m_stream) == cudaSuccess; }
    friend bool operator==(const CUDAStream& a, const CUDAStream& b) { return a.m_stream == b.m_stream; }
    friend bool operator!=(const CUDAStream& a, const CUDAStream& b) { return a.m_stream != b.m_stream; }

private:
    cudaStream_t m_stream;
    DeviceIndex m_device;
};
/// "torch.current_stream"(&stream, device), "torch.stream_from_pool"(&stream, high priority, device),
/// "torch.set_current_stream"(stream).
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) {
    cudaStream_t s = 0;
    kl::cuda("torch.current_stream", {&s, int(device)});
    return CUDAStream(s);
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex = -1) { return CUDAStream(0); }
inline CUDAStream getStreamFromPool(bool highPriority = false, DeviceIndex device = -1) {
    cudaStream_t s = 0;
    kl::cuda("torch.stream_from_pool", {&s, highPriority, int(device)});
    return CUDAStream(s);
}
inline void setCurrentCUDAStream(CUDAStream s) { kl::cuda("torch.set_current_stream", {s.stream()}); }
inline DeviceIndex device_count() {
    int n = 0;
    cudaGetDeviceCount(&n);
    return DeviceIndex(n);
}
inline DeviceIndex current_device() {
    int d = 0;
    cudaGetDevice(&d);
    return DeviceIndex(d);
}
inline void set_device(DeviceIndex d) { cudaSetDevice(d); }
inline void device_synchronize() { cudaDeviceSynchronize(); }
} // namespace c10::cuda

namespace at::cuda {
using c10::cuda::CUDAStream;
using c10::cuda::getCurrentCUDAStream;
using c10::cuda::getDefaultCUDAStream;
using c10::cuda::getStreamFromPool;
using c10::cuda::setCurrentCUDAStream;
} // namespace at::cuda

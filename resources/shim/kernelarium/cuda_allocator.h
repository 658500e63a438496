// SPDX-License-Identifier: GPL-3.0-or-later
//
// <c10/cuda/CUDACachingAllocator.h>: memory of the current stream.
#pragma once
#include "kernelarium/cuda_check.h"
#include "kernelarium/cuda_stream.h"

namespace c10 {
/// Memory that goes with its owner.
class DataPtr {
public:
    DataPtr() = default;
    DataPtr(void* data, Device device)
        : m_data(data)
        , m_device(device) {}
    DataPtr(DataPtr&& other) noexcept
        : m_data(other.release_context())
        , m_device(other.m_device) {}
    DataPtr& operator=(DataPtr&& other) noexcept {
        clear();
        m_data = other.release_context();
        m_device = other.m_device;
        return *this;
    }
    ~DataPtr() { clear(); }
    void clear() {
        if (m_data) cudaFree(m_data);
        m_data = nullptr;
    }
    void* get() const { return m_data; }
    void* mutable_get() const { return m_data; }
    void* operator->() const { return m_data; }
    explicit operator bool() const { return m_data != nullptr; }
    Device device() const { return m_device; }
    void* release_context() {
        void* data = m_data;
        m_data = nullptr;
        return data;
    }

private:
    void* m_data = nullptr;
    Device m_device;
};
} // namespace c10

namespace c10::cuda::CUDACachingAllocator {
inline void* raw_alloc_with_stream(size_t bytes, cudaStream_t stream) {
    void* p = nullptr;
    if (bytes > 0) C10_CUDA_CHECK(cudaMallocAsync(&p, bytes, stream));
    return p;
}
inline void* raw_alloc(size_t bytes) {
    return raw_alloc_with_stream(bytes, getCurrentCUDAStream());
}
inline void raw_delete(void* p) {
    if (p) C10_CUDA_CHECK(cudaFreeAsync(p, getCurrentCUDAStream()));
}
inline void emptyCache() {}
inline void recordStream(const DataPtr&, CUDAStream) {}
class CUDAAllocator {
public:
    DataPtr allocate(size_t bytes) { return DataPtr(raw_alloc(bytes), Device(kCUDA, current_device())); }
    void* raw_allocate(size_t bytes) { return raw_alloc(bytes); }
    void raw_deallocate(void* p) { raw_delete(p); }
    void* raw_alloc(size_t bytes) { return CUDACachingAllocator::raw_alloc(bytes); }
    void raw_delete(void* p) { CUDACachingAllocator::raw_delete(p); }
};
inline CUDAAllocator* get() {
    return kl::make<CUDAAllocator>();
}
} // namespace c10::cuda::CUDACachingAllocator
namespace at::cuda {
inline c10::cuda::CUDACachingAllocator::CUDAAllocator* getCUDADeviceAllocator() {
    return c10::cuda::CUDACachingAllocator::get();
}
} // namespace at::cuda

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Stands in for CUTLASS's <cutlass/util/device_memory.h>: memory of the device that its owner frees.
#pragma once
#include "kernelarium/cuda_api.h"
#include "kernelarium/std_exception.h"
#include <cutlass/cutlass.h>

namespace cutlass {
class cuda_exception : public std::exception {
public:
    cuda_exception(const char* text, cudaError_t error)
        : m_text(text)
        , m_error(error) {}
    const char* what() const noexcept override { return m_text; }
    cudaError_t cudaError() const { return m_error; }

private:
    const char* m_text;
    cudaError_t m_error;
};

namespace device_memory {
template <class T> T* allocate(size_t count = 1) {
    void* memory = nullptr;
    if (count == 0) return nullptr;
    if (const cudaError_t error = cudaMalloc(&memory, count * sizeof(T)); error != cudaSuccess)
        kl::throwValue(cuda_exception("Failed to allocate memory", error));
    return static_cast<T*>(memory);
}
template <class T> void free(T* memory) {
    if (memory) cudaFree(memory);
}
template <class T> void copy_to_device(T* to, const T* from, size_t count = 1) {
    if (const cudaError_t error = cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyHostToDevice); error != cudaSuccess)
        kl::throwValue(cuda_exception("cudaMemcpy() failed", error));
}
template <class T> void copy_to_host(T* to, const T* from, size_t count = 1) {
    if (const cudaError_t error = cudaMemcpy(to, from, count * sizeof(T), cudaMemcpyDeviceToHost); error != cudaSuccess)
        kl::throwValue(cuda_exception("cudaMemcpy() failed", error));
}

template <class T> class allocation {
public:
    allocation() = default;
    explicit allocation(size_t count)
        : m_memory(allocate<T>(count))
        , m_count(count) {}
    allocation(const allocation&) = delete;
    allocation& operator=(const allocation&) = delete;
    allocation(allocation&& other) noexcept
        : m_memory(other.m_memory)
        , m_count(other.m_count) {
        other.release();
    }
    allocation& operator=(allocation&& other) noexcept {
        if (this == &other) return *this;
        reset(other.m_memory, other.m_count);
        other.release();
        return *this;
    }
    ~allocation() { device_memory::free(m_memory); }

    T* get() const { return m_memory; }
    size_t size() const { return m_count; }
    size_t bytes() const { return m_count * sizeof(T); }
    T* release() {
        T* const memory = m_memory;
        m_memory = nullptr;
        m_count = 0;
        return memory;
    }
    void reset() { reset(nullptr, 0); }
    void reset(size_t count) {
        reset();
        reset(allocate<T>(count), count);
    }
    void reset(T* memory, size_t count) {
        if (memory != m_memory) device_memory::free(m_memory);
        m_memory = memory;
        m_count = count;
    }
    void copy_from_host(const T* from) { copy_to_device(m_memory, from, m_count); }
    void copy_from_host(const T* from, size_t count) { copy_to_device(m_memory, from, count); }
    void copy_to_host(T* to) const { device_memory::copy_to_host(to, m_memory, m_count); }
    void copy_to_host(T* to, size_t count) const { device_memory::copy_to_host(to, m_memory, count); }

private:
    T* m_memory = nullptr;
    size_t m_count = 0;
};
template <class T> using DeviceAllocation = allocation<T>;
} // namespace device_memory
} // namespace cutlass

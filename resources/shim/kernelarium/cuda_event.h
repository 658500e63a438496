// SPDX-License-Identifier: GPL-3.0-or-later
//
// <ATen/cuda/CUDAEvent.h>: made when it is first recorded, as PyTorch's is.
#pragma once
#include "kernelarium/cuda_check.h"
#include "kernelarium/cuda_stream.h"

namespace at::cuda {
class CUDAEvent {
public:
    explicit CUDAEvent(unsigned flags = cudaEventDisableTiming) : m_flags(flags) {}
    CUDAEvent(const CUDAEvent&) = delete;
    ~CUDAEvent() {
        if (m_event) cudaEventDestroy(m_event);
    }
    operator cudaEvent_t() const { return event(); }
    cudaEvent_t event() const { return m_event; }
    bool isCreated() const { return m_event != nullptr; }
    bool query() const { return !m_event || cudaEventQuery(m_event) == cudaSuccess; }
    void record() { record(getCurrentCUDAStream()); }
    void record(const CUDAStream& stream) {
        if (!m_event) C10_CUDA_CHECK(cudaEventCreateWithFlags(&m_event, m_flags));
        C10_CUDA_CHECK(cudaEventRecord(m_event, stream));
        m_recorded = true;
    }
    void recordOnce(const CUDAStream& stream) {
        if (!m_recorded) record(stream);
    }
    void block(const CUDAStream& stream) const {
        if (m_event) C10_CUDA_CHECK(cudaStreamWaitEvent(stream, m_event, 0));
    }
    void synchronize() const {
        if (m_event) C10_CUDA_CHECK(cudaEventSynchronize(m_event));
    }
    float elapsed_time(const CUDAEvent& later) const {
        TORCH_CHECK(isCreated() && later.isCreated(), "Both events must be recorded before calculating elapsed time.");
        float ms = 0;
        C10_CUDA_CHECK(cudaEventElapsedTime(&ms, m_event, later.m_event));
        return ms;
    }

private:
    cudaEvent_t m_event = nullptr;
    unsigned m_flags;
    bool m_recorded = false;
};
} // namespace at::cuda

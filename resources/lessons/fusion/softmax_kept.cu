// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int threads = 1024;
constexpr int most = 16; // elements of a thread

__device__ float largestOfBlock(float value) {
    __shared__ float parts[threads];
    parts[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] = fmaxf(parts[threadIdx.x], parts[threadIdx.x + half]);
        __syncthreads();
    }
    return parts[0];
}

__device__ float sumOfBlock(float value) {
    __shared__ float parts[threads];
    parts[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads();
    }
    return parts[0];
}

/// One block for each row.
__global__ void softmax(const float* in, float* out, int columns) {
    const float* row = in + size_t(blockIdx.x) * columns;
    // The thread's elements stay in registers: the row is read once.
    float kept[most];
    float largest = -INFINITY;
#pragma unroll
    for (int k = 0; k < most; ++k) {
        const int i = k * threads + threadIdx.x;
        kept[k] = i < columns ? row[i] : -INFINITY;
        largest = fmaxf(largest, kept[k]);
    }
    largest = largestOfBlock(largest);
    float sum = 0.0f;
#pragma unroll
    for (int k = 0; k < most; ++k) {
        kept[k] = expf(kept[k] - largest);
        sum += kept[k];
    }
    sum = sumOfBlock(sum);
#pragma unroll
    for (int k = 0; k < most; ++k) {
        const int i = k * threads + threadIdx.x;
        if (i < columns) out[size_t(blockIdx.x) * columns + i] = kept[k] / sum;
    }
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    TORCH_CHECK(x.size(1) <= most * threads, "at most ", most * threads, " columns");
    auto out = torch::empty_like(x);
    softmax<<<x.size(0), threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Softmax");
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int threads = 256;

/// One block sums a row: each thread a part, then a tree in shared memory.
__global__ void sumRows(const float* in, float* out, int columns) {
    __shared__ float parts[threads];
    const float* row = in + size_t(blockIdx.x) * columns;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += threads)
        sum += row[i];
    parts[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) parts[threadIdx.x] += parts[threadIdx.x + half];
        __syncthreads(); // outside the if: all threads have to come
    }
    if (threadIdx.x == 0) out[blockIdx.x] = parts[0];
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    const int rows = x.size(0);
    auto out = torch::empty({rows}, x.options());
    sumRows<<<rows, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), x.size(1));
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Sum of each row");
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/23 23_Softmax
// Name:    block_per_row
// Parent:  naive
// Idea:    A block of 512 threads shares a row. Maximum and sum are found by halving: half of the threads
//          add the other half's values, then a quarter, and so on, in shared memory.
// Look at: The reduction's last five steps keep one warp partly idle and still cost a barrier each.
#include <torch/extension.h>

constexpr int threads = 512;

__device__ float lowest() {
    return -__int_as_float(0x7f800000);
} // minus infinity

__global__ void softmaxBlock(const float* x, float* y, int columns) {
    __shared__ float values[threads];
    const float* in = x + size_t(blockIdx.x) * columns;
    float* out = y + size_t(blockIdx.x) * columns;

    float largest = lowest();
    for (int i = threadIdx.x; i < columns; i += threads)
        largest = fmaxf(largest, in[i]);
    values[threadIdx.x] = largest;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) values[threadIdx.x] = fmaxf(values[threadIdx.x], values[threadIdx.x + half]);
        __syncthreads();
    }
    largest = values[0];
    __syncthreads(); // values is used again

    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += threads)
        sum += expf(in[i] - largest);
    values[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) values[threadIdx.x] += values[threadIdx.x + half];
        __syncthreads();
    }
    sum = values[0];

    for (int i = threadIdx.x; i < columns; i += threads)
        out[i] = expf(in[i] - largest) / sum;
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() == 2, "x must be [rows, columns]");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int rows = x.size(0);
    const int columns = x.size(1);
    if (rows == 0 || columns == 0) return y;
    softmaxBlock<<<rows, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Softmax (block per row)");
}

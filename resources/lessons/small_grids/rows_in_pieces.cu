// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int threads = 256;
constexpr int pieces = 32; // of a row, one block for each

/// The sum of the block's values, in thread 0.
__device__ float sumOfBlock(float sum) {
    __shared__ float parts[threads / 32];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < threads / 32 ? parts[threadIdx.x] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum;
}

/// blockIdx.y is the row, blockIdx.x the piece of it.
__global__ void sumPieces(const float* x, float* parts, int columns) {
    const float* row = x + size_t(blockIdx.y) * columns;
    float sum = 0.0f;
    for (int i = blockIdx.x * threads + threadIdx.x; i < columns; i += pieces * threads)
        sum += row[i];
    sum = sumOfBlock(sum);
    if (threadIdx.x == 0) parts[blockIdx.y * pieces + blockIdx.x] = sum;
}

/// One thread for each row.
__global__ void addPieces(const float* parts, float* out, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0.0f;
    for (int piece = 0; piece < pieces; ++piece)
        sum += parts[row * pieces + piece];
    out[row] = sum;
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    const int rows = x.size(0);
    const int columns = x.size(1);
    auto out = torch::empty({rows}, x.options());
    auto parts = torch::empty({rows, pieces}, x.options());
    sumPieces<<<dim3(pieces, rows), threads>>>(x.data_ptr<float>(), parts.data_ptr<float>(), columns);
    addPieces<<<(rows + 31) / 32, 32>>>(parts.data_ptr<float>(), out.data_ptr<float>(), rows);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Sums of rows");
}

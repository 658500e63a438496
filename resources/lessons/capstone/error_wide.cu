// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int threads = 256;
constexpr int maxBlocks = 256;

/// The sum of the block's values, in thread 0.
__device__ float blockSum(float sum) {
    __shared__ float parts[threads / 32];
    const int lane = threadIdx.x % 32;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (lane == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    sum = threadIdx.x < threads / 32 ? parts[lane] : 0.0f;
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    return sum; // of thread 0
}

__global__ void addSquares(const float* a, const float* b, float* parts, size_t count) {
    float sum = 0.0f;
    const size_t first = size_t(blockIdx.x) * threads + threadIdx.x;
    const size_t step = size_t(gridDim.x) * threads;
    for (size_t i = first; i < count / 4; i += step) {
        const float4 left = reinterpret_cast<const float4*>(a)[i];
        const float4 right = reinterpret_cast<const float4*>(b)[i];
        const float x = left.x - right.x, y = left.y - right.y, z = left.z - right.z, w = left.w - right.w;
        sum += x * x + y * y + z * z + w * w;
    }
    for (size_t i = count / 4 * 4 + first; i < count; i += step) {
        const float difference = a[i] - b[i];
        sum += difference * difference;
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0) parts[blockIdx.x] = sum;
}

__global__ void addParts(const float* parts, float* out, int count, float scale) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < count; i += threads)
        sum += parts[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0) *out = sum * scale;
}

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
    predictions = predictions.contiguous();
    targets = targets.contiguous();
    const size_t count = predictions.numel();
    const int grid = std::min<size_t>((count + threads - 1) / threads, maxBlocks);
    auto parts = torch::empty({grid}, predictions.options());
    auto out = torch::empty({}, predictions.options());
    addSquares<<<grid, threads>>>(predictions.data_ptr<float>(), targets.data_ptr<float>(), parts.data_ptr<float>(),
                                  count);
    addParts<<<1, threads>>>(parts.data_ptr<float>(), out.data_ptr<float>(), grid, 1.0f / count);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Mean squared error");
}

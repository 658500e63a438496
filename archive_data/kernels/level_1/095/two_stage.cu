// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/95 95_CrossEntropyLoss
// Name:    two_stage
// Parent:  naive
// Idea:    Each block adds up its rows' losses before writing anything, and a last block adds the few
//          partial sums: the serial tail is gone, the order of addition still fixed.
// Look at: Bytes written between the kernels: one number per 128 rows.
#include <torch/extension.h>

constexpr int threads = 128;

/// Sum over a warp by butterfly exchange: every lane ends with the whole sum.
__device__ float warpSum(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value += __shfl_xor_sync(0xffffffffu, value, offset);
    return value;
}

/// Sum over the block, whose size is a multiple of 32: every thread ends with the whole sum.
__device__ float blockSum(float value) {
    __shared__ float partial[32];
    const int lane = threadIdx.x % 32;
    const int warp = threadIdx.x / 32;
    value = warpSum(value);
    __syncthreads(); // an earlier call may still be reading partial
    if (lane == 0) partial[warp] = value;
    __syncthreads();
    return warpSum(lane < blockDim.x / 32 ? partial[lane] : 0.0f);
}

/// Minus the log-probability of the target class. A target outside the classes gives NaN, not a stray read.
__device__ float rowLoss(const float* scores, int64_t target, int classes) {
    if (target < 0 || target >= classes) return __int_as_float(0x7fffffff);
    float largest = scores[0];
    for (int c = 1; c < classes; ++c)
        largest = fmaxf(largest, scores[c]);
    float sum = 0.0f;
    for (int c = 0; c < classes; ++c)
        sum += expf(scores[c] - largest);
    return logf(sum) + largest - scores[target];
}

__global__ void partialLosses(const float* predictions, const int64_t* targets, float* partial, int rows,
                              int classes) {
    const int row = blockIdx.x * threads + threadIdx.x;
    const float own = row < rows ? rowLoss(predictions + size_t(row) * classes, targets[row], classes) : 0.0f;
    const float sum = blockSum(own);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void addPartial(const float* partial, float* loss, int parts, int rows) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < parts; i += threads)
        sum += partial[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0) *loss = sum / rows;
}

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
    TORCH_CHECK(predictions.is_cuda() && targets.is_cuda(), "predictions and targets must be CUDA tensors");
    TORCH_CHECK(predictions.scalar_type() == torch::kFloat32 && targets.scalar_type() == torch::kInt64,
                "predictions must be float32 and targets int64");
    TORCH_CHECK(predictions.dim() == 2 && targets.dim() == 1 && predictions.size(0) == targets.size(0),
                "predictions must be [rows, classes] and targets [rows]");
    TORCH_CHECK(predictions.numel() > 0, "the mean of nothing is not defined");
    predictions = predictions.contiguous();
    targets = targets.contiguous();
    const int rows = predictions.size(0);
    const int classes = predictions.size(1);
    auto loss = torch::empty({}, predictions.options());
    const int blocks = (rows + threads - 1) / threads;
    auto partial = torch::empty({blocks}, predictions.options());
    partialLosses<<<blocks, threads>>>(predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
                                       partial.data_ptr<float>(), rows, classes);
    addPartial<<<1, threads>>>(partial.data_ptr<float>(), loss.data_ptr<float>(), blocks, rows);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "CrossEntropyLoss (two stage)");
}

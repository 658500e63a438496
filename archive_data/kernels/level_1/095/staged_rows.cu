// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/95 95_CrossEntropyLoss
// Name:    staged_rows
// Parent:  two_stage
// Idea:    Rows of ten floats make the lanes of a warp read ten elements apart. A block copies its rows to
//          shared memory in whole lines first; the row length is made odd there, so that the lanes' reads
//          fall into different banks.
// Look at: Sectors per request in global memory and bank conflicts in shared memory, with and without the
//          odd length. Rows too long for 32 KB are read directly.
#include <torch/extension.h>

constexpr int threads = 128; // rows per block

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
                              int classes, int pitch) {
    extern __shared__ float staged[]; // [threads][pitch]; pitch 0: rows are read from global memory
    const int firstRow = blockIdx.x * threads;
    const int row = firstRow + threadIdx.x;
    const float* scores = predictions + size_t(row) * classes;
    if (pitch > 0) {
        const int here = min(threads, rows - firstRow) * classes; // neighbours in memory, across row ends
        for (int i = threadIdx.x; i < here; i += threads)
            staged[i / classes * pitch + i % classes] = predictions[size_t(firstRow) * classes + i];
        __syncthreads();
        scores = staged + threadIdx.x * pitch;
    }
    const float sum = blockSum(row < rows ? rowLoss(scores, targets[row], classes) : 0.0f);
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
    const int64_t bytes = int64_t(classes | 1) * threads * sizeof(float);
    const int pitch = bytes <= 32 * 1024 ? classes | 1 : 0;
    const int64_t shared = pitch == 0 ? 0 : bytes;
    partialLosses<<<blocks, threads, shared>>>(predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
                                               partial.data_ptr<float>(), rows, classes, pitch);
    addPartial<<<1, threads>>>(partial.data_ptr<float>(), loss.data_ptr<float>(), blocks, rows);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "CrossEntropyLoss (staged rows)");
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/95 95_CrossEntropyLoss
// Name:    warp_per_row
// Parent:  two_stage
// Idea:    A warp per row: maximum and sum of exponentials by register exchange, every class read once by
//          neighbouring lanes and kept in a register when there are at most 32. The right shape for many
//          classes; with ten, 22 lanes idle.
// Look at: Compare with staged_rows at 10 and at 1000 classes: which is faster depends on the shape, not on
//          the idea.
#include <torch/extension.h>

constexpr int threads = 128;
constexpr int warps = threads / 32;

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

__device__ float warpMax(float value) {
    for (int offset = 16; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    return value;
}

__global__ void partialLosses(const float* predictions, const int64_t* targets, float* partial, int rows,
                              int classes) {
    const int lane = threadIdx.x % 32;
    const int row = blockIdx.x * warps + threadIdx.x / 32;
    float own = 0.0f;
    if (row < rows) { // the same for a whole warp
        const float* scores = predictions + size_t(row) * classes;
        const float none = -__int_as_float(0x7f800000); // minus infinity
        const float first = lane < classes ? scores[lane] : none;
        float largest = first;
        for (int c = lane + 32; c < classes; c += 32)
            largest = fmaxf(largest, scores[c]);
        largest = warpMax(largest);
        float sum = lane < classes ? expf(first - largest) : 0.0f;
        for (int c = lane + 32; c < classes; c += 32)
            sum += expf(scores[c] - largest);
        sum = warpSum(sum);
        const int64_t target = targets[row];
        const bool known = target >= 0 && target < classes; // else NaN, not a stray read
        if (lane == 0) own = known ? logf(sum) + largest - scores[target] : __int_as_float(0x7fffffff);
    }
    own = blockSum(own);
    if (threadIdx.x == 0) partial[blockIdx.x] = own;
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
    const int blocks = (rows + warps - 1) / warps;
    auto partial = torch::empty({blocks}, predictions.options());
    partialLosses<<<blocks, threads>>>(predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
                                       partial.data_ptr<float>(), rows, classes);
    addPartial<<<1, threads>>>(partial.data_ptr<float>(), loss.data_ptr<float>(), blocks, rows);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "CrossEntropyLoss (warp per row)");
}

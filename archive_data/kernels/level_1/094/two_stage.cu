// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/94 94_MSELoss
// Name:    two_stage
// Parent:  naive
// Idea:    Many blocks write one partial sum each, and a second kernel adds the partial sums in a fixed
//          order. Atomics would save the launch and give another last digit on every run.
// Look at: The second launch works for a microsecond and costs several: see the single-pass kernel for the
//          way around it.
#include <torch/extension.h>

constexpr int threads = 256;
constexpr int mostBlocks = 1024;

__device__ float blockSum(float value) {
    __shared__ float sums[threads];
    sums[threadIdx.x] = value;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    return sums[0];
}

__global__ void partialSums(const float* predictions, const float* targets, float* partial, int64_t count) {
    float sum = 0.0f;
    const int64_t stride = int64_t(gridDim.x) * threads;
    for (int64_t i = int64_t(blockIdx.x) * threads + threadIdx.x; i < count; i += stride) {
        const float distance = predictions[i] - targets[i];
        sum += distance * distance;
    }
    sum = blockSum(sum);
    if (threadIdx.x == 0) partial[blockIdx.x] = sum;
}

__global__ void addPartial(const float* partial, float* loss, int blocks, int64_t count) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < blocks; i += threads)
        sum += partial[i];
    sum = blockSum(sum);
    if (threadIdx.x == 0) *loss = sum / count;
}

torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {
    TORCH_CHECK(predictions.is_cuda() && targets.is_cuda(), "predictions and targets must be CUDA tensors");
    TORCH_CHECK(predictions.scalar_type() == torch::kFloat32 && targets.scalar_type() == torch::kFloat32,
                "predictions and targets must be float32");
    TORCH_CHECK(predictions.sizes() == targets.sizes(), "predictions and targets must have the same shape");
    TORCH_CHECK(predictions.numel() > 0, "the mean of nothing is not defined");
    predictions = predictions.contiguous();
    targets = targets.contiguous();
    const int64_t count = predictions.numel();
    auto loss = torch::empty({}, predictions.options());
    const int64_t needed = (count + threads - 1) / threads;
    const int blocks = needed < mostBlocks ? needed : mostBlocks;
    auto partial = torch::empty({blocks}, predictions.options());
    partialSums<<<blocks, threads>>>(predictions.data_ptr<float>(), targets.data_ptr<float>(),
                                     partial.data_ptr<float>(), count);
    addPartial<<<1, threads>>>(partial.data_ptr<float>(), loss.data_ptr<float>(), blocks, count);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "MSELoss (two stage)");
}

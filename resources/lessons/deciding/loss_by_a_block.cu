// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

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

__global__ void rowLosses(const float* predictions, const int64_t* targets, float* losses, int rows, int classes) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) losses[row] = rowLoss(predictions + size_t(row) * classes, targets[row], classes);
}

__global__ void addLosses(const float* losses, float* loss, int rows) {
    __shared__ float parts[1024 / 32];
    float sum = 0.0f;
    for (int i = threadIdx.x; i < rows; i += 1024)
        sum += losses[i];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x >= 32) return;
    sum = parts[threadIdx.x];
    for (int distance = 16; distance > 0; distance /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, distance);
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
    auto losses = torch::empty({rows}, predictions.options());
    const int threads = 128;
    rowLosses<<<(rows + threads - 1) / threads, threads>>>(predictions.data_ptr<float>(), targets.data_ptr<int64_t>(),
                                                           losses.data_ptr<float>(), rows, classes);
    addLosses<<<1, 1024>>>(losses.data_ptr<float>(), loss.data_ptr<float>(), rows);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return loss;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "CrossEntropyLoss (a block adds)");
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Four ways to wait for a copy: its stream, an event after it, a blocking copy of PyTorch's, and memory that is not
// page-locked, to which the copy has been made when its call returns.
#include <torch/extension.h>

__global__ void giveFactors(float* factors) { factors[threadIdx.x] = 1.0f; }
__global__ void clampBelow(const float* in, float* out, int n, float factor) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] < 0.0f ? 0.0f : factor * in[i];
}

torch::Tensor forward(torch::Tensor x) {
    torch::Tensor y = torch::empty_like(x), factors = torch::empty({4}, x.options());
    const float* from = factors.data_ptr<float>();
    float* there = nullptr;
    cudaMallocHost(&there, 2 * sizeof(float));
    giveFactors<<<1, 4>>>(factors.data_ptr<float>());

    cudaMemcpyAsync(there, from, sizeof(float), cudaMemcpyDeviceToHost, 0);
    cudaStreamSynchronize(0);
    float factor = there[0];

    cudaEvent_t copied;
    cudaEventCreate(&copied);
    cudaMemcpyAsync(there + 1, from + 1, sizeof(float), cudaMemcpyDeviceToHost, 0);
    cudaEventRecord(copied, 0);
    cudaEventSynchronize(copied);
    cudaEventDestroy(copied);
    factor *= there[1];

    torch::Tensor late = factors.to(torch::kCPU, torch::kFloat, true);
    torch::Tensor blocking = factors.cpu();
    factor *= late.data_ptr<float>()[2] * blocking.data_ptr<float>()[2];

    float pageable = 0;
    cudaMemcpyAsync(&pageable, from + 3, sizeof(float), cudaMemcpyDeviceToHost, 0);
    factor *= pageable;

    const int n = int(x.numel());
    clampBelow<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, factor);
    cudaFreeHost(there);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "ReLU"); }

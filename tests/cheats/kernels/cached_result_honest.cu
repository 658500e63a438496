// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Keeps its scratch memory from call to call, not its results.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = fmaxf(x[i], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    static float* scratch = nullptr;
    static int room = 0;
    int n = x.numel();
    if (n > room) {
        if (scratch) cudaFree(scratch);
        cudaMalloc(&scratch, n * sizeof(float));
        room = n;
    }
    relu<<<(n + 255) / 256, 256>>>(x.data_ptr<float>(), scratch, n);
    auto y = torch::empty_like(x);
    cudaMemcpy(y.data_ptr<float>(), scratch, n * sizeof(float), cudaMemcpyDeviceToDevice);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }

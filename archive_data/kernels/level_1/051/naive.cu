// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/51 51_Argmax_over_a_dimension
// Name:    naive
// Parent:  none
// Idea:    One thread per output keeps the largest value and its index. Only a strictly larger value takes
//          over, so the first of equal ones wins, and the first NaN stays.
// Look at: Two registers of state per output, and a chain of dependent comparisons.
#include <torch/extension.h>

/// x is [outer, n, inner]; the n elements of an output are `inner` apart.
__global__ void argmaxNaive(const float* x, int64_t* y, int64_t outputs, int n, int64_t inner) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= outputs) return;
    const float* in = x + i / inner * n * inner + i % inner;
    float largest = in[0];
    int index = 0;
    for (int j = 1; j < n; ++j) {
        const float v = in[j * inner];
        if (v > largest || (v != v && largest == largest)) {
            largest = v;
            index = j;
        }
    }
    y[i] = index;
}

torch::Tensor forward(torch::Tensor x, int64_t dim) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    if (dim < 0) dim += x.dim();
    TORCH_CHECK(dim >= 0 && dim < x.dim(), "dim is out of range");
    x = x.contiguous();
    std::vector<int64_t> shape;
    int64_t outer = 1, inner = 1; // elements before and after the dimension
    for (int64_t d = 0; d < x.dim(); ++d) {
        shape.push_back(x.size(d));
        if (d < dim) outer *= x.size(d);
        if (d > dim) inner *= x.size(d);
    }
    const int n = x.size(dim);
    TORCH_CHECK(n > 0, "the dimension is empty");
    shape.erase(shape.begin() + dim);
    auto y = torch::empty(shape, x.options().dtype(torch::kInt64));
    if (outer == 0 || inner == 0) return y;
    const int64_t outputs = outer * inner;
    const int threads = 128;
    argmaxNaive<<<(outputs + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<int64_t>(),
                                                                outputs, n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Argmax over a dimension (naive)");
}

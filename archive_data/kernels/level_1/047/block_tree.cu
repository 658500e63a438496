// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/47 47_Sum_reduction_over_a_dimension
// Name:    block_tree
// Parent:  naive
// Idea:    A block per output: 128 threads add a few elements each, then halve their number in shared
//          memory until one sum is left. 128 times the parallelism, and a trap: the elements of one output
//          are a whole row apart.
// Look at: Sectors per request: 32. The kernel is parallel and yet wastes seven eighths of the bytes that
//          it fetches.
#include <torch/extension.h>

constexpr int threads = 128;

/// A block per output; x is [outer, n, inner].
__global__ void sumTree(const float* x, float* y, int n, int64_t inner) {
    __shared__ float sums[threads];
    const int64_t i = blockIdx.x;
    const float* in = x + i / inner * n * inner + i % inner;
    float sum = 0.0f;
    for (int j = threadIdx.x; j < n; j += threads)
        sum += in[j * inner];
    sums[threadIdx.x] = sum;
    __syncthreads();
    for (int half = threads / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) sums[threadIdx.x] += sums[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) y[i] = sums[0];
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
    shape[dim] = 1;
    auto y = torch::empty(shape, x.options());
    if (outer == 0 || inner == 0) return y;
    sumTree<<<outer * inner, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Sum reduction over a dimension (block tree)");
}

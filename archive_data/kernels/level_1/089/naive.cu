// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/89 89_cumsum
// Name:    naive
// Parent:  none
// Idea:    One thread per line adds up from start to end, as a processor would. 128 lines are 128 threads.
// Look at: A chain of 4000 dependent additions, and lanes 16 KB apart: every load fetches 32 lines.
#include <torch/extension.h>

__global__ void cumsumNaive(const float* x, float* y, int64_t lines, int n, int64_t inner) {
    const int64_t line = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (line >= lines) return;
    const int64_t first = line / inner * n * inner + line % inner;
    float sum = 0.0f;
    for (int i = 0; i < n; ++i) {
        sum += x[first + i * inner];
        y[first + i * inner] = sum;
    }
}

torch::Tensor forward(torch::Tensor x, int64_t dim) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    if (dim < 0) dim += x.dim();
    TORCH_CHECK(dim >= 0 && dim < x.dim(), "dim is out of range");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    if (x.numel() == 0) return y;
    const int n = x.size(dim);
    int64_t inner = 1; // distance of neighbours along the dimension
    for (int64_t d = dim + 1; d < x.dim(); ++d)
        inner *= x.size(d);
    const int64_t lines = x.numel() / n;
    const int threads = 32;
    cumsumNaive<<<(lines + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(), lines,
                                                              n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "cumsum (naive)");
}

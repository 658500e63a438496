// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/49 49_Max_reduction_over_a_dimension
// Name:    column_tile
// Parent:  naive
// Idea:    A block takes 32 neighbouring outputs and eight threads for each; partial maxima meet in shared
//          memory. Maxima may be taken in any order without changing a bit, which sums cannot say.
// Look at: Warps in flight: eight times the naive kernel's, with the same coalesced reads.
#include <torch/extension.h>

constexpr int columns = 32; // neighbouring outputs: one warp reads one line
constexpr int parts = 8;    // threads per output

/// The larger one, NaN above everything, as PyTorch has it.
__device__ float larger(float a, float b) {
    return b > a || b != b ? b : a;
}

/// x is [outer, n, inner]; the grid is [inner / 32, outer].
__global__ void maxColumns(const float* x, float* y, int64_t outer, int n, int64_t inner) {
    __shared__ float partial[parts][columns];
    const int64_t column = int64_t(blockIdx.x) * columns + threadIdx.x;
    const int part = threadIdx.y;
    for (int64_t o = blockIdx.y; o < outer; o += gridDim.y) {
        const float* in = x + o * n * inner + column;
        float largest = -__int_as_float(0x7f800000); // minus infinity
        if (column < inner)
            for (int j = part; j < n; j += parts)
                largest = larger(largest, in[j * inner]);
        partial[part][threadIdx.x] = largest;
        __syncthreads();
        if (part == 0 && column < inner) {
            for (int p = 1; p < parts; ++p)
                largest = larger(largest, partial[p][threadIdx.x]);
            y[o * inner + column] = largest;
        }
        __syncthreads(); // the next round writes the partial results again
    }
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
    auto y = torch::empty(shape, x.options());
    if (outer == 0 || inner == 0) return y;
    const dim3 block(columns, parts);
    const dim3 grid((inner + columns - 1) / columns, outer < 65535 ? outer : 65535);
    maxColumns<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Max reduction over a dimension (column tile)");
}

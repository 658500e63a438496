// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/51 51_Argmax_over_a_dimension
// Name:    packed_key
// Parent:  column_tile
// Idea:    Value and index packed into one 64-bit key whose unsigned order is the order wanted: the float's
//          bits made monotonic above, the index counted down below. Argmax becomes a plain maximum, without
//          branches and without rules for ties.
// Look at: The branches of the parent are gone. The same key lets a single atomicMax find an argmax over a
//          whole grid.
#include <torch/extension.h>

constexpr int columns = 32; // neighbouring outputs: one warp reads one line
constexpr int parts = 8;    // threads per output

/// Orders as (value ascending, NaN above all, earlier index above later).
__device__ unsigned long long key(float v, int j) {
    unsigned bits = __float_as_uint(v);
    if (v == 0.0f) bits = 0;        // minus zero and zero are equal
    if (v != v) bits = 0x7fffffffu; // every NaN the same
    // Negative numbers: all bits flipped, so that they order upwards; others: above every negative one.
    bits = bits & 0x80000000u ? ~bits : bits | 0x80000000u;
    return static_cast<unsigned long long>(bits) << 32 | (0xffffffffu - unsigned(j));
}

/// x is [outer, n, inner]; the grid is [inner / 32, outer].
__global__ void argmaxPacked(const float* x, int64_t* y, int64_t outer, int n, int64_t inner) {
    __shared__ unsigned long long keys[parts][columns];
    const int64_t column = int64_t(blockIdx.x) * columns + threadIdx.x;
    const int part = threadIdx.y;
    for (int64_t o = blockIdx.y; o < outer; o += gridDim.y) {
        const float* in = x + o * n * inner + column;
        unsigned long long best = 0;
        if (column < inner)
            for (int j = part; j < n; j += parts) {
                const unsigned long long candidate = key(in[j * inner], j);
                best = candidate > best ? candidate : best;
            }
        keys[part][threadIdx.x] = best;
        __syncthreads();
        if (part == 0 && column < inner) {
            for (int p = 1; p < parts; ++p)
                best = keys[p][threadIdx.x] > best ? keys[p][threadIdx.x] : best;
            y[o * inner + column] = 0xffffffffu - unsigned(best & 0xffffffffu);
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
    auto y = torch::empty(shape, x.options().dtype(torch::kInt64));
    if (outer == 0 || inner == 0) return y;
    const dim3 block(columns, parts);
    const dim3 grid((inner + columns - 1) / columns, outer < 65535 ? outer : 65535);
    argmaxPacked<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<int64_t>(), outer, n, inner);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Argmax over a dimension (packed key)");
}

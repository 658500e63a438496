// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/12 12_Matmul_with_diagonal_matrices_
// Name:    fused
// Parent:  none
// Idea:    1 formulas in 1 launch: maps are written where they are read, and what reduces the same rows is one kernel.
// Look at: What the algebra says first: a product with a diagonal matrix scales rows, so that 1/8192 of the operations
//          remain.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   matmul[o0 < 4096, o1 < 4096] = B[o0, o1] * A[o0]
#include <torch/extension.h>

#include <cmath>
#include <vector>

using Index = int;           // of elements: each tensor has less than 2^31
constexpr int threads = 256; // tune: pow2 64..1024

/// Four neighbours from `from` on, those before `end`: one load of 16 bytes if they begin on a border of that.
__device__ void loadFour(float (&to)[4], const float* from, Index at, Index end, bool whole) {
    if (whole) {
        const float4 four = *reinterpret_cast<const float4*>(from + at);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
        return;
    }
#pragma unroll
    for (int v = 0; v < 4; ++v)
        to[v] = at + v < end ? from[at + v] : 0.0f;
}

__device__ void storeFour(float* to, const float (&from)[4], Index at, Index end, bool whole) {
    if (whole) {
        *reinterpret_cast<float4*>(to + at) = make_float4(from[0], from[1], from[2], from[3]);
        return;
    }
#pragma unroll
    for (int v = 0; v < 4; ++v)
        if (at + v < end) to[at + v] = from[v];
}

/// matmul[o0 < 4096, o1 < 4096] = B[o0, o1] * A[o0]
__global__ void matmulKernel(float* __restrict__ out, const float* __restrict__ B, Index N, const float* __restrict__ A,
                             Index count) {
    const Index i = 4 * (Index(blockIdx.x) * threads + threadIdx.x);
    if (i >= count) return;
    const bool whole = i + 4 <= count;
    float BFour[4];
    loadFour(BFour, B, i, count, whole);
    float values[4];
#pragma unroll
    for (int v = 0; v < 4; ++v) {
        const Index o0 = (i + v) / N;
        values[v] = BFour[v] * A[o0];
    }
    storeFour(out, values, i, count, whole);
}

/// The tensor without gaps, if it is of this type and shape.
static torch::Tensor checked(const torch::Tensor& tensor, torch::ScalarType type, std::vector<int64_t> shape,
                             const char* name) {
    TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == type, name, ": another device or type");
    TORCH_CHECK(tensor.dim() == int64_t(shape.size()), name, ": another number of axes");
    for (size_t k = 0; k < shape.size(); ++k)
        TORCH_CHECK(tensor.size(k) == shape[k], name, ": axis ", k, " has another extent");
    TORCH_CHECK(tensor.numel() <= INT_MAX, name, ": too many elements for Index");
    const torch::Tensor whole = tensor.contiguous();
    const bool isOnBorder = reinterpret_cast<uintptr_t>(whole.data_ptr()) % 16 == 0; // for float4
    return isOnBorder ? whole : whole.clone();
}

static int64_t blocks(int64_t count, int64_t each) {
    return std::max<int64_t>(1, (count + each - 1) / each);
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    const int64_t N = A.size(0);
    A = checked(A, torch::kFloat32, {N}, "A");
    B = checked(B, torch::kFloat32, {N, N}, "B");
    const auto options = A.options();
    const auto matmul = torch::empty({N, N}, options.dtype(torch::kFloat32));
    matmulKernel<<<blocks(matmul.numel(), 4 * threads), threads>>>(matmul.data_ptr<float>(), B.data_ptr<float>(), N,
                                                                   A.data_ptr<float>(), matmul.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return matmul;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "12_Matmul_with_diagonal_matrices_ (fused)");
}

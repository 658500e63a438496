// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

/// A number rounded to TF32.
__device__ unsigned tf32(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return bits;
}

/// 16 rows times 8 columns over 8 terms.
__device__ void multiplyTf32(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                             unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

/// What rounding to TF32 takes away, itself rounded to TF32.
__device__ unsigned rest(float x) {
    return tf32(x - __uint_as_float(tf32(x)));
}

/// C = A times B transposed: one warp for 16 rows of A and 8 rows of B, four elements of C for each lane.
__global__ void product(const float* A, const float* B, float* C, int depth, int columns) {
    const int g = threadIdx.x / 4; // the lane's group
    const int t = threadIdx.x % 4; // and its place in it
    const float* a = A + size_t(blockIdx.y) * 16 * depth;
    const float* b = B + size_t(blockIdx.x) * 8 * depth;
    float sum[4] = {};
    for (int k = 0; k < depth; k += 8) {
        const float a0 = a[g * depth + k + t];
        const float a1 = a[(g + 8) * depth + k + t];
        const float a2 = a[g * depth + k + t + 4];
        const float a3 = a[(g + 8) * depth + k + t + 4];
        const float b0 = b[g * depth + k + t];
        const float b1 = b[g * depth + k + t + 4];
        multiplyTf32(sum, rest(a0), rest(a1), rest(a2), rest(a3), tf32(b0), tf32(b1));
        multiplyTf32(sum, tf32(a0), tf32(a1), tf32(a2), tf32(a3), rest(b0), rest(b1));
        multiplyTf32(sum, tf32(a0), tf32(a1), tf32(a2), tf32(a3), tf32(b0), tf32(b1));
    }
    float* c = C + size_t(blockIdx.y) * 16 * columns + blockIdx.x * 8;
    c[g * columns + 2 * t] = sum[0];
    c[g * columns + 2 * t + 1] = sum[1];
    c[(g + 8) * columns + 2 * t] = sum[2];
    c[(g + 8) * columns + 2 * t + 1] = sum[3];
}

torch::Tensor forward(torch::Tensor A, torch::Tensor B) {
    A = A.contiguous();
    B = B.contiguous();
    const int rows = A.size(0);
    const int depth = A.size(1);
    const int columns = B.size(0);
    TORCH_CHECK(rows % 16 == 0 && columns % 8 == 0 && depth % 16 == 0, "whole tiles only");
    auto C = torch::empty({rows, columns}, A.options().dtype(torch::kFloat32));
    product<<<dim3(columns / 8, rows / 16), 32>>>(A.data_ptr<float>(), B.data_ptr<float>(), C.data_ptr<float>(), depth,
                                                  columns);
    return C;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "A times B transposed");
}

// SPDX-License-Identifier: GPL-3.0-or-later
#include <cuda_fp16.h>
#include <torch/extension.h>

/// 16 rows times 8 columns over 16 terms: what the whole warp holds in a and b is multiplied and added to sum.
__device__ void multiply(float (&sum)[4], unsigned a0, unsigned a1, unsigned a2, unsigned a3, unsigned b0,
                         unsigned b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a0), "r"(a1), "r"(a2), "r"(a3), "r"(b0), "r"(b1));
}

/// Two neighbouring numbers, rounded to 16 bits each.
__device__ unsigned rounded(const float* first) {
    const __half2 both = __floats2half2_rn(first[0], first[1]);
    return *reinterpret_cast<const unsigned*>(&both);
}

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

/// C = A times B transposed: one warp for 16 rows of A and 8 rows of B, four elements of C for each lane.
__global__ void product(const float* A, const float* B, float* C, int depth, int columns) {
    const int g = threadIdx.x / 4; // the lane's group
    const int t = threadIdx.x % 4; // and its place in it
    const float* a = A + size_t(blockIdx.y) * 16 * depth;
    const float* b = B + size_t(blockIdx.x) * 8 * depth;
    float sum[4] = {};
    for (int k = 0; k < depth; k += 16) {
        const unsigned a0 = rounded(a + g * depth + k + 2 * t);
        const unsigned a1 = rounded(a + (g + 8) * depth + k + 2 * t);
        const unsigned a2 = rounded(a + g * depth + k + 2 * t + 8);
        const unsigned a3 = rounded(a + (g + 8) * depth + k + 2 * t + 8);
        const unsigned b0 = rounded(b + g * depth + k + 2 * t);
        const unsigned b1 = rounded(b + g * depth + k + 2 * t + 8);
        multiply(sum, a0, a1, a2, a3, b0, b1);
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

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/47 47_Sum_reduction_over_a_dimension
// Name:    vectorised_tuned
// Parent:  vectorised
// Idea:    The parent with 32 threads per output and 8 columns instead of 8 and 32. Of the 19 points of the
//          space, all measured on an H200 (cold, full size), it is the fastest: 9.66 became 6.42 us, 1.51 times
//          as fast.
// Look at: The sweep gives 99.9% of the differences to parts: the kernel needs more threads per output to keep
//          loads in flight; 8 columns of four floats are still whole 128-byte lines.
#include <torch/extension.h>

// threads along the outputs, with four outputs each
constexpr int columns = 8; // tune: 8, 16, 32, 64
// threads per output
constexpr int parts = 32;  // tune: 2, 4, 8, 16, 32
// tune where: columns * parts <= 1024

__global__ void sumFours(const float* x, float* y, int64_t outer, int n, int64_t inner) {
    __shared__ float4 sums[parts][columns];
    const int64_t column = (int64_t(blockIdx.x) * columns + threadIdx.x) * 4;
    const int part = threadIdx.y;
    for (int64_t o = blockIdx.y; o < outer; o += gridDim.y) {
        float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
        for (int j = part; column < inner && j < n; j += parts) {
            const float4 v = *reinterpret_cast<const float4*>(x + (o * n + j) * inner + column);
            sum.x += v.x;
            sum.y += v.y;
            sum.z += v.z;
            sum.w += v.w;
        }
        sums[part][threadIdx.x] = sum;
        __syncthreads();
        if (part == 0 && column < inner) {
            for (int p = 1; p < parts; ++p) {
                const float4 v = sums[p][threadIdx.x];
                sum.x += v.x;
                sum.y += v.y;
                sum.z += v.z;
                sum.w += v.w;
            }
            *reinterpret_cast<float4*>(y + o * inner + column) = sum;
        }
        __syncthreads(); // the next round writes the partial sums again
    }
}

__global__ void sumScalar(const float* x, float* y, int64_t outer, int n, int64_t inner) {
    const int64_t stride = int64_t(gridDim.x) * blockDim.x;
    for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < outer * inner; i += stride) {
        const float* in = x + i / inner * n * inner + i % inner;
        float sum = 0.0f;
        for (int j = 0; j < n; ++j)
            sum += in[j * inner];
        y[i] = sum;
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
    shape[dim] = 1;
    auto y = torch::empty(shape, x.options());
    if (outer == 0 || inner == 0) return y;
    if (inner % 4 == 0 && reinterpret_cast<uintptr_t>(x.data_ptr<float>()) % 16 == 0) {
        const dim3 block(columns, parts);
        const dim3 grid((inner / 4 + columns - 1) / columns, outer < 65535 ? outer : 65535);
        sumFours<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, n, inner);
    } else {
        const int64_t needed = (outer * inner + 127) / 128;
        const int blocks = needed < 2112 ? needed : 2112;
        sumScalar<<<blocks, 128>>>(x.data_ptr<float>(), y.data_ptr<float>(), outer, n, inner);
    }
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Sum reduction over a dimension (vectorised)");
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/42 42_Max_Pooling_2D
// Name:    naive
// Parent:  none
// Idea:    One thread per output element, numbered straight through. Its coordinates come from divisions,
//          its window from two loops with a bounds check on each element.
// Look at: Integer instructions: divisions by numbers that are unknown to the compiler take some twenty
//          instructions each, more than the four comparisons that matter.
#include <torch/extension.h>

struct Pool {
    int planes, height, width, outHeight, outWidth, kernel, stride, padding, dilation;
};

/// The larger one, NaN above everything, as PyTorch has it.
__device__ float larger(float a, float b) {
    return b > a || b != b ? b : a;
}

__global__ void maxPoolNaive(const float* x, float* y, Pool pool, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int column = i % pool.outWidth;
    const int row = i / pool.outWidth % pool.outHeight;
    const int64_t plane = i / pool.outWidth / pool.outHeight;
    const float* image = x + plane * pool.height * pool.width;
    float largest = -__int_as_float(0x7f800000); // minus infinity: padding never wins
    for (int ky = 0; ky < pool.kernel; ++ky)
        for (int kx = 0; kx < pool.kernel; ++kx) {
            const int h = row * pool.stride - pool.padding + ky * pool.dilation;
            const int w = column * pool.stride - pool.padding + kx * pool.dilation;
            if (h >= 0 && h < pool.height && w >= 0 && w < pool.width)
                largest = larger(largest, image[h * pool.width + w]);
        }
    y[i] = largest;
}

torch::Tensor forward(torch::Tensor x, int64_t kernelSize, int64_t stride, int64_t padding,
                      int64_t dilation) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() == 4, "x must be [batch, channels, height, width]");
    TORCH_CHECK(kernelSize > 0 && stride > 0 && dilation > 0,
                "kernel size, stride and dilation must be positive");
    TORCH_CHECK(padding >= 0 && 2 * padding <= kernelSize, "padding must be at most half of the kernel size");
    x = x.contiguous();
    Pool pool;
    pool.planes = x.size(0) * x.size(1);
    pool.height = x.size(2);
    pool.width = x.size(3);
    pool.kernel = kernelSize;
    pool.stride = stride;
    pool.padding = padding;
    pool.dilation = dilation;
    const int reach = pool.dilation * (pool.kernel - 1) + 1; // rows that a window spans
    TORCH_CHECK(pool.height + 2 * pool.padding >= reach && pool.width + 2 * pool.padding >= reach,
                "the window is larger than the padded image");
    pool.outHeight = (pool.height + 2 * pool.padding - reach) / pool.stride + 1;
    pool.outWidth = (pool.width + 2 * pool.padding - reach) / pool.stride + 1;
    auto y = torch::empty({x.size(0), x.size(1), pool.outHeight, pool.outWidth}, x.options());
    if (y.numel() == 0) return y;
    const int threads = 256;
    maxPoolNaive<<<(y.numel() + threads - 1) / threads, threads>>>(x.data_ptr<float>(), y.data_ptr<float>(),
                                                                   pool, y.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Max Pooling 2D (naive)");
}

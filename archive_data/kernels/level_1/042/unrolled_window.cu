// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/42 42_Max_Pooling_2D
// Name:    unrolled_window
// Parent:  naive
// Idea:    The grid has the shape of the output, so coordinates need no division, and the window size is a
//          template parameter: both loops unroll and the loads of a window leave together instead of one
//          after another.
// Look at: Instructions per output fall; the sizes 2 and 3 have kernels of their own, any other size takes
//          the general loop.
#include <torch/extension.h>

struct Pool {
    int planes, height, width, outHeight, outWidth, kernel, stride, padding, dilation;
};

/// The larger one, NaN above everything, as PyTorch has it.
__device__ float larger(float a, float b) {
    return b > a || b != b ? b : a;
}

/// `fixedKernel`: the window size, 0 when it is only known at run time.
template <int fixedKernel> __global__ void maxPoolUnrolled(const float* x, float* y, Pool pool) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= pool.outWidth || row >= pool.outHeight) return;
    const int kernel = fixedKernel > 0 ? fixedKernel : pool.kernel;
    const int top = row * pool.stride - pool.padding;
    const int left = column * pool.stride - pool.padding;
    for (int plane = blockIdx.z; plane < pool.planes; plane += gridDim.z) {
        const float* image = x + int64_t(plane) * pool.height * pool.width;
        float largest = -__int_as_float(0x7f800000);
#pragma unroll
        for (int ky = 0; ky < kernel; ++ky) {
#pragma unroll
            for (int kx = 0; kx < kernel; ++kx) {
                const int h = top + ky * pool.dilation;
                const int w = left + kx * pool.dilation;
                if (unsigned(h) < unsigned(pool.height) &&
                    unsigned(w) < unsigned(pool.width)) // one comparison each
                    largest = larger(largest, image[h * pool.width + w]);
            }
        }
        y[(int64_t(plane) * pool.outHeight + row) * pool.outWidth + column] = largest;
    }
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
    auto kernel = pool.kernel == 2   ? maxPoolUnrolled<2>
                  : pool.kernel == 3 ? maxPoolUnrolled<3>
                                     : maxPoolUnrolled<0>;
    const dim3 block(32, 8);
    const dim3 grid((pool.outWidth + 31) / 32, (pool.outHeight + 7) / 8,
                    pool.planes < 65535 ? pool.planes : 65535);
    kernel<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), pool);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Max Pooling 2D (unrolled window)");
}

// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/42 42_Max_Pooling_2D
// Name:    shared_tile
// Parent:  unrolled_window
// Idea:    A block first copies the piece of the image that its 32 by 8 outputs need into shared memory, in
//          whole lines, and then picks the windows out of it. Every element is read from global memory once
//          per block, however windows overlap or skip.
// Look at: Global requests against the parent. With stride 2 and little overlap the L1 cache already did
//          most of this, so measure before believing; windows that do not fit 48 KB are read from global
//          memory.
#include <torch/extension.h>

constexpr int outX = 32;
constexpr int outY = 8;

struct Pool {
    int planes, height, width, outHeight, outWidth, kernel, stride, padding, dilation;
};

/// The larger one, NaN above everything, as PyTorch has it.
__device__ float larger(float a, float b) {
    return b > a || b != b ? b : a;
}

__global__ void maxPoolShared(const float* x, float* y, Pool pool, int tileHeight, int tileWidth,
                              bool staged) {
    extern __shared__ float tile[];
    const int top = int(blockIdx.y) * outY * pool.stride - pool.padding;
    const int left = int(blockIdx.x) * outX * pool.stride - pool.padding;
    const int row = blockIdx.y * outY + threadIdx.y;
    const int column = blockIdx.x * outX + threadIdx.x;
    const float outside = -__int_as_float(0x7f800000);
    for (int plane = blockIdx.z; plane < pool.planes; plane += gridDim.z) {
        const float* image = x + int64_t(plane) * pool.height * pool.width;
        if (staged) {
            __syncthreads(); // the plane before has been read
            for (int ty = threadIdx.y; ty < tileHeight; ty += outY)
                for (int tx = threadIdx.x; tx < tileWidth; tx += outX) {
                    const int h = top + ty, w = left + tx;
                    const bool inside = h >= 0 && h < pool.height && w >= 0 && w < pool.width;
                    tile[ty * tileWidth + tx] = inside ? image[h * pool.width + w] : outside;
                }
            __syncthreads();
        }
        if (row >= pool.outHeight || column >= pool.outWidth) continue;
        float largest = outside;
        for (int ky = 0; ky < pool.kernel; ++ky)
            for (int kx = 0; kx < pool.kernel; ++kx) {
                const int ty = threadIdx.y * pool.stride + ky * pool.dilation;
                const int tx = threadIdx.x * pool.stride + kx * pool.dilation;
                const int h = top + ty, w = left + tx;
                if (staged)
                    largest = larger(largest, tile[ty * tileWidth + tx]);
                else if (h >= 0 && h < pool.height && w >= 0 && w < pool.width)
                    largest = larger(largest, image[h * pool.width + w]);
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
    const int tileHeight = (outY - 1) * pool.stride + reach;
    const int tileWidth = (outX - 1) * pool.stride + reach;
    const int64_t bytes = int64_t(tileHeight) * tileWidth * sizeof(float);
    const bool staged = bytes <= 48 * 1024;
    const dim3 block(outX, outY);
    const dim3 grid((pool.outWidth + outX - 1) / outX, (pool.outHeight + outY - 1) / outY,
                    pool.planes < 65535 ? pool.planes : 65535);
    const int64_t shared = staged ? bytes : 0;
    maxPoolShared<<<grid, block, shared>>>(x.data_ptr<float>(), y.data_ptr<float>(), pool, tileHeight,
                                           tileWidth, staged);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Max Pooling 2D (shared tile)");
}

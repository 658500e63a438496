// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/45 45_Average_Pooling_2D
// Name:    naive
// Parent:  none
// Idea:    One thread per output element, numbered straight through, with divisions for its coordinates, a
//          bounds check per element and a division for the mean.
// Look at: Integer instructions per output, and loads three elements apart: a warp fetches three lines for
//          one line's worth of lanes.
#include <torch/extension.h>

/// Padding counts as zeros: the divisor is always the whole window, PyTorch's count_include_pad.
struct Pool {
    int planes, height, width, outHeight, outWidth, kernel, stride, padding;
};

__global__ void averagePoolNaive(const float* x, float* y, Pool pool, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int column = i % pool.outWidth;
    const int row = i / pool.outWidth % pool.outHeight;
    const int64_t plane = i / pool.outWidth / pool.outHeight;
    const float* image = x + plane * pool.height * pool.width;
    float sum = 0.0f;
    for (int ky = 0; ky < pool.kernel; ++ky)
        for (int kx = 0; kx < pool.kernel; ++kx) {
            const int h = row * pool.stride - pool.padding + ky;
            const int w = column * pool.stride - pool.padding + kx;
            if (h >= 0 && h < pool.height && w >= 0 && w < pool.width) sum += image[h * pool.width + w];
        }
    y[i] = sum / (pool.kernel * pool.kernel);
}

torch::Tensor forward(torch::Tensor x, int64_t kernelSize, int64_t stride, int64_t padding) {
    TORCH_CHECK(x.is_cuda() && x.scalar_type() == torch::kFloat32, "x must be a float32 CUDA tensor");
    TORCH_CHECK(x.dim() == 4, "x must be [batch, channels, height, width]");
    TORCH_CHECK(kernelSize > 0 && stride > 0, "kernel size and stride must be positive");
    TORCH_CHECK(padding >= 0 && 2 * padding <= kernelSize, "padding must be at most half of the kernel size");
    x = x.contiguous();
    Pool pool;
    pool.planes = x.size(0) * x.size(1);
    pool.height = x.size(2);
    pool.width = x.size(3);
    pool.kernel = kernelSize;
    pool.stride = stride;
    pool.padding = padding;
    TORCH_CHECK(pool.height + 2 * pool.padding >= pool.kernel && pool.width + 2 * pool.padding >= pool.kernel,
                "the window is larger than the padded image");
    pool.outHeight = (pool.height + 2 * pool.padding - pool.kernel) / pool.stride + 1;
    pool.outWidth = (pool.width + 2 * pool.padding - pool.kernel) / pool.stride + 1;
    auto y = torch::empty({x.size(0), x.size(1), pool.outHeight, pool.outWidth}, x.options());
    if (y.numel() == 0) return y;
    const int threads = 256;
    averagePoolNaive<<<(y.numel() + threads - 1) / threads, threads>>>(x.data_ptr<float>(),
                                                                       y.data_ptr<float>(), pool, y.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Average Pooling 2D (naive)");
}

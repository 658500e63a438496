// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/45 45_Average_Pooling_2D
// Name:    clipped_window
// Parent:  naive
// Idea:    The window is clipped to the image once, before the loops, instead of checking every element;
//          the grid has the shape of the output; the division by the window size becomes one multiplication
//          by its inverse, computed on the host.
// Look at: Branches and integer instructions inside the inner loop: none but the loop's own.
#include <torch/extension.h>

/// Padding counts as zeros: the divisor is always the whole window, PyTorch's count_include_pad.
struct Pool {
    int planes, height, width, outHeight, outWidth, kernel, stride, padding;
};

__global__ void averagePoolClipped(const float* x, float* y, Pool pool, float share) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x;
    const int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= pool.outWidth || row >= pool.outHeight) return;
    const int top = max(row * pool.stride - pool.padding, 0);
    const int left = max(column * pool.stride - pool.padding, 0);
    const int bottom = min(row * pool.stride - pool.padding + pool.kernel, pool.height);
    const int right = min(column * pool.stride - pool.padding + pool.kernel, pool.width);
    for (int plane = blockIdx.z; plane < pool.planes; plane += gridDim.z) {
        const float* image = x + int64_t(plane) * pool.height * pool.width;
        float sum = 0.0f;
        for (int h = top; h < bottom; ++h)
            for (int w = left; w < right; ++w)
                sum += image[h * pool.width + w];
        y[(int64_t(plane) * pool.outHeight + row) * pool.outWidth + column] = sum * share;
    }
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
    const dim3 block(32, 8);
    const dim3 grid((pool.outWidth + 31) / 32, (pool.outHeight + 7) / 8,
                    pool.planes < 65535 ? pool.planes : 65535);
    averagePoolClipped<<<grid, block>>>(x.data_ptr<float>(), y.data_ptr<float>(), pool,
                                        1.0f / (pool.kernel * pool.kernel));
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Average Pooling 2D (clipped window)");
}

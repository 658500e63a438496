// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/1 1_Conv2D_ReLU_BiasAdd
// Name:    direct
// Parent:  none
// Idea:    One thread per output element, with the convolution as it is defined: three nested loops over
//          channels and filter. ReLU and both biases are applied before the only store, so the three
//          operators cost one pass over memory.
// Look at: Two loads per multiplication, most of them from the cache; the divisions for the coordinates are
//          a second cost.
#include <torch/extension.h>

/// A convolution with stride 1 and no padding.
struct Conv {
    int batch, channels, height, width, filters, kernelHeight, kernelWidth, outHeight, outWidth;
};

/// The bias of the convolution, ReLU, then the second bias.
__device__ float finish(float sum, float convBias, float bias) {
    const float v = sum + convBias;
    return (v < 0.0f ? 0.0f : v) + bias;
}

__global__ void convDirect(const float* x, const float* weight, const float* convBias, const float* bias,
                           float* y, Conv conv, int64_t count) {
    const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= count) return;
    const int column = i % conv.outWidth;
    const int row = i / conv.outWidth % conv.outHeight;
    const int filter = i / (int64_t(conv.outWidth) * conv.outHeight) % conv.filters;
    const int64_t image = i / (int64_t(conv.outWidth) * conv.outHeight * conv.filters);
    float sum = 0.0f;
    for (int c = 0; c < conv.channels; ++c)
        for (int ky = 0; ky < conv.kernelHeight; ++ky)
            for (int kx = 0; kx < conv.kernelWidth; ++kx)
                sum += x[((image * conv.channels + c) * conv.height + row + ky) * conv.width + column + kx] *
                       weight[((int64_t(filter) * conv.channels + c) * conv.kernelHeight + ky) *
                                  conv.kernelWidth +
                              kx];
    y[i] = finish(sum, convBias[filter], bias[filter]);
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor convBias, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && weight.is_cuda() && convBias.is_cuda() && bias.is_cuda(),
                "all arguments must be CUDA tensors");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
                    convBias.scalar_type() == torch::kFloat32 && bias.scalar_type() == torch::kFloat32,
                "all arguments must be float32");
    TORCH_CHECK(x.dim() == 4 && weight.dim() == 4 && x.size(1) == weight.size(1),
                "x must be [batch, channels, height, width] and weight [filters, channels, height, width]");
    TORCH_CHECK(convBias.numel() == weight.size(0) && bias.numel() == weight.size(0),
                "one bias of each kind per filter");
    x = x.contiguous();
    weight = weight.contiguous();
    convBias = convBias.contiguous();
    bias = bias.contiguous();
    Conv conv;
    conv.batch = x.size(0);
    conv.channels = x.size(1);
    conv.height = x.size(2);
    conv.width = x.size(3);
    conv.filters = weight.size(0);
    conv.kernelHeight = weight.size(2);
    conv.kernelWidth = weight.size(3);
    conv.outHeight = conv.height - conv.kernelHeight + 1;
    conv.outWidth = conv.width - conv.kernelWidth + 1;
    TORCH_CHECK(conv.outHeight > 0 && conv.outWidth > 0, "the filter is larger than the image");
    auto y = torch::empty({conv.batch, conv.filters, conv.outHeight, conv.outWidth}, x.options());
    if (y.numel() == 0) return y;
    const int threads = 256;
    convDirect<<<(y.numel() + threads - 1) / threads, threads>>>(
        x.data_ptr<float>(), weight.data_ptr<float>(), convBias.data_ptr<float>(), bias.data_ptr<float>(),
        y.data_ptr<float>(), conv, y.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Conv2D ReLU BiasAdd (direct)");
}

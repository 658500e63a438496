// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int threads = 128;
constexpr int piece = 8192; // elements of a block

/// Each block averages every element of its piece with the two beside it; outside the tensor lie zeros.
__global__ void smooth(const float* in, float* out, int count) {
    __shared__ float own[piece + 2];
    const int first = blockIdx.x * piece;
    for (int i = threadIdx.x; i < piece + 2; i += threads) {
        const int place = first + i - 1;
        own[i] = place >= 0 && place < count ? in[place] : 0.0f;
    }
    __syncthreads();
    for (int i = threadIdx.x; i < piece && first + i < count; i += threads)
        out[first + i] = (own[i] + own[i + 1] + own[i + 2]) / 3.0f;
}

torch::Tensor forward(torch::Tensor x) {
    x = x.contiguous();
    auto out = torch::empty_like(x);
    const int count = x.numel();
    const int grid = (count + piece - 1) / piece;
    smooth<<<grid, threads>>>(x.data_ptr<float>(), out.data_ptr<float>(), count);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Average of three neighbours");
}

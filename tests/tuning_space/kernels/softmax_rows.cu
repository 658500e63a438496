// SPDX-License-Identifier: GPL-3.0-or-later
//
// A softmax over rows: a block for each, which reads VECTOR elements at once.
#include <torch/extension.h>

// tune: 128..1024 step 128
constexpr int THREADS = 256;
using Vector = float4;  // tune: float, float2, float4
#define EXACT true      // tune: false, true
constexpr float FLOOR = -1e30f; // tune: -1e30, -3e38

// tune fast_math: false, true
// tune where: THREADS <= 512 or Vector != float

constexpr int WIDTH = sizeof(Vector) / sizeof(float);
union Elements {
    Vector vector;
    float element[WIDTH];
};

__device__ float power(float v) {
    return EXACT ? expf(v) : __expf(v);
}

template <bool largest> __device__ float joined(float a, float b) {
    return largest ? fmaxf(a, b) : a + b;
}

template <bool largest> __device__ float overBlock(float value, float* shared) {
    shared[threadIdx.x] = value;
    __syncthreads();
    for (int half = 512; half > 0; half /= 2) {
        if (threadIdx.x < half && threadIdx.x + half < THREADS)
            shared[threadIdx.x] = joined<largest>(shared[threadIdx.x], shared[threadIdx.x + half]);
        __syncthreads();
    }
    const float all = shared[0];
    __syncthreads();
    return all;
}

__global__ void softmaxRows(const float* x, float* y, int columns) {
    __shared__ float shared[THREADS];
    const float* in = x + size_t(blockIdx.x) * columns;
    float* out = y + size_t(blockIdx.x) * columns;
    const int whole = columns / WIDTH;
    const bool aligned = columns % WIDTH == 0;

    float largest = FLOOR;
    if (aligned) {
        for (int i = threadIdx.x; i < whole; i += THREADS) {
            Elements e;
            e.vector = reinterpret_cast<const Vector*>(in)[i];
            for (int j = 0; j < WIDTH; ++j)
                largest = fmaxf(largest, e.element[j]);
        }
    } else {
        for (int i = threadIdx.x; i < columns; i += THREADS)
            largest = fmaxf(largest, in[i]);
    }
    largest = overBlock<true>(largest, shared);

    float sum = 0.0f;
    for (int i = threadIdx.x; i < columns; i += THREADS)
        sum += power(in[i] - largest);
    sum = overBlock<false>(sum, shared);
    for (int i = threadIdx.x; i < columns; i += THREADS)
        out[i] = power(in[i] - largest) / sum;
}

torch::Tensor forward(torch::Tensor x) {
    TORCH_CHECK(x.is_cuda() && x.dim() == 2, "x must be a CUDA tensor [rows, columns]");
    x = x.contiguous();
    auto y = torch::empty_like(x);
    const int rows = x.size(0);
    const int columns = x.size(1);
    if (rows == 0 || columns == 0) return y;
    softmaxRows<<<rows, THREADS>>>(x.data_ptr<float>(), y.data_ptr<float>(), columns);
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Softmax (tunable)");
}

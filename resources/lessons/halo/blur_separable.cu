// SPDX-License-Identifier: GPL-3.0-or-later
#include <torch/extension.h>

constexpr int radius = 4;
constexpr int width = 2 * radius + 1; // of the window
constexpr int tile = 32;
constexpr int side = tile + 2 * radius; // of the tile with its halo

/// Each pixel becomes the average of the window around it; outside the image lie zeros.
__global__ void blur(const float* in, float* out, int rows, int columns) {
    const int column = blockIdx.x * tile + threadIdx.x;
    const int row = blockIdx.y * tile + threadIdx.y;
    __shared__ float across[side][tile];
    __shared__ float piece[side][side];
    const int firstRow = blockIdx.y * tile - radius; // of the piece, in the image
    const int firstColumn = blockIdx.x * tile - radius;
    for (int i = threadIdx.y * tile + threadIdx.x; i < side * side; i += tile * tile) {
        const int y = firstRow + i / side;
        const int x = firstColumn + i % side;
        const bool inside = y >= 0 && y < rows && x >= 0 && x < columns;
        piece[i / side][i % side] = inside ? in[size_t(y) * columns + x] : 0.0f;
    }
    __syncthreads(); // tile and halo are complete
    // Sums along the rows, for the halo's rows as well.
    for (int y = threadIdx.y; y < side; y += tile) {
        float sum = 0.0f;
        for (int x = 0; x < width; ++x)
            sum += piece[y][threadIdx.x + x];
        across[y][threadIdx.x] = sum;
    }
    __syncthreads(); // all rows are summed
    if (row >= rows || column >= columns) return;
    float sum = 0.0f;
    for (int y = 0; y < width; ++y)
        sum += across[threadIdx.y + y][threadIdx.x];
    out[size_t(row) * columns + column] = sum / (width * width);
}

torch::Tensor forward(torch::Tensor image) {
    image = image.contiguous();
    auto out = torch::empty_like(image);
    const int rows = image.size(0);
    const int columns = image.size(1);
    const dim3 block(tile, tile);
    const dim3 grid((columns + tile - 1) / tile, (rows + tile - 1) / tile);
    blur<<<grid, block>>>(image.data_ptr<float>(), out.data_ptr<float>(), rows, columns);
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Average over a window");
}

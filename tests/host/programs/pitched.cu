// SPDX-License-Identifier: GPL-3.0-or-later
// Pitched rows, their fills and copies; a volume.
// prints: pitch fits
// prints: rows 3 7 7
// prints: volume 24
#include <cstdio>
#include <cstring>

__global__ void scale(char* base, size_t pitch, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) ((float*)(base + y * pitch))[x] += y;
}

int main() {
    const int width = 100, height = 5;
    float host[height][width];
    for (auto& row : host)
        for (float& v : row) v = 3;
    char* d;
    size_t pitch;
    cudaMallocPitch(&d, &pitch, width * sizeof(float), height);
    printf(pitch >= width * sizeof(float) && pitch % 32 == 0 ? "pitch fits\n" : "pitch is wrong\n");
    cudaMemset2D(d, pitch, 0, width * sizeof(float), height);
    cudaMemcpy2D(d, pitch, host, sizeof host[0], sizeof host[0], height, cudaMemcpyHostToDevice);
    scale<<<dim3(4, 1), dim3(32, 8)>>>(d, pitch, width, height);
    cudaMemcpy2D(host, sizeof host[0], d, pitch, sizeof host[0], height, cudaMemcpyDeviceToHost);
    printf("rows %g %g %g\n", host[0][0], host[4][0], host[4][99]);
    cudaFree(d);
    cudaPitchedPtr box;
    cudaExtent extent = make_cudaExtent(4 * sizeof(int), 3, 2);
    cudaMalloc3D(&box, extent);
    cudaMemset3D(box, 1, extent);
    int cells[2][3][4];
    memset(cells, 0, sizeof cells);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(cells, 4 * sizeof(int), 4, 3);
    copy.extent = extent;
    copy.kind = cudaMemcpyDeviceToHost;
    cudaMemcpy3D(&copy);
    int ones = 0;
    for (auto& slice : cells)
        for (auto& row : slice)
            for (int v : row) ones += v == 0x01010101;
    printf("volume %d\n", ones);
    cudaFree(box.ptr);
    return 0;
}

// SPDX-License-Identifier: GPL-3.0-or-later
// What a program asks of its device first.
// prints: 1 device
// prints: NVIDIA H100
// prints: capability 9.0, 132 multiprocessors, warps of 32
// prints: 1024 threads, 49152 bytes, mapped yes, managed yes
// prints: device 0, peer 0: 0
// prints: no device 5: invalid device ordinal
#include <cstdio>

int main() {
    int count = 0;
    cudaGetDeviceCount(&count);
    printf("%d device\n", count);
    for (int d = 0; d < count; ++d) {
        struct cudaDeviceProp prop;
        if (cudaGetDeviceProperties(&prop, d) != cudaSuccess) return 1;
        printf("%s\n", prop.name);
        printf("capability %d.%d, %d multiprocessors, warps of %d\n", prop.major, prop.minor, prop.multiProcessorCount,
               prop.warpSize);
        printf("%d threads, %zu bytes, mapped %s, managed %s\n", prop.maxThreadsPerBlock, prop.sharedMemPerBlock,
               prop.canMapHostMemory ? "yes" : "no", prop.managedMemory ? "yes" : "no");
        if (prop.clockRate <= 0 || prop.totalGlobalMem == 0) return 2; // a member that CUDA 13 took away
    }
    int device = -1, peer = -1;
    cudaGetDevice(&device);
    cudaDeviceCanAccessPeer(&peer, 0, 0);
    printf("device %d, peer 0: %d\n", device, peer);
    printf("no device 5: %s\n", cudaGetErrorString(cudaSetDevice(5)));
    return 0;
}

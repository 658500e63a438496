// SPDX-License-Identifier: GPL-3.0-or-later
// Memory of malloc() is the host's alone: a kernel that uses it is told on, and the program sees the error's result.
// exit: 0
// fault: host_memory
#include <cstdio>
#include <cstdlib>

__global__ void store(int* p) {
    *p = 1;
}

int main() {
    int* p = (int*)malloc(sizeof(int));
    store<<<1, 1>>>(p);
    cudaDeviceSynchronize();
    return 0;
}

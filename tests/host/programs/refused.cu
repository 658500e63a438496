// SPDX-License-Identifier: GPL-3.0-or-later
// What needs another process or a screen is refused by name when it is called, not before.
// end: unsupported
// reason: cudaIpcGetMemHandle
// prints: before
#include <cstdio>

int main() {
    int* d;
    cudaMalloc(&d, 4);
    cudaIpcMemHandle_t handle;
    printf("before\n");
    cudaIpcGetMemHandle(&handle, d);
    printf("not reached\n");
    return 0;
}

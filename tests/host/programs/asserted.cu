// SPDX-License-Identifier: GPL-3.0-or-later
// A device-side assertion that the program expects: it is told by its words and by the error.
// exit: 0
// prints: void fails(int): block: [0,0,0], thread: [5,0,0] Assertion `int(threadIdx.x) < n` failed.
// prints: device-side assert triggered
// remark: a device-side assertion failed
#include <assert.h>
#include <stdio.h>

__global__ void fails(int n) {
    assert(int(threadIdx.x) < n);
}

int main() {
    fails<<<1, 6>>>(5);
    cudaError_t error = cudaDeviceSynchronize();
    printf("%s\n", cudaGetErrorString(error));
    return error == cudaErrorAssert ? 0 : 1;
}

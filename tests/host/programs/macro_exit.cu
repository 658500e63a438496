// SPDX-License-Identifier: GPL-3.0-or-later
// The textbook's error macro: a launch over the limits is found, and the program leaves from within a function.
// exit: 1
// end: launch_refused
// prints: invalid configuration argument in macro_exit
// prints: leaving
#include <stdio.h>

static void handle(cudaError_t err, const char* name) {
    if (err != cudaSuccess) {
        printf("%s in %s\n", cudaGetErrorString(err), name);
        exit(EXIT_FAILURE);
    }
}
#define HANDLE_ERROR(call) (handle(call, "macro_exit"))

__global__ void nothing() {}

void leaving() {
    printf("leaving\n");
}

void deeper(int threads) {
    nothing<<<1, threads>>>();
    HANDLE_ERROR(cudaGetLastError());
    printf("not reached\n");
}

int main(void) {
    atexit(leaving);
    deeper(2048);
}

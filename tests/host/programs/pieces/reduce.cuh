// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "check.cuh"

template <class T> struct Shared;
#define SHARED_OF(T)                                                                                                   \
    template <> struct Shared<T> {                                                                                     \
        __device__ T* get() {                                                                                          \
            extern __shared__ T shared_##T[];                                                                          \
            return shared_##T;                                                                                         \
        }                                                                                                              \
    };
SHARED_OF(float)
SHARED_OF(int)
SHARED_OF(double)

template <class T> __global__ void reduce(const T* in, T* out) {
    T* cells = Shared<T>().get();
    const int i = threadIdx.x;
    cells[i] = in[i];
    for (int step = blockDim.x / 2; step > 0; step /= 2) {
        __syncthreads();
        if (i < step) cells[i] += cells[i + step];
    }
    if (i == 0) *out = cells[0];
}
